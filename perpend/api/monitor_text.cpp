// What monitor found, as lines for a terminal and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "perpend/api/monitor.h"
#include "perpend/base/message.h"
#include "perpend/records/json.h"

namespace perpend {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kShownColumns = 10;

std::string cut(const std::string& text, std::size_t most) {
  return text.size() <= most ? text : text.substr(0, most - 3) + "...";
}

std::string columns_table(const Monitoring& found) {
  const std::size_t moved = found.moved_columns();
  if (moved == 0) return "";
  const bool numbers = found.regression;
  std::string text = fmt::format("\n{:<20} {:>6} {:>9} {:>9}   {}\n", "column", "drift", "p", "matters", "change");
  for (std::size_t i = 0; i < std::min(moved, kShownColumns); ++i) {
    const MonitoredColumn& column = found.columns[i];
    const std::string p = column.p_value < 0.0001 ? "< 0.0001" : fmt::format("{:.4f}", column.p_value);
    const std::string matters = !column.matters ? ""
                                : numbers       ? fmt::format("{:.3g}", *column.matters)
                                                : fmt::format("{:.3f}", *column.matters);
    text += fmt::format("{:<20} {:>6.2f} {:>9} {:>9}   {}\n", cut(printable(column.name), 20), column.drift, p, matters,
                        column.change);
  }
  if (moved > kShownColumns) text += fmt::format("and {}\n", counted(moved - kShownColumns, "more column"));
  return text;
}

std::string expected_line(const char* name, const std::optional<ExpectedMetric>& expected) {
  if (!expected) return "";
  return fmt::format("  {} {:.3f} ({:.3f} to {:.3f})", name, expected->mid, expected->low, expected->high);
}

std::string figures(const Monitoring& found) {
  const auto line = [](const std::string& name, double home, double here) {
    return fmt::format("{:<20} {:>8.3f} before {:>8.3f} here\n", name, home, here);
  };
  std::string text = "\n" + line("disagreement", found.disagreement_home, found.disagreement_new);
  if (!found.regression) text += line("doubt", found.doubt_home, found.doubt_new);
  const std::string expected = expected_line("accuracy", found.accuracy) + expected_line("AUC", found.auc) +
                               expected_line("log-loss", found.log_loss);
  if (!expected.empty()) text += fmt::format("{:<19}{}\n", "expected here", expected);
  if (found.measured && found.at_home) {
    const auto pair = [&](const char* name, const Metric& home, const Metric& here) {
      return home && here ? line(name, *home, *here) : std::string();
    };
    const Scores &home = *found.at_home, &here = *found.measured;
    text += pair("AUC", home.auc, here.auc) + pair("accuracy", home.accuracy, here.accuracy) +
            pair("log-loss", home.log_loss, here.log_loss) + pair("RMSE", home.rmse, here.rmse) +
            pair("R²", home.r2, here.r2);
    text += fmt::format("{} before: on {}\n", found.regression ? "RMSE and R²" : "AUC, accuracy and log-loss",
                        found.rows_at_home());
  }
  return text;
}

std::string look_lines(const Monitoring& found) {
  if (found.verdict == Verdict::like || found.look.empty()) return "";
  std::string text = "\nrows to look at\n";
  for (const NotedRow& row : found.look) {
    text += fmt::format("  {:<24} disagreement {:.3g}", row.place, row.disagreement);
    if (!row.columns.empty()) text += ", not seen in training: " + quote_all(row.columns);
    text += "\n";
  }
  return text;
}

std::string window_lines(const Monitoring& found) {
  if (found.windows.empty()) return "";
  const bool measured = std::ranges::any_of(found.windows, [](const auto& w) { return w.accuracy.has_value(); });
  std::string text = fmt::format("\n{:<20} {:>8} {:>9} {:>13}{}\n", "window", "rows", "p", "disagreement",
                                 !measured          ? ""
                                 : found.regression ? "        R²"
                                                    : "  accuracy");
  for (const MonitoredWindow& window : found.windows) {
    text += fmt::format("{:<20} {:>8} {:>9.2g} {:>13.3f}", cut(printable(window.name), 20), thousands(window.rows),
                        window.p_value, window.disagreement);
    if (window.accuracy) text += fmt::format(" {:>9.3f}", *window.accuracy);
    text += window.p_value < found.alarm ? "   moved\n" : "\n";
  }
  for (const ChangePoint& change : found.changes) {
    text += fmt::format("From row {} on, the {} is {}: {:.3f} instead of {:.3f}.\n", thousands(change.row),
                        change.measure, change.after > change.before ? "higher" : "lower", change.after, change.before);
  }
  if (found.changes.empty()) text += "Nothing changes along the rows.\n";
  return text;
}

std::string next_lines(const Monitoring& found) {
  std::string text;
  for (const std::string& line : found.next) text += (text.empty() ? "\n  " : "  ") + line + "\n";
  return text;
}

Json expected_json(const std::optional<ExpectedMetric>& expected) {
  return expected ? Json{expected->low, expected->mid, expected->high} : Json(nullptr);
}

// The figures that `measured` is compared with, and which rows they are of.
Json home_json(const Monitoring& found) {
  if (!found.at_home) return nullptr;
  const Scores& home = *found.at_home;
  const auto number = [](const Metric& metric) { return metric ? Json(*metric) : Json(nullptr); };
  Json json = {{"part", found.home_part}, {"rows", found.home_rows}};
  if (found.regression) {
    json.update({{"rmse", number(home.rmse)}, {"r2", number(home.r2)}});
  } else {
    json.update({{"auc", number(home.auc)}, {"accuracy", number(home.accuracy)}, {"log_loss", number(home.log_loss)}});
  }
  return json;
}

Json gap_json(const std::optional<PossibleGap>& gap) {
  if (!gap) return nullptr;
  return {{"value", gap->value}, {"share", gap->share}, {"home_at_most", gap->home_most}};
}

Json columns_json(const Monitoring& found) {
  Json columns = Json::array();
  for (const MonitoredColumn& column : found.columns) {
    columns.push_back({{"name", column.name},
                       {"drift", column.drift},
                       {"p_value", column.p_value},
                       {"outside", column.outside},
                       {"unseen", column.unseen},
                       {"missing", column.missing},
                       {"matters", column.matters ? Json(*column.matters) : Json(nullptr)},
                       {"members", column.members},
                       {"change", column.change},
                       {"gap", gap_json(column.gap)}});
  }
  return columns;
}

Json look_json(const Monitoring& found) {
  Json rows = Json::array();
  for (const NotedRow& row : found.look) {
    rows.push_back(
        {{"row", row.number}, {"place", row.place}, {"disagreement", row.disagreement}, {"columns", row.columns}});
  }
  return rows;
}

Json windows_json(const Monitoring& found) {
  Json windows = Json::array();
  for (const MonitoredWindow& w : found.windows) {
    windows.push_back({{"name", w.name},
                       {"first", w.first},
                       {"rows", w.rows},
                       {"p_value", w.p_value},
                       {"disagreement", w.disagreement},
                       {found.regression ? "r2" : "accuracy", w.accuracy ? Json(*w.accuracy) : Json(nullptr)}});
  }
  return windows;
}

Json changes_json(const Monitoring& found) {
  Json changes = Json::array();
  for (const ChangePoint& c : found.changes) {
    changes.push_back({{"row", c.row}, {"measure", c.measure}, {"before", c.before}, {"after", c.after}});
  }
  return changes;
}

}  // namespace

std::string text_of(const Monitoring& found) {
  return fmt::format("{:<20} {}\n{}\n", "verdict", word_of(found.verdict), found.summary) + columns_table(found) +
         figures(found) + look_lines(found) + window_lines(found) + "\n" + found.advice + "\n" + next_lines(found);
}

std::string to_json(const Monitoring& found) {
  return Json{{"rows", found.rows},
              {"verdict", word_of(found.verdict)},
              {"p_value", found.p_value},
              {"joint_p_value", found.joint_p_value},
              {"answers_p_value", found.answers_p_value},
              {"alarm", found.alarm},
              {"summary", found.summary},
              {"columns", columns_json(found)},
              {"unseen_rows", found.unseen_rows},
              {"outside_rows", found.outside_rows},
              {"missing_cells", found.missing_cells},
              {"disagreement", {{"home", found.disagreement_home}, {"new", found.disagreement_new}}},
              {"doubt", found.regression ? Json(nullptr) : Json{{"home", found.doubt_home}, {"new", found.doubt_new}}},
              {"expected",
               {{"accuracy", expected_json(found.accuracy)},
                {"auc", expected_json(found.auc)},
                {"log_loss", expected_json(found.log_loss)}}},
              {"measured", found.measured ? Json::parse(to_json(*found.measured)) : Json(nullptr)},
              {"before", home_json(found)},
              {"look", look_json(found)},
              {"windows", windows_json(found)},
              {"changes", changes_json(found)},
              {"advice", found.advice}}
      .dump();
}

}  // namespace perpend
