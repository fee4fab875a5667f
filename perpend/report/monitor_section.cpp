#include "perpend/report/monitor_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "perpend/base/message.h"
#include "perpend/report/charts.h"
#include "perpend/report/escape.h"
#include "perpend/report/spec.h"

namespace perpend {

namespace {

constexpr std::size_t kMostColumns = 10;  // in the table
constexpr std::size_t kMostBars = 40;

std::string p_words(double p) { return p < 0.0001 ? "< 0.0001" : fmt::format("{:.4f}", p); }

// "There are 3 rows with a level that training never saw and 12 rows with a number outside the range at home." For the
// verdict far, the summary already says this.
std::string beyond_words(const Monitoring& found) {
  if (found.verdict == Verdict::far || found.unseen_rows + found.outside_rows == 0) return "";
  std::string text;
  const auto add = [&](std::size_t rows, const char* what) {
    if (rows > 0)
      text += (text.empty() ? rows == 1 ? " There is " : " There are " : " and ") + counted(rows, "row") + what;
  };
  add(found.unseen_rows, " with a level that training never saw");
  add(found.outside_rows, " with a number outside the range of training");
  return text + ".";
}

// A probability, or a number in the target's units.
std::string effect_text(double effect, bool regression) {
  return regression ? fmt::format("{:.3g}", effect) : fmt::format("{:.3f}", effect);
}

// Names the member whose answers change most: "member 3 (trees): 0.21".
std::string most_for(const MonitoredColumn& column, const std::vector<std::string>& views, bool regression) {
  if (column.members.size() < 2) return "";
  const auto most = std::ranges::max_element(column.members);
  const auto m = static_cast<std::size_t>(most - column.members.begin());
  return member_name(m) + (m < views.size() ? " (" + views[m] + ")" : "") + ": " + effect_text(*most, regression);
}

// A narrow screen shows the names of cells before them.
std::string named_cell(const char* name, const std::string& html, const char* more = "") {
  return fmt::format("<td data-name=\"{}\"{}>{}</td>", name, more, html);
}

std::string drift_bar(double drift) {
  return fmt::format(
      "<span class=\"drift\"><svg aria-hidden=\"true\"><rect class=\"whole\" width=\"100%\" height=\"100%\"/><rect "
      "class=\"part\" width=\"{:.0f}%\" height=\"100%\"/></svg>{:.2f}</span>",
      100 * std::clamp(drift, 0.0, 1.0), drift);
}

std::string moved_table(const Monitoring& found, const std::vector<std::string>& views) {
  const std::size_t moved = found.moved_columns();
  if (moved == 0) return "";
  std::string rows;
  // Columns are sorted by what matters, so those that moved need not come first.
  std::size_t shown = 0;
  for (const MonitoredColumn& column : found.columns) {
    if (column.p_value >= found.alarm || shown == kMostColumns) continue;
    ++shown;
    rows += fmt::format("<tr><th scope=\"row\">{}</th>", html_text(column.name)) +
            named_cell("drift", drift_bar(column.drift)) +
            named_cell("p", html_text(p_words(column.p_value)), " class=\"p\"") +
            named_cell("change", html_text(column.change), " class=\"words\"") +
            named_cell("matters", column.matters ? effect_text(*column.matters, found.regression) : "–") +
            named_cell("most for", html_text(column.matters ? most_for(column, views, found.regression) : "–")) +
            "</tr>\n";
  }
  const std::string rest = moved > shown
                               ? fmt::format("<p class=\"more\">And {}; the drift of every column is below.</p>",
                                             counted(moved - shown, "more column"))
                               : "";
  return fmt::format(
      "<h3>{}</h3>\n"
      "<p>The columns that matter most come first. Drift says how far a column moved: 0 is not at all, and 1 means "
      "that no row lies where rows lay in training. p is the probability of such a move between like rows, adjusted "
      "for the number of columns. Matters says how much the {} change on average if this column alone is put back to "
      "how it was in training. Most for names the member whose answers change most.</p>\n"
      "<div class=\"table cards\" tabindex=\"0\" role=\"region\" aria-label=\"Columns that "
      "moved\"><table><thead><tr><th scope=\"col\">column</th><th scope=\"col\">drift</th><th scope=\"col\">p</th><th "
      "scope=\"col\">what changed</th><th scope=\"col\">matters</th><th scope=\"col\">most "
      "for</th></tr></thead><tbody>\n"
      "{}</tbody></table></div>{}",
      fmt::format("{} of {} moved", thousands(moved), counted(found.columns.size(), "column")),
      found.regression ? "predictions" : "probabilities", rows, rest);
}

std::string figure_row(const char* name, const std::string& home, const std::string& here) {
  return fmt::format("<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td><td class=\"number\">{}</td></tr>\n",
                     name, home, here);
}
std::string three(const Metric& metric) { return metric ? fmt::format("{:.3f}", *metric) : "–"; }
std::string four(const Metric& metric) { return metric ? fmt::format("{:.4g}", *metric) : "–"; }

// Returns what was measured, or what is expected without labels. Empty where neither is known.
std::string here_text(const std::optional<Evaluation>& measured, const Metric& value,
                      const std::optional<ExpectedMetric>& expected) {
  if (measured) return three(value);
  if (!expected) return "";
  return fmt::format("{:.3f} expected ({:.3f} to {:.3f})", expected->mid, expected->low, expected->high);
}

std::string figures_table(const Monitoring& found) {
  std::string rows =
      found.regression
          ? figure_row("mean disagreement", four(found.disagreement_home), four(found.disagreement_new))
          : figure_row("mean disagreement", three(found.disagreement_home), three(found.disagreement_new)) +
                figure_row("mean doubt", three(found.doubt_home), three(found.doubt_new));
  const Scores home = found.at_home.value_or(Scores());
  const Scores here = found.measured ? static_cast<const Scores&>(*found.measured) : Scores();
  if (found.regression) {
    if (found.measured) {
      rows += figure_row("R²", three(home.r2), three(here.r2)) + figure_row("RMSE", four(home.rmse), four(here.rmse));
    }
  } else {
    const auto add = [&](const char* name, const Metric& at_home, const std::string& text) {
      if (!text.empty()) rows += figure_row(name, three(at_home), text);
    };
    add("AUC", home.auc, here_text(found.measured, here.auc, found.auc));
    add("accuracy", home.accuracy, here_text(found.measured, here.accuracy, found.accuracy));
    add("log-loss", home.log_loss, here_text(found.measured, here.log_loss, found.log_loss));
  }
  return fmt::format(
      "<div><h3>Before and now</h3>\n"
      "<p>{}Disagreement is the standard deviation of the members' answers{}. Before, it was measured on validation "
      "rows.</p>\n"
      "<div class=\"table\"><table><thead><tr><th scope=\"col\">figure</th><th scope=\"col\" "
      "class=\"number\">before</th><th scope=\"col\" class=\"number\">new rows</th></tr></thead><tbody>\n"
      "{}</tbody></table></div></div>",
      found.at_home ? fmt::format("{} before: on {}. ", found.regression ? "R² and RMSE" : "AUC, accuracy and log-loss",
                                  found.rows_at_home())
                    : "",
      found.regression ? "" : ", doubt is 1 minus the largest probability", rows);
}

std::string look_list(const Monitoring& found) {
  if (found.verdict == Verdict::like || found.look.empty()) return "";
  std::string rows;
  for (const NotedRow& row : found.look) {
    rows += fmt::format("<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td><td class=\"words\">{}</td></tr>\n",
                        thousands(row.number), effect_text(row.disagreement, found.regression),
                        row.columns.empty() ? "nothing" : html_text(quote_all(row.columns)));
  }
  return fmt::format(
      "<div><h3>Rows to look at first</h3>\n"
      "<p>First those with the most values that training never had, then those that the members dispute most. The "
      "first row is 1.</p>\n"
      "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"Rows to look at first\"><table><thead><tr><th "
      "scope=\"col\">row</th><th scope=\"col\" class=\"number\">disagreement</th><th scope=\"col\">not seen in "
      "training</th></tr></thead><tbody>\n"
      "{}</tbody></table></div></div>",
      rows);
}

Chart drift_chart(const Monitoring& found) {
  std::vector<const MonitoredColumn*> columns;
  for (const MonitoredColumn& column : found.columns) columns.push_back(&column);
  std::ranges::stable_sort(columns, std::ranges::greater(), &MonitoredColumn::drift);
  columns.resize(std::min(columns.size(), kMostBars));
  Chart chart{
      .id = "moved",
      .data = {{"column", "drift", "p_value", "moved", "matters", "outside", "unseen", "missing", "change", "order"},
               {}},
      .full = true};
  double order = 0;
  for (const MonitoredColumn* column : columns) {
    chart.data.rows.push_back({column->name, column->drift, column->p_value,
                               std::string(column->p_value < found.alarm ? "moved" : "not seen to move"),
                               cell_of(column->matters), static_cast<double>(column->outside),
                               static_cast<double>(column->unseen), static_cast<double>(column->missing),
                               column->change, ++order});
  }
  chart.title = "How far each column moved";
  chart.reading = fmt::format(
      "Drift is 0 where a column is as it was in training, and 1 where no row lies where it lay. Full colour: the "
      "column moved (adjusted p below {:g}). CSV also has the cells that are outside the range, of unseen levels, or "
      "missing.{}",
      found.alarm,
      columns.size() < found.columns.size()
          ? fmt::format(" The {} columns of the largest drift, of {}.", columns.size(), thousands(found.columns.size()))
          : "");
  chart.alt = "Drift per column";
  for (std::size_t i = 0; i < std::min<std::size_t>(columns.size(), 3); ++i) {
    chart.alt += fmt::format("; {} {:.2f}", quote(columns[i]->name), columns[i]->drift);
  }
  chart.spec = fill_spec(
      R"spec({<start>,"height":<height>,
          "mark":{"type":"bar","style":"accent","height":12},
          "encoding":{"x":<x>,"y":<y>,"tooltip":[<tooltip>],
                      "opacity":{"condition":{"test":"datum.moved === 'moved'","value":1},"value":0.35}}})spec",
      {{"start", spec_start()},
       {"height", std::to_string(22 * columns.size())},
       {"x", quantity("drift", "drift", R"("scale":{"domain":[0,1]})")},
       {"y", R"spec({"field":"column","type":"nominal","title":null,"sort":{"field":"order","op":"min"},)spec"
             R"spec("axis":{"labelLimit":200}})spec"},
       {"tooltip", shown("column", "column") + "," + shown("drift", "drift", ".2f") + "," +
                       shown("p_value", "adjusted p", ".2g") + "," + shown("moved", "verdict") + "," +
                       shown("change", "change")}});
  return chart;
}

}  // namespace

Section monitor_section(const Monitoring& found, const std::vector<std::string>& views) {
  Section section{.id = "moved-rows",
                  .name = "What moved",
                  .heading = "What moved, and how much it matters",
                  .text = {},
                  .blocks = {}};
  section.blocks = {Markup{moved_table(found, views) + "<div class=\"grid\">\n" + figures_table(found) +
                           look_list(found) + "</div>"}};
  if (!found.columns.empty()) {
    section.folded_name = "The drift of every column";
    section.folded = {drift_chart(found)};
  }
  return section;
}

std::string moved_headline(const Monitoring& found) {
  switch (found.verdict) {
    case Verdict::far:
      return "The new rows are far from those of the training";
    case Verdict::moved:
      return "The new rows have moved";
    case Verdict::like:
      break;
  }
  const bool beyond = found.unseen_rows + found.outside_rows > 0;
  return beyond ? "No test shows that the new rows have moved, but some have values that training never saw"
                : "The new rows are like those of the training";
}

namespace {

std::string merit_now(const Monitoring& found) {
  return fmt::format("{} is {:.3f} on the new rows, and was {:.3f} on {}.", found.regression ? "R²" : "AUC",
                     *found.measured->merit(), *found.at_home->merit(), found.rows_at_home());
}

std::string trust_words(const Monitoring& found) {
  if (found.measured && found.at_home && found.measured->merit() && found.at_home->merit()) {
    const double guess = found.regression ? 0 : 0.5;
    const char* verdict = *found.measured->merit() <= guess ? "No, they are no better than a guess. "
                          : found.is_worse()                ? "Less than before. "
                          : found.cannot_compare() ? "Not known: the figure before is of rows that moved, too. "
                                                   : "As before. ";
    return verdict + merit_now(found);
  }
  std::string text = found.verdict == Verdict::like    ? "As before."
                     : found.verdict == Verdict::moved ? "Not without a look."
                                                       : "Not before some rows have labels.";
  if (!found.accuracy)
    return text + (found.verdict == Verdict::like ? "" : " The rows have no labels to measure it by.");
  text += fmt::format(" Without labels, an accuracy of {:.2f} is expected ({:.2f} to {:.2f})", found.accuracy->mid,
                      found.accuracy->low, found.accuracy->high);
  return text + (found.at_home && found.at_home->accuracy
                     ? fmt::format("; it was {:.2f} on {}.", *found.at_home->accuracy, found.rows_at_home())
                     : ".");
}

}  // namespace

std::vector<TopAnswer> moved_answers(const Monitoring& found) {
  return {{.question = "What moved?", .text = found.summary + beyond_words(found)},
          {.question = "Can the answers be trusted?", .text = trust_words(found)},
          {.question = "What to do next?", .text = found.advice, .commands = found.next}};
}

}  // namespace perpend
