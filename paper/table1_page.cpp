#include "paper/table1_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "paper/correlations.h"
#include "paper/printed.h"
#include "perpend/base/message.h"
#include "perpend/report/study_charts.h"
#include "perpend/study/view_study.h"

namespace perpend::paper {

namespace {

constexpr std::string_view kMetricTitles[] = {"AUC", "error correlation", "gradients' cos²"};

std::string upper_first(std::string text) {
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string with_sd(const std::string& mean, const std::string& sd) {
  if (mean.empty()) return "-";
  return sd.empty() ? mean : mean + " ± " + sd;
}

std::string figure_text(const Metric& value, int digits) {
  if (!value) return "";
  // A zero has no sign.
  return fmt::format("{:.{}f}", std::abs(*value) < 0.5 * std::pow(10.0, -digits) ? 0.0 : *value, digits);
}

bool can_agree(const TableFigure& figure) { return figure.ours.mean && figure.printed.mean(); }

std::string cell_text(const TableFigure& figure) {
  const int digits = figure.metric == "auc" ? 3 : 2;
  const std::string ours = with_sd(figure_text(figure.ours.mean, digits), figure_text(figure.ours.sd, digits));
  const std::string printed = with_sd(std::string(figure.printed.mean_text), std::string(figure.printed.sd_text));
  const char* agrees = "-";
  if (can_agree(figure)) agrees = within_printed_sd(figure.ours, figure.printed) ? "yes" : "no";
  return fmt::format(" {} | {} | {} |", ours, printed, agrees);
}

// "Data sets: 5. Splits: 2. ..."
std::string study_line(const Study& study) {
  std::string members;
  for (const int size : study.grid.members) members += (members.empty() ? "" : ", ") + std::to_string(size);
  return fmt::format("The grid: {}, {}, {}, ensembles of {} networks, {}, {}, {} row visits of each network.\n",
                     counted(study.datasets.size(), "data set"), counted(study.splits.size(), "split"),
                     counted(study.methods.size(), "method"), members,
                     counted(lambdas_of(study.grid, Method::lit).size(), "lambda"),
                     counted(static_cast<std::size_t>(study.restarts), "restart"),
                     thousands(static_cast<std::size_t>(study.row_visits.value_or(0))));
}

std::string table_text(const StudyTable& table, SplitKind split) {
  std::string text = "| data set | method |";
  for (const auto title : kMetricTitles) text += fmt::format(" {} | paper | agrees |", title);
  text += " restarts |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const auto& entry : table.entries) {
    if (entry.split != split) continue;
    text += fmt::format("| {} | {} |", table.datasets[entry.dataset], name_of(entry.ours.method));
    for (const auto& figure : figures_of(table, entry)) text += cell_text(figure);
    text += fmt::format(" {}/{} |\n", entry.restarts, table.restarts);
  }
  return text;
}

// For one metric: cells that can be compared, cells that agree, and cells that the table marks.
struct Agreement {
  std::size_t cells = 0, printed = 0, agree = 0, differ = 0;
};

std::string agreement_lines(const StudyTable& table) {
  Agreement counts[3];
  for (const auto& entry : table.entries) {
    const auto figures = figures_of(table, entry);
    for (std::size_t f = 0; f < figures.size(); ++f) {
      counts[f].printed += figures[f].printed.mean() ? 1 : 0;
      counts[f].cells += can_agree(figures[f]) ? 1 : 0;
      counts[f].agree += can_agree(figures[f]) && within_printed_sd(figures[f].ours, figures[f].printed) ? 1 : 0;
      counts[f].differ += figures[f].difference == Difference::differs ? 1 : 0;
    }
  }
  std::string text =
      "| figure | cells of the paper | with a figure here | agree | differ by more than chance (≠) |\n"
      "|---|---|---|---|---|\n";
  for (std::size_t f = 0; f < 3; ++f) {
    text += fmt::format("| {} | {} | {} | {} | {} |\n", kMetricTitles[f], counts[f].printed, counts[f].cells,
                        counts[f].agree, counts[f].differ);
  }
  return text;
}

std::string rank_lines(const StudyFolder& folder, const StudyTable& table) {
  std::string text = "| data set | LIT's rank | restarts |\n|---|---|---|\n";
  for (std::size_t d = 0; d < table.datasets.size(); ++d) {
    const Summary rank = mean_rank(folder, d, SplitKind::extrapolation, Method::lit);
    text += fmt::format("| {} | {} | {}/{} |\n", table.datasets[d],
                        with_sd(figure_text(rank.mean, 1), figure_text(rank.standard_error, 1)), rank.count,
                        table.restarts);
  }
  return text;
}

std::string clock_lines(const StudyFolder& folder) {
  const StudyClock clock = clock_of(folder);
  std::string text = "| | time |\n|---|---|\n";
  text += fmt::format("| processor time of the trials that are in | {} |\n", duration_text(clock.worked));
  text += fmt::format("| wall time in which at least one of them ran | {} |\n", duration_text(clock.wall));
  text += fmt::format("| processor time of the whole table (expected) | {} |\n", duration_text(clock.all));
  for (const int ranks : {2, 16, 64, 256}) {
    text += fmt::format("| the whole table on {} ranks (expected) | {} |\n", ranks,
                        duration_text(std::max(clock.all / ranks, clock.longest)));
  }
  return text;
}

}  // namespace

bool within_printed_sd(const Summary& ours, const PrintedFigure& printed) {
  const Metric mean = printed.mean();
  // Decimal fractions are not exact in binary. With this, .855 lies within .86 ± .005.
  constexpr double kRounding = 1e-9;
  return ours.mean && mean &&
         std::abs(*ours.mean - *mean) <= printed.sd().value_or(0) + printed.half_unit() + kRounding;
}

Summary mean_rank(const StudyFolder& folder, std::size_t dataset, SplitKind split, Method method) {
  const auto selected = select_by_validation(complete_results(folder, dataset));
  std::vector<Metric> ranks;
  for (const auto& one : selected) {
    if (one.trial.split != split || one.trial.method != method || !one.test.auc) continue;
    std::size_t methods = 0;
    double rank = 1;
    for (const auto& other : selected) {
      if (other.trial.split != split || other.trial.restart != one.trial.restart || !other.test.auc) continue;
      ++methods;
      if (other.trial.method == method) continue;
      rank += *other.test.auc > *one.test.auc ? 1 : (*other.test.auc == *one.test.auc ? 0.5 : 0);
    }
    // A rank among only some of the methods would mean something else.
    if (methods == folder.study.methods.size()) ranks.emplace_back(rank);
  }
  return summarize(ranks);
}

StudyClock clock_of(const StudyFolder& folder) {
  StudyClock clock;
  std::vector<std::pair<double, double>> spans;
  for (const auto& result : folder.results) {
    clock.worked += result.processor;
    clock.longest = std::max(clock.longest, result.processor);
    spans.emplace_back(result.finished - result.seconds, result.finished);
  }
  std::ranges::sort(spans);
  double until = spans.empty() ? 0 : spans.front().first;
  for (const auto& [begin, end] : spans) {
    clock.wall += std::max(0.0, end - std::max(begin, until));
    until = std::max(until, end);
  }
  clock.all = clock.worked + seconds_left(folder, &StudyResult::processor);
  return clock;
}

std::string table1_page(const StudyFolder& folder) {
  const StudyTable table = table_of(folder, &printed_figures());
  const bool whole = table.in == table.trials;
  std::string text = "# Table 1, all of it\n\n";
  text += fmt::format("{}{} of {} ensembles are in{}. {}\n\n", whole ? "All " : "", thousands(table.in),
                      thousands(table.trials), table.diverged > 0 ? fmt::format(", {} diverged", table.diverged) : "",
                      whole ? "The run is complete."
                            : "The run is not complete: an entry averages the restarts whose grid is complete, and "
                              "`-` stands where there is none.");
  text +=
      study_line(folder.study) +
      "Members and lambda are chosen by validation AUC. The records are in `results/table1`. These commands print the\n"
      "page from them, and a test checks that it is the same byte for byte:\n\n"
      "```text\n"
      "perpend reproduce table1 -o docs/results/table1 --page docs/table1.md\n"
      "perpend table docs/results/table1 --against paper\n"
      "```\n\n"
      "A cell agrees when our mean lies within the paper's sd of the paper's mean; half a unit of the last printed\n"
      "digit is allowed for rounding. The last column counts the cells whose means differ by more than chance "
      "explains\n"
      "(|ours - paper| > 2 √(se² + sd²/10) + half a unit), which is the stricter test where the paper's sd is large.\n"
      "An entry of one restart is a single draw: even if both sides had the same distribution, it would agree in "
      "about\n"
      "two cases of three. It has no standard error, so the last column leaves it out.\n\n";
  text += agreement_lines(table);
  for (const auto split : folder.study.splits) {
    text += fmt::format("\n## {} split\n\n{}", upper_first(name_of(split)), table_text(table, split));
  }
  text +=
      "\n## LIT's rank where training and test rows differ\n\n"
      "Extrapolation split: LIT's rank by test AUC, 1 for the best of " +
      counted(folder.study.methods.size(), "method") +
      fmt::format(" (chance: {}). Mean ± standard error over restarts.\n\n",
                  (static_cast<double>(folder.study.methods.size()) + 1) / 2);
  text += rank_lines(folder, table);
  text +=
      "\n## cos² and the measures that count errors\n\n"
      "cos² of the gradients needs no labels. The table says how it correlates, over the trials that are in and on "
      "test\n"
      "rows, with three measures that need labels: the correlation of errors rho, Yule's Q and kappa. Trials where a\n"
      "measure is undefined are not counted: a member without errors has no correlation of errors.\n\n";
  text += correlation_table(correlations(view_study(folder, "table1")));
  text +=
      "\n## Time\n\n"
      "Each trial runs on one thread. Wall time was measured on machines that also did other work, so it is longer "
      "than\n"
      "it would be alone. Records of earlier releases have no processor time, and the clock's seconds stand in for "
      "it.\n"
      "The time of the missing trials is estimated from their cost.\n\n";
  return text + clock_lines(folder);
}

}  // namespace perpend::paper
