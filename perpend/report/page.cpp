#include "perpend/report/page.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/base/sha256.h"
#include "perpend/report/assets.h"
#include "perpend/report/escape.h"

namespace perpend {

namespace {

using Json = nlohmann::ordered_json;

std::string paragraphs(const std::vector<std::string>& texts, const char* name) {
  std::string html;
  for (const auto& text : texts) {
    html += *name == '\0' ? fmt::format("<p>{}</p>\n", html_text(text))
                          : fmt::format("<p class=\"{}\">{}</p>\n", name, html_text(text));
  }
  return html;
}

std::string answers_html(const std::vector<TopAnswer>& answers) {
  if (answers.empty()) return "";
  std::string html = "<dl class=\"answers\">\n";
  for (const auto& answer : answers) {
    std::string lines;
    for (const auto& command : answer.commands) lines += (lines.empty() ? "" : "\n") + html_text(command);
    html += fmt::format("<div><dt>{}</dt><dd>{}{}</dd></div>\n", html_text(answer.question), html_text(answer.text),
                        lines.empty() ? "" : "<pre tabindex=\"0\"><code>" + lines + "</code></pre>");
  }
  return html + "</dl>\n";
}

std::string top_html(const Page& page) {
  std::string html = fmt::format("<p class=\"kicker\">{}</p>\n<h1>{}</h1>\n{}{}", html_text(page.kicker),
                                 html_text(page.headline), answers_html(page.answers), paragraphs(page.lede, "lede"));
  if (page.facts.empty()) return html;
  html += "<dl class=\"facts\">\n";
  for (const auto& fact : page.facts) {
    html += fmt::format("<div><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n", html_text(fact.name),
                        html_text(fact.value), html_text(fact.remark));
  }
  return html + "</dl>";
}

std::string caption_html(const std::string& title, const std::string& reading) {
  return fmt::format("<h3>{}</h3>\n<p>{}</p>\n", html_text(title), html_text(reading));
}

std::string block_html(const Chart& chart) {
  std::string buttons;
  for (const auto& [kind, shown] : {std::pair("csv", "CSV"), std::pair("svg", "SVG"), std::pair("png", "PNG")}) {
    buttons += fmt::format("<button type=\"button\" data-save=\"{}\" aria-label=\"Save {} as {}\">{}</button>", kind,
                           kind[0] == 'c' ? "the data" : "the picture", shown, shown);
  }
  return fmt::format(
      "<figure id=\"{}\"{}>\n{}<div class=\"plot\" role=\"img\" aria-label=\"{}\"></div>\n<div class=\"tools\">"
      "<details><summary>Table of the data</summary><div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"Data of {}\"><table></table></div></details>{}</div>\n</figure>\n",
      html_text(chart.id), chart.full ? " class=\"full\"" : "", caption_html(chart.title, chart.reading),
      html_text(chart.alt), html_text(chart.title), buttons);
}

// The drawing is an image, so its style affects only itself, and nothing in it can run.
std::string block_html(const Drawing& drawing) {
  return fmt::format(
      "<figure id=\"{}\" class=\"full drawn\">\n{}<div class=\"drawing\" tabindex=\"0\"><img alt=\"{}\" "
      "src=\"data:image/svg+xml;base64,{}\"></div>\n</figure>\n",
      html_text(drawing.id), caption_html(drawing.title, drawing.reading), html_text(drawing.alt), base64(drawing.svg));
}

std::string block_html(const Markup& markup) { return "<div class=\"full\">" + markup.html + "</div>\n"; }

std::string grid_html(const std::vector<Block>& blocks) {
  if (blocks.empty()) return "";
  std::string html = "<div class=\"grid\">\n";
  for (const auto& block : blocks) {
    html += std::visit([](const auto& any) { return block_html(any); }, block);
  }
  return html + "</div>\n";
}

std::string section_html(const Section& section) {
  std::string html = fmt::format("<section id=\"{}\"><div class=\"wide\">\n<h2>{}</h2>\n{}{}", html_text(section.id),
                                 html_text(section.heading), paragraphs(section.text, ""), grid_html(section.blocks));
  if (!section.folded.empty()) {
    html += fmt::format("<details class=\"fold\"><summary>{}</summary>\n{}</details>\n", html_text(section.folded_name),
                        grid_html(section.folded));
  }
  if (!section.conclusion.empty()) {
    html += fmt::format("<div class=\"note\"><p><b>What to do.</b> {}</p></div>\n", html_text(section.conclusion));
  }
  return html + "</div></section>\n";
}

Json cell_json(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) return *number;
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  return nullptr;
}

Json chart_json(const Chart& chart) {
  if (!chart.data_of.empty()) return {{"id", chart.id}, {"spec", Json::parse(chart.spec)}, {"data_of", chart.data_of}};
  Json rows = Json::array();
  for (const auto& row : chart.data.rows) {
    Json cells = Json::array();
    for (const auto& cell : row) cells.push_back(cell_json(cell));
    rows.push_back(std::move(cells));
  }
  return {{"id", chart.id}, {"spec", Json::parse(chart.spec)}, {"columns", chart.data.columns}, {"rows", rows}};
}

// Writes out hidden characters in every string, because the script draws strings into the page. Data and specifications
// change alike, so they still name the same things.
void write_out_hidden(Json& json) {
  if (json.is_string()) json = printable_lines(json.get_ref<const std::string&>());
  if (!json.is_structured()) return;
  for (auto& inner : json) write_out_hidden(inner);
}

std::string charts_json(const Page& page) {
  Json charts = Json::array();
  for (const auto& section : page.sections) {
    for (const Chart* chart : section.charts()) charts.push_back(chart_json(*chart));
  }
  write_out_hidden(charts);
  return json_for_script(charts.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string contents_html(const Page& page) {
  std::string html;
  for (const auto& section : page.sections) {
    if (section.name.empty()) continue;
    html += fmt::format("<a href=\"#{}\">{}</a>", html_text(section.id), html_text(section.name));
  }
  return html;
}

// Returns the hash as a Content-Security-Policy names it.
std::string policy_hash(std::string_view text) {
  const std::string hex = sha256_hex(text);
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return base64(bytes);
}

// Fills slots in one pass, so that what fills a slot is not searched for slots.
std::string filled(std::string_view page, const std::map<std::string, std::string, std::less<>>& slots) {
  std::string html;
  for (std::size_t at = 0;;) {
    const std::size_t open = page.find("{{", at);
    html += page.substr(at, open - at);
    if (open == page.npos) return html;
    const std::size_t close = page.find("}}", open);
    html += slots.at(std::string(page.substr(open + 2, close - open - 2)));
    at = close + 2;
  }
}

}  // namespace

std::vector<const Chart*> Section::charts() const {
  std::vector<const Chart*> found;
  for (const auto* list : {&blocks, &folded}) {
    for (const auto& block : *list) {
      if (const auto* chart = std::get_if<Chart>(&block)) found.push_back(chart);
    }
  }
  return found;
}

std::string page_html(const Page& page) {
  const Assets assets = page_assets();
  if (assets.page.empty()) {
    throw ConfigError(
        "this perpend was built without its report page; install nodejs and npm (Debian: apt install nodejs npm) and "
        "build again");
  }
  std::string sections;
  for (const auto& section : page.sections) sections += section_html(section);
  return filled(assets.page, {{"script_hash", policy_hash(assets.script)},
                              {"style_hash", policy_hash(assets.style)},
                              {"title", html_text(page.title)},
                              {"style", std::string(assets.style)},
                              {"contents", contents_html(page)},
                              {"top", top_html(page)},
                              {"sections", sections},
                              {"footer", paragraphs(page.footer, "")},
                              {"charts", charts_json(page)},
                              {"script", std::string(assets.script)}});
}

}  // namespace perpend
