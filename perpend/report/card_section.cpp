#include "perpend/report/card_section.h"

#include <fmt/format.h>

#include "perpend/base/message.h"
#include "perpend/report/escape.h"

namespace perpend {

namespace {

std::string row_html(const std::vector<std::string>& cells, const char* tag, const char* scope) {
  std::string html = "<tr>";
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const bool head = k == 0 || std::string_view(tag) == "th";
    html += head ? fmt::format("<th scope=\"{}\">{}</th>", scope, html_text(cells[k]))
                 : fmt::format("<td>{}</td>", html_text(cells[k]));
  }
  return html + "</tr>\n";
}

std::string table_html(const std::vector<std::vector<std::string>>& table) {
  std::string html = "<div class=\"table\"><table><thead>" + row_html(table[0], "th", "col") + "</thead><tbody>\n";
  for (std::size_t r = 1; r < table.size(); ++r) html += row_html(table[r], "td", "row");
  return html + "</tbody></table></div>\n";
}

}  // namespace

std::string card_html(const ModelCard& card) {
  std::string html;
  for (const CardSection& section : card) {
    html += "<h3>" + html_text(section.heading) + "</h3>\n";
    for (const std::string& sentence : section.sentences) html += "<p>" + html_text(printable(sentence)) + "</p>\n";
    if (!section.table.empty()) html += table_html(section.table);
    for (const std::string& command : section.commands) html += "<p><code>" + html_text(command) + "</code></p>\n";
  }
  return "<details class=\"card\"><summary>The model card</summary>\n" + html + "</details>";
}

}  // namespace perpend
