#include "perpend/api/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "perpend/base/message.h"

namespace perpend {

namespace {

std::string shown(const Metric& metric) { return metric ? fmt::format("{:.3f}", *metric) : "-"; }

// "0.412 ± 0.004".
std::string figure(const Summary& summary) {
  std::string text = shown(summary.mean);
  if (summary.standard_error) text += fmt::format(" ± {:.3f}", *summary.standard_error);
  return text;
}

// least: the least possible value. An AUC is not below 0, but an R^2 may be.
std::string merit_cell(const Summary& merit, double least) {
  const auto interval = interval_95(merit);
  if (!interval) return figure(merit);
  return figure(merit) +
         fmt::format(" ({:.3f} to {:.3f})", std::max(least, interval->low), std::min(1.0, interval->high));
}

using Cells = std::array<std::string, 8>;  // all but the mark of the best

std::string row(const Cells& cells, bool best, std::size_t name_width) {
  return fmt::format("{:<{}} {} {:<30}  {:<13}  {:<13} {:>7} {:>7} {:>11} {:>6}\n", cells[0], name_width,
                     best ? '*' : ' ', cells[1], cells[2], cells[3], cells[4], cells[5], cells[6], cells[7]);
}

// An RMSE, whose size is not known.
std::string number(const Summary& summary) {
  std::string text = summary.mean ? fmt::format("{:.4g}", *summary.mean) : "-";
  if (summary.standard_error) text += fmt::format(" ± {:.2g}", *summary.standard_error);
  return text;
}

Cells cells_of(const ComparedModel& model, bool regression) {
  return {printable(model.name),
          merit_cell(model.auc, regression ? -INFINITY : 0),
          regression ? number(model.log_loss) : figure(model.log_loss),
          regression ? "" : figure(model.ece),
          model.method ? std::to_string(model.members) : "-",
          model.lambda ? fmt::format("{:g}", *model.lambda) : "-",
          shown(model.rho_av.mean),
          shown(model.grad_cos2.mean)};
}

std::string problem_line(const ComparedModel& model) {
  if (model.problem.empty()) return "";
  return fmt::format("{} failed in {}: {}\n", printable(model.name), counted(model.auc.undefined, "restart"),
                     printable(model.problem));
}

std::string diverged_line(SplitKind split, const Compared& compared) {
  const auto lost = std::ranges::count_if(compared.results, [&](const TrialResult& result) {
    return result.trial.split == split && result.status == TrialStatus::diverged;
  });
  if (lost == 0) return "";
  return fmt::format(
      "{} of {} trainings diverged and could not be chosen.\n", lost,
      std::ranges::count_if(compared.results, [&](const TrialResult& result) { return result.trial.split == split; }));
}

std::string split_text(const ComparedSplit& split, const Compared& compared, const TextBelow& below) {
  std::string text = fmt::format("\n{} split\n", name_of(split.split));
  if (split.split == SplitKind::domain) text += left_out_line(compared.left_out) + "\n";
  std::size_t width = 0;
  for (const auto& model : split.models) width = std::max(width, printable(model.name).size());
  const bool numbers = split.regression;
  text += row({"model", numbers ? "test R² (95 % of the mean)" : "test AUC (95 % of the mean)",
               numbers ? "RMSE" : "log-loss", numbers ? "" : "ECE", "members", "lambda", "error corr.", "cos²"},
              false, width);
  for (const auto& model : split.models) text += row(cells_of(model, numbers), model.best, width);
  for (const auto& model : split.models) text += problem_line(model);
  return text + diverged_line(split.split, compared) + reading(split) + (below ? below(split) : "");
}

bool of_numbers(const Compared& compared) {
  return std::ranges::any_of(compared.summaries, &ComparedSplit::regression);
}

}  // namespace

std::string to_text(const Compared& compared, const TextBelow& below) {
  std::string text;
  for (const auto& split : compared.summaries) text += split_text(split, compared, below);
  return text + "\n" + work_done(compared) + ".\n* mean ± standard error overlaps the best. " +
         (of_numbers(compared) ? "" : "ECE: expected calibration error. ") + "cos²: of the members' input gradients.\n";
}

}  // namespace perpend
