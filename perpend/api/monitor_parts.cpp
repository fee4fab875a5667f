#include "perpend/api/monitor_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "perpend/api/monitor.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/base/option_mention.h"
#include "perpend/data/need_column.h"

namespace perpend {

namespace {

constexpr std::size_t kMostWindows = 1000;

std::string p_text(double p) { return p < 0.0001 ? "p < 0.0001" : fmt::format("p {:.2g}", p); }

// "'chol', 'ca' and 3 more"
std::string first_columns(const Monitoring& found, std::size_t moved) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(moved, kNamed); ++i) names.push_back(quote(found.columns[i].name));
  if (moved > kNamed) names.push_back(counted(moved - kNamed, "more column"));
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 < names.size() ? ", " : " and ") + names[i];
  }
  return text;
}

const MonitoredColumn* most_effective(const Monitoring& found) {
  const MonitoredColumn* most = nullptr;
  for (const auto& column : found.columns) {
    if (column.matters && (most == nullptr || *column.matters > *most->matters)) most = &column;
  }
  return most;
}

}  // namespace

std::string summary_of(const Monitoring& found, double far_share) {
  if (found.verdict == Verdict::like) {
    return fmt::format("No test shows that these {} differ from those that the model was made with ({} for all tests).",
                       counted(found.rows, "row"), p_text(found.p_value));
  }
  const std::size_t moved = found.moved_columns();
  std::string text = fmt::format(
      "These {} differ from those that the model was made with ({}: the probability of such a difference between like "
      "rows). ",
      counted(found.rows, "row"), p_text(found.p_value));
  if (moved == 0) {
    text += found.joint_p_value <= found.answers_p_value
                ? "No single column moved, but the columns are related to one another in another way."
                : fmt::format(
                      "No single column moved, but the answers did: the members' disagreement is {:.3g}, and it "
                      "was {:.3g} before.",
                      found.disagreement_new, found.disagreement_home);
  } else {
    text += fmt::format("{} of {} moved: {}.", thousands(moved), counted(found.columns.size(), "column"),
                        first_columns(found, moved));
  }
  if (const MonitoredColumn* most = most_effective(found)) {
    text += found.regression
                ? fmt::format(" The move of {} changes the predictions most, by {:.3g} on average.", quote(most->name),
                              *most->matters)
                : fmt::format(" The move of {} changes the answers most: probabilities by {:.3f} on average.",
                              quote(most->name), *most->matters);
  }
  if (found.verdict == Verdict::far) {
    text += fmt::format(
        " {:.0f} % of the rows have a level that training never saw or a number outside its range, so what was "
        "measured before says little about them.",
        100 * far_share);
  }
  return text;
}

namespace {

// "The value 0 became at least 32 times as frequent in 'chol': 100 % of the cells. It may stand for missing: ..."
std::string gaps_text(const Monitoring& found) {
  constexpr std::size_t kMostGaps = 3;
  std::string text;
  std::size_t gaps = 0;
  for (const MonitoredColumn& column : found.columns) {
    if (!column.gap || ++gaps > kMostGaps) continue;
    const PossibleGap& gap = *column.gap;
    const std::string became = gap.home_most > 0
                                   ? fmt::format("became at least {:.0f} times as frequent", gap.share / gap.home_most)
                                   : "is new";
    text += fmt::format("The value {} {} in {}: {:.0f} % of the cells. ", gap.value, became, quote(column.name),
                        100 * gap.share);
  }
  if (gaps == 0) return "";
  if (gaps > kMostGaps) text += fmt::format("The same holds of {}. ", counted(gaps - kMostGaps, "more column"));
  return text + (gaps == 1 ? "It may stand for missing; if so, leave those cells empty and look again. "
                           : "They may stand for missing; if so, leave those cells empty and look again. ");
}

// Returns the first window that moved by more than many looks explain: each window counts as one test (Bonferroni).
const MonitoredWindow* first_moved(const Monitoring& found) {
  const double alarm = found.alarm / static_cast<double>(found.windows.size());
  const auto at = std::ranges::find_if(found.windows, [&](const auto& window) { return window.p_value < alarm; });
  return at == found.windows.end() ? nullptr : &*at;
}

std::string next_step(const Monitoring& found) {
  if (found.measured && found.at_home && found.measured->merit() && found.at_home->merit()) {
    const char* name = found.regression ? "R²" : "AUC";
    const std::string figures = fmt::format("{} is {:.3f} on these rows, and was {:.3f} on {}", name,
                                            *found.measured->merit(), *found.at_home->merit(), found.rows_at_home());
    const char* adapt = ": adapt the model to these labels, or train it again with these rows.";
    if (found.is_worse()) return figures + adapt;
    if (!found.cannot_compare()) return figures + ": keep the model.";
    return figures +
           ". Those rows are not like the training rows either, so this does not say what the move cost. Adapt the "
           "model to these labels, and measure on other rows whether it is better.";
  }
  switch (found.verdict) {
    case Verdict::like:
      if (const MonitoredWindow* window = first_moved(found)) {
        return fmt::format(
            "All rows together are like those at home, but {} moved. Look at the windows from there on, and label a "
            "few of their rows; ask chooses them.",
            quote(window->name));
      }
      return "Keep the model.";
    case Verdict::moved:
      return "Label a few of these rows (ask chooses them), and adapt the model to them. Measure on other rows whether "
             "it is better.";
    case Verdict::far:
      break;
  }
  return "Do not rely on the answers until some of these rows have labels. ask chooses the rows, and adapt uses their "
         "labels.";
}

}  // namespace

std::vector<std::string> next_commands(const Monitoring& found, const std::string& model, const std::string& data,
                                       bool is_target) {
  const std::string name = shell_word(model), rows = shell_word(data);
  if (data == "-") return {};
  if (found.measured) {
    if (!is_target || !(found.is_worse() || found.cannot_compare())) return {};
    return {fmt::format("perpend adapt {} {} -o adapted.safetensors", name, rows)};
  }
  if (found.verdict == Verdict::like) return {};
  return {fmt::format("perpend ask {} {} -n 32 -o rows.csv", name, rows), "# write the labels into its last column",
          fmt::format("perpend adapt {} rows.csv -o adapted.safetensors", name)};
}

std::vector<std::string> next_calls(const Monitoring& found) {
  if (found.measured) {
    const bool adapts = found.is_worse() || found.cannot_compare();
    return adapts ? std::vector<std::string>{"adapted = model.adapt(X_new, y_new)"} : std::vector<std::string>();
  }
  if (found.verdict == Verdict::like) return {};
  return {"rows = model.ask(X_new, 32)", "adapted = model.adapt(X_new.iloc[rows], labels_of_rows)"};
}

std::string advice_of(const Monitoring& found) { return gaps_text(found) + next_step(found); }

std::vector<std::pair<std::string, std::vector<std::size_t>>> windows_of(const Table& table,
                                                                         const std::string& window) {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> windows;
  const bool is_count = !window.empty() && window.size() < 10 && window.find_first_not_of("0123456789") == window.npos;
  if (is_count) {
    const std::size_t rows = std::stoul(window);
    if (rows == 0) throw ConfigError(option_mention("window") + " is 0; give a number of rows, or a column");
    for (std::size_t first = 0; first < table.rows; first += rows) {
      const std::size_t last = std::min(first + rows, table.rows);
      auto& added = windows.emplace_back(fmt::format("rows {}-{}", first + 1, last), std::vector<std::size_t>());
      for (std::size_t r = first; r < last; ++r) added.second.push_back(r);
    }
  } else {
    const Column& column = need_column(table, window, " to cut windows by");
    std::map<std::string, std::size_t> known;
    for (std::size_t r = 0; r < table.rows; ++r) {
      const std::string name = column.text(r);
      const auto [at, is_new] = known.emplace(name, windows.size());
      if (is_new) windows.emplace_back(name.empty() ? "(missing)" : name, std::vector<std::size_t>());
      windows[at->second].second.push_back(r);
    }
  }
  if (windows.size() > kMostWindows) {
    throw ConfigError(option_mention("window") + " makes " + thousands(windows.size()) + " windows; at most " +
                      thousands(kMostWindows) + " are shown");
  }
  return windows;
}

}  // namespace perpend
