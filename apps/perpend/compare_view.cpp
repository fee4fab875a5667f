#include "apps/perpend/compare_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "perpend/base/message.h"

namespace perpend::app {

namespace {

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

// "0.041 (0.020 to 0.062) over bagging, more than noise".
std::string lead_words(const Lead& lead) {
  const std::string over = fmt::format("over {}", name_of(lead.over));
  if (!lead.interval)
    return fmt::format("{} {}, which one restart cannot tell from noise", shown(lead.difference.mean), over);
  return fmt::format("{:.3f} ({:.3f} to {:.3f}) {}, {}", *lead.difference.mean, lead.interval->low, lead.interval->high,
                     over, lead.more_than_noise() ? "more than noise" : "no more than noise");
}

// The methods whose mean AUC equals the winner's.
std::vector<std::string> sharing_the_lead(const SplitSummary& split) {
  Metric top;
  for (const auto& method : split.methods) top = std::max(top, method.auc.mean);
  std::vector<std::string> names;
  for (const auto& method : split.methods) {
    if (method.auc.mean == top) names.push_back(name_of(method.method));
  }
  return names;
}

std::string sentence(const SplitSummary& split) {
  if (!split.winner) return "No method has a test AUC.\n";
  const auto sharing = sharing_the_lead(split);
  if (sharing.size() > 1) {
    return fmt::format("{} have the same mean AUC: it does not tell them apart here.\n", fmt::join(sharing, ", "));
  }
  const std::string name = name_of(*split.winner);
  if (!split.over_second) return fmt::format("{} has the only test AUC.\n", name);
  std::string text = fmt::format("{} has the best mean AUC; its lead is {}", name, lead_words(*split.over_second));
  if (split.over_restarts && split.over_restarts->over != split.over_second->over) {
    text += ", and " + lead_words(*split.over_restarts);
  }
  return text + ".\n";
}

Json summary_json(const Summary& summary) {
  const auto interval = interval_95(summary);
  return {{"mean", number_json(summary.mean)},
          {"sd", number_json(summary.sd)},
          {"standard_error", number_json(summary.standard_error)},
          {"low", interval ? Json(interval->low) : Json(nullptr)},
          {"high", interval ? Json(interval->high) : Json(nullptr)},
          {"restarts", summary.count},
          {"undefined", summary.undefined}};
}

Json lead_json(const std::optional<Lead>& lead) {
  if (!lead) return nullptr;
  return {{"over", name_of(lead->over)},
          {"difference", summary_json(lead->difference)},
          {"more_than_noise", lead->more_than_noise()}};
}

Json split_json(const SplitSummary& split) {
  Json methods = Json::array();
  for (const auto& method : split.methods) {
    methods.push_back({{"method", name_of(method.method)},
                       {"auc", summary_json(method.auc)},
                       {"rho_av", summary_json(method.rho_av)},
                       {"grad_cos2", summary_json(method.grad_cos2)},
                       {"members", method.members},
                       {"lambda", number_json(method.lambda)},
                       {"best", method.best}});
  }
  return {{"split", name_of(split.split)},
          {"methods", std::move(methods)},
          {"winner", split.winner ? Json(name_of(*split.winner)) : Json(nullptr)},
          {"lead", lead_json(split.over_second)},
          {"lead_over_restarts", lead_json(split.over_restarts)}};
}

Json trial_json(const TrialResult& result) {
  return {{"split", name_of(result.trial.split)},
          {"method", name_of(result.trial.method)},
          {"members", result.trial.members},
          {"lambda", number_json(result.trial.lambda)},
          {"restart", result.trial.restart},
          {"status", result.status == TrialStatus::ok ? "ok" : "diverged"},
          {"validation_auc", number_json(result.validation_auc)},
          {"test_auc", number_json(result.test.auc)},
          {"rho_av", number_json(result.test.rho_av)},
          {"grad_cos2", number_json(result.test.grad_cos2)}};
}

}  // namespace

std::string work_done(const Compared& compared) {
  std::string text = fmt::format("{} in {:.0f} s", counted(compared.restarts, "restart"), compared.seconds);
  if (compared.budget) text += fmt::format(" of {:.0f} s", *compared.budget);
  if (compared.epochs_share < 1) {
    text += fmt::format(", with {:.0f} % of the epochs: one restart with all of them would not fit",
                        100 * compared.epochs_share);
  }
  return text;
}

std::string split_table(const SplitSummary& split, const Compared& compared) {
  std::string text = fmt::format("\n{} split\n", name_of(split.split));
  text += row("method", false, "test AUC ± sd (95 % of the mean)", "members", "lambda", "error correlation",
              "gradients' cos²");
  for (const auto& method : split.methods) {
    text += row(name_of(method.method), method.best, auc_cell(method.auc), std::to_string(method.members),
                lambda_cell(method), shown(method.rho_av.mean), shown(method.grad_cos2.mean));
  }
  return text + diverged_line(split.split, compared) + sentence(split);
}

Json compared_json(const Compared& compared) {
  Json splits = Json::array();
  for (const auto& split : compared.summaries) splits.push_back(split_json(split));
  Json trials = Json::array();
  for (const auto& result : compared.results) trials.push_back(trial_json(result));
  return {{"restarts", compared.restarts},
          {"seconds", compared.seconds},
          {"budget_seconds", compared.budget ? Json(*compared.budget) : Json(nullptr)},
          {"epochs_share", compared.epochs_share},
          {"splits", std::move(splits)},
          {"trials", std::move(trials)}};
}

}  // namespace perpend::app
