#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "perpend/base/message.h"
#include "perpend/report/escape.h"
#include "perpend/report/model_page.h"

namespace perpend {

namespace {

std::string answer_text(const RowView& row, double value) {
  return row.regression ? fmt::format("{:.4g}", value) : fmt::format("{:.2f}", value);
}

std::string colour_of(std::size_t member) { return fmt::format("c{}", member % 8 + 1); }

// Draws the members as dots between 0 and 1. Dots that would cover one another are stacked.
std::string strip_html(const RowView& row) {
  std::string dots;
  const double width = row.high > row.low ? row.high - row.low : 1;
  const auto place = [&](std::size_t m) { return (row.members[m] - row.low) / width; };
  const double step = std::min(9.0, 20 / static_cast<double>(row.members.size()));
  for (std::size_t m = 0; m < row.members.size(); ++m) {
    double below = 0;
    for (std::size_t other = 0; other < m; ++other) below += std::abs(place(other) - place(m)) < 0.04 ? 1 : 0;
    dots += fmt::format("<circle class=\"{}\" cx=\"{:.1f}%\" cy=\"{:.1f}\" r=\"5\"/>", colour_of(m), 2 + 96 * place(m),
                        26 - step * below);
  }
  return fmt::format(
      "<svg class=\"strip\" aria-hidden=\"true\"><line x1=\"2%\" x2=\"98%\" y1=\"26\" y2=\"26\"/>{}<text x=\"1%\" "
      "y=\"46\">{}</text><text x=\"50%\" y=\"46\" text-anchor=\"middle\">{}</text><text x=\"99%\" "
      "y=\"46\" text-anchor=\"end\">{}</text></svg>\n",
      dots, row.regression ? fmt::format("{:.4g}", row.low) : "0",
      html_text((row.regression ? "" : "probability of ") + quote(row.of_class)),
      row.regression ? fmt::format("{:.4g}", row.high) : "1");
}

std::string reasons_html(const std::vector<Reliance>& relied) {
  if (relied.empty()) return "nothing";
  std::string html;
  for (const auto& why : relied) {
    html += fmt::format("{}<b>{}</b> = {} ({:.0f} %)", html.empty() ? "" : ", ", html_text(why.column),
                        html_text(why.cell), 100 * why.share);
  }
  return html;
}

std::string row_html(const RowView& row) {
  std::string list;
  for (std::size_t m = 0; m < row.members.size(); ++m) {
    list +=
        fmt::format("<li><i class=\"{}\" aria-hidden=\"true\"></i><span>member {} says {}, looking at {}</span></li>\n",
                    colour_of(m), m + 1, answer_text(row, row.members[m]), reasons_html(row.relied[m]));
  }
  return fmt::format(
      "<li><h4>Row {} <span>disagreement {}</span></h4>\n<p>{} The ensemble says {}.</p>\n{}<ol>\n{}</ol></li>\n",
      thousands(row.number), answer_text(row, row.disagreement),
      row.label.empty() ? ""
                        : fmt::format("{} {}.", row.regression ? "The target is" : "Labelled",
                                      html_text(row.regression ? row.label : quote(row.label))),
      html_text(row.regression ? row.predicted : quote(row.predicted)), strip_html(row), list);
}

}  // namespace

Markup disputed_rows(const RowsView& rows) {
  const bool trained_since = rows.trained_since && rows.parts.back().name == rows.judged;
  std::string html = fmt::format(
      "<h3>The rows they disagree on most</h3>\n<p>From {}. In brackets: the share of a member's gradient (trees: of "
      "its contributions) on that row that belongs to the column. The first row of the table is row "
      "1.{}</p>\n<ul class=\"rows\">\n",
      html_text(quote(rows.parts.back().name)),
      trained_since ? " The answers are those from before the refit, which trained on these rows; the shares are those "
                      "of the final members."
                    : "");
  for (const auto& row : rows.disputed) html += row_html(row);
  return {html + "</ul>"};
}

}  // namespace perpend
