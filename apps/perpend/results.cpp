#include "apps/perpend/results.h"

#include <fmt/format.h>

#include "perpend/base/message.h"
#include "perpend/records/json.h"

namespace perpend::app {

namespace {

std::string scores_line(const std::string& name, const Scores& scores) {
  return fmt::format("{:<19} {:>7} {:>10} {:>10} {:>8} {:>18}\n", name, shown(scores.auc), shown(scores.accuracy),
                     shown(scores.log_loss), shown(scores.brier), shown(scores.ece));
}

}  // namespace

Json number_json(const Metric& metric) { return metric ? Json(*metric) : Json(nullptr); }

std::string shown(const Metric& metric, int digits) { return metric ? fmt::format("{:.{}f}", *metric, digits) : "-"; }

std::string evaluation_table(const std::string& rows, const Evaluation& evaluation,
                             const std::vector<std::string>& views, const Baselines* beside) {
  std::string text = fmt::format("{:<19} {:>7} {:>10} {:>10} {:>8} {:>18}\n", rows, "AUC", "accuracy", "log-loss",
                                 "Brier", "calibration error");
  text += scores_line("ensemble", evaluation);
  if (beside != nullptr) {
    text += scores_line("logistic regression", beside->logistic) + scores_line("majority class", beside->majority);
  }
  for (std::size_t m = 0; m < evaluation.members.size(); ++m) {
    const std::string view = views[m] == "plain" ? "" : " " + views[m];
    text += scores_line(fmt::format("member {}{}", m + 1, view), evaluation.members[m]);
  }
  const std::string along =
      evaluation.tangent_cos2 ? fmt::format(" (along the manifold {})", shown(evaluation.tangent_cos2)) : "";
  const bool trees = !views.empty() && views.back() == "trees";
  text +=
      fmt::format("{:<19} gradients' cos² {}{}{}   error correlation {}   disagreement {}   kappa {}\n", "diversity",
                  shown(evaluation.grad_cos2), along, trees && evaluation.grad_cos2 ? " (without trees)" : "",
                  shown(evaluation.rho_av), shown(evaluation.disagreement), shown(evaluation.kappa));
  return text;
}

std::string threshold_lines(const TrainedModel& model) {
  const ModelFacts facts = inspect(model);
  if (!facts.threshold) return "";
  std::string text = fmt::format("{:<19} {} is answered above {:.4g}{}\n", "threshold", quote(model.schema.classes[1]),
                                 *facts.threshold, facts.aim.empty() ? "" : ", for " + facts.aim);
  const std::pair<const char*, const std::optional<Evaluation>*> parts[] = {{"validation", &model.summary.validation},
                                                                            {"test", &model.summary.test}};
  for (const auto& [name, part] : parts) {
    if (!*part || !(*part)->at_threshold) continue;
    text += fmt::format("  {:<17} {}\n", name, threshold_text(*(*part)->at_threshold, facts.aim));
  }
  return text;
}

std::string out_of_bag_line(const OutOfBagScores& scores) {
  return fmt::format(
      "out of bag   AUC {}   accuracy {}   log-loss {}   ({}, each judged by members that have not seen it; {} seen by "
      "all)\n",
      shown(scores.auc), shown(scores.accuracy), shown(scores.log_loss), counted(scores.rows, "training row"),
      thousands(scores.seen_by_all));
}

}  // namespace perpend::app
