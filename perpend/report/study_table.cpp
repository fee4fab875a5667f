// The tables of a study's page: HTML with html_text around every string.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "perpend/base/message.h"
#include "perpend/report/escape.h"
#include "perpend/report/study_charts.h"
#include "perpend/report/study_page.h"

namespace perpend {

namespace {

std::string head_cell(const std::string& text, bool number = true) {
  return fmt::format("<th scope=\"col\"{}>{}</th>", number ? " class=\"number\"" : "", html_text(text));
}
std::string cell(const std::string& text, bool number = true) {
  return fmt::format("<td{}>{}</td>", number ? " class=\"number\"" : "", html_text(text));
}

// A table may be wider than a phone. Then it scrolls, by keyboard too.
Markup table_of(const std::string& label, const std::string& head, const std::string& rows,
                const std::string& notes = "") {
  return {fmt::format(
      "<div class=\"table dense\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table><thead><tr>{}</tr></thead>"
      "<tbody>\n{}</tbody></table></div>{}",
      html_text(label), head, rows, notes)};
}

// A rounded zero has no sign.
std::string rounded(double value, int digits) {
  return fmt::format("{:.{}f}", std::abs(value) < std::pow(10.0, -digits) / 2 ? 0.0 : value, digits);
}
std::string text_of(const Metric& metric, int digits) { return metric ? rounded(*metric, digits) : "–"; }

std::string with_sd(const Spread& spread, int digits) {
  if (!spread.mean) return "–";
  return rounded(*spread.mean, digits) + (spread.sd ? " ± " + rounded(*spread.sd, digits) : "");
}

std::string printed_text(const StudyFigure& figure) {
  if (figure.printed_mean.empty()) return "–";
  return figure.printed_mean + (figure.printed_sd.empty() ? "" : " ± " + figure.printed_sd) +
         (figure.differs ? " ≠" : "");
}

std::string lambda_text(const std::optional<double>& lambda) { return lambda ? fmt::format("{:.3g}", *lambda) : "–"; }

bool beside_printed(const StudyView& view) {
  return std::ranges::any_of(view.entries, [](const StudyEntry& entry) { return !entry.auc.printed_mean.empty(); });
}

std::string entry_row(const StudyView& view, const StudyEntry& entry, bool first, bool printed) {
  const std::string auc = html_text(with_sd(entry.auc.ours, 3));
  std::string row = fmt::format("<tr{}>", first ? " class=\"first\"" : "");
  row += fmt::format("<th scope=\"row\">{}</th>", first ? html_text(view.places[entry.place].dataset) : "");
  row += cell(view.methods[entry.method], false);
  row += fmt::format("<td class=\"number\">{}</td>", entry.best ? "<b>" + auc + "</b>" : auc);
  if (printed) row += cell(printed_text(entry.auc));
  row += cell(with_sd(entry.rho_av.ours, 2));
  if (printed) row += cell(printed_text(entry.rho_av));
  row += cell(with_sd(entry.grad_cos2.ours, 2));
  if (printed) row += cell(printed_text(entry.grad_cos2));
  row += cell(entry.members > 0 ? std::to_string(entry.members) : "–") + cell(lambda_text(entry.lambda));
  return row + cell(fmt::format("{}/{}", entry.restarts, view.restarts)) + "</tr>\n";
}

}  // namespace

Markup results_table(const StudyView& view, const std::string& split) {
  const bool printed = beside_printed(view);
  const std::string beside = printed ? head_cell(view.printed_name) : "";
  const std::string head = head_cell("data set", false) + head_cell("method", false) + head_cell("AUC") + beside +
                           head_cell("error correlation") + beside + head_cell("gradients' cos²") + beside +
                           head_cell("networks") + head_cell("lambda") + head_cell("restarts");
  std::string rows;
  const StudyEntry* before = nullptr;
  for (const auto& entry : view.entries) {
    if (view.places[entry.place].split != split) continue;
    rows += entry_row(view, entry, before == nullptr || before->place != entry.place, printed);
    before = &entry;
  }
  Markup table = table_of("Results on the " + split + " split", head, rows);
  table.html = fmt::format("<h3>{} split</h3>\n{}", html_text(split), table.html);
  return table;
}

Markup best_table(const StudyView& view) {
  const std::string head = head_cell("data set", false) + head_cell("split", false) + head_cell("method", false) +
                           head_cell("networks") + head_cell("lambda") + head_cell("restart") +
                           head_cell("validation AUC") + head_cell("test AUC") + head_cell("error correlation") +
                           head_cell("gradients' cos²");
  std::string rows;
  for (const auto& best : view.best) {
    const StudyPlace& place = view.places[best.place];
    rows += fmt::format("<tr><th scope=\"row\">{}</th>", html_text(place.dataset)) + cell(place.split, false) +
            cell(view.methods[best.method], false) + cell(std::to_string(best.members)) +
            cell(lambda_text(best.lambda)) + cell(std::to_string(best.restart)) +
            cell(text_of(best.validation_auc, 3)) + cell(text_of(best.auc, 3)) + cell(text_of(best.rho_av, 2)) +
            cell(text_of(best.grad_cos2, 2)) + "</tr>\n";
  }
  return table_of("Best trials", head, rows);
}

Markup missing_table(const StudyView& view) {
  std::string rows;
  for (const auto& place : view.places) {
    if (place.in == place.trials) continue;
    rows += fmt::format("<tr><th scope=\"row\">{}</th>", html_text(place.dataset)) + cell(place.split, false) +
            cell(thousands(place.in)) + cell(thousands(place.trials)) + cell(thousands(place.trials - place.in)) +
            "</tr>\n";
  }
  return table_of("What is missing",
                  head_cell("data set", false) + head_cell("split", false) + head_cell("trials in") + head_cell("of") +
                      head_cell("left"),
                  rows);
}

Markup process_table(const StudyView& view) {
  constexpr std::size_t kMost = 20;
  std::vector<StudyTime> processes = view.processes_time;
  std::ranges::stable_sort(processes, std::greater<>(), &StudyTime::seconds);
  std::string rows;
  for (std::size_t i = 0; i < std::min(kMost, processes.size()); ++i) {
    rows += fmt::format("<tr><th scope=\"row\">{}</th>", html_text(processes[i].who)) +
            cell(thousands(processes[i].trials)) + cell(duration_text(processes[i].seconds)) + "</tr>\n";
  }
  Markup table =
      table_of("Time by process",
               head_cell("process (name of its results file)", false) + head_cell("trials") + head_cell("time"), rows);
  table.html = fmt::format(
      "<h3>By whom: {}</h3>\n{}{}", processes.size() == 1 ? "one process" : thousands(processes.size()) + " processes",
      table.html,
      processes.size() > kMost ? fmt::format("<p>The {} busiest of {}.</p>", kMost, thousands(processes.size())) : "");
  return table;
}

Markup settings_table(const StudyView& view) {
  std::string rows;
  for (const auto& setting : view.settings) {
    rows +=
        fmt::format("<tr><th scope=\"row\">{}</th>", html_text(setting.name)) + cell(setting.value, false) + "</tr>\n";
  }
  const Markup table = table_of("Settings", head_cell("setting", false) + head_cell("value", false), rows);
  return {"<details><summary>Options that all trials share</summary>\n" + table.html + "</details>"};
}

}  // namespace perpend
