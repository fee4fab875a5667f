#include "perpend/api/compare.h"

#include <fmt/format.h>

#include <algorithm>

namespace perpend {

namespace {

std::string shown(const Metric& metric) { return metric ? fmt::format("{:.3f}", *metric) : "-"; }

std::string auc_cell(const Summary& auc) {
  std::string text = shown(auc.mean);
  if (auc.sd) text += fmt::format(" ± {:.3f}", *auc.sd);
  if (const auto interval = interval_95(auc)) {
    text += fmt::format(" ({:.3f} to {:.3f})", std::max(0.0, interval->low), std::min(1.0, interval->high));
  }
  return text;
}

std::string lambda_cell(const MethodSummary& method) {
  return method.lambda ? fmt::format("{:g}", *method.lambda) : "-";
}

std::string row(const std::string& method, bool best, const std::string& auc, const std::string& members,
                const std::string& lambda, const std::string& rho, const std::string& cos2) {
  return fmt::format("{:<9} {} {:<32} {:>7} {:>7} {:>18} {:>16}\n", method, best ? '*' : ' ', auc, members, lambda, rho,
                     cos2);
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

std::string split_text(const SplitSummary& split, const Compared& compared) {
  std::string text = fmt::format("\n{} split\n", name_of(split.split));
  if (split.split == SplitKind::domain) text += left_out_line(compared.left_out) + "\n";
  text += row("method", false, "test AUC ± sd (95 % of the mean)", "members", "lambda", "error correlation",
              "gradients' cos²");
  for (const auto& method : split.methods) {
    text += row(name_of(method.method), method.best, auc_cell(method.auc), std::to_string(method.members),
                lambda_cell(method), shown(method.rho_av.mean), shown(method.grad_cos2.mean));
  }
  return text + diverged_line(split.split, compared) + reading(split);
}

}  // namespace

std::string to_text(const Compared& compared) {
  std::string text;
  for (const auto& split : compared.summaries) text += split_text(split, compared);
  return text + "\n" + work_done(compared) +
         ".\n* mean ± standard error overlaps the best; members and lambda: chosen most often by validation AUC.\n";
}

}  // namespace perpend
