#include "apps/perpend/results.h"

#include <fmt/format.h>

#include "perpend/base/message.h"
#include "perpend/records/json.h"

namespace perpend::app {

namespace {

std::string scores_line(const std::string& name, const Scores& scores) {
  if (scores.regression) {
    return fmt::format("{:<19} {:>10} {:>20} {:>8}\n", name, number_text(scores.rmse), number_text(scores.mae),
                       shown(scores.r2));
  }
  return fmt::format("{:<19} {:>7} {:>10} {:>10} {:>8} {:>18}\n", name, shown(scores.auc), shown(scores.accuracy),
                     shown(scores.log_loss), shown(scores.brier), shown(scores.ece));
}

std::string numbers_table(const std::string& rows, const Evaluation& evaluation, const std::vector<std::string>& names,
                          const Baselines* beside) {
  std::string text = fmt::format("{:<19} {:>10} {:>20} {:>8}\n", rows, "RMSE", "mean absolute error", "R²");
  text += scores_line("ensemble", evaluation);
  if (beside != nullptr) {
    text += scores_line("linear regression", beside->logistic) + scores_line("one number for all", beside->majority);
  }
  for (std::size_t m = 0; m < evaluation.members.size(); ++m) text += scores_line(names[m], evaluation.members[m]);
  if (evaluation.coverage) {
    text += fmt::format("{:<19} {:.1f} % of the targets lie in the interval that should hold {:g} %{}\n", "intervals",
                        100 * *evaluation.coverage, 100 * kUsualCoverage,
                        evaluation.log_score ? "   log-score " + number_text(evaluation.log_score) : "");
  }
  return text;
}

}  // namespace

// A quantity has an unknown size, so it has four significant digits.
std::string number_text(const Metric& metric) { return metric ? fmt::format("{:.4g}", *metric) : "-"; }

Json number_json(const Metric& metric) { return metric ? Json(*metric) : Json(nullptr); }

std::string shown(const Metric& metric, int digits) { return metric ? fmt::format("{:.{}f}", *metric, digits) : "-"; }

std::string evaluation_table(const std::string& rows, const Evaluation& evaluation,
                             const std::vector<std::string>& views, const Baselines* beside) {
  std::vector<std::string> names;
  for (std::size_t m = 0; m < evaluation.members.size(); ++m) {
    names.push_back(fmt::format("member {}{}", m + 1, views[m] == "plain" ? "" : " " + views[m]));
  }
  std::string text;
  if (evaluation.regression) {
    text = numbers_table(rows, evaluation, names, beside);
  } else {
    text = fmt::format("{:<19} {:>7} {:>10} {:>10} {:>8} {:>18}\n", rows, "AUC", "accuracy", "log-loss", "Brier",
                       "calibration error");
    text += scores_line("ensemble", evaluation);
    if (beside != nullptr) {
      text += scores_line("logistic regression", beside->logistic) + scores_line("majority class", beside->majority);
    }
    for (std::size_t m = 0; m < names.size(); ++m) text += scores_line(names[m], evaluation.members[m]);
  }
  const std::string along =
      evaluation.tangent_cos2 ? fmt::format(" (along the manifold {})", shown(evaluation.tangent_cos2)) : "";
  const bool trees = !views.empty() && views.back() == "trees";
  const std::string spread =
      evaluation.regression
          ? fmt::format("disagreement {}   ambiguity {}", number_text(evaluation.disagreement),
                        number_text(evaluation.ambiguity))
          : fmt::format("disagreement {}   kappa {}", shown(evaluation.disagreement), shown(evaluation.kappa));
  text += fmt::format("{:<19} gradients' cos² {}{}{}   error correlation {}   {}\n", "diversity",
                      shown(evaluation.grad_cos2), along, trees && evaluation.grad_cos2 ? " (without trees)" : "",
                      shown(evaluation.rho_av), spread);
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
  const std::string figures = scores.regression
                                  ? fmt::format("RMSE {}   mean absolute error {}   R² {}", number_text(scores.rmse),
                                                number_text(scores.mae), shown(scores.r2))
                                  : fmt::format("AUC {}   accuracy {}   log-loss {}", shown(scores.auc),
                                                shown(scores.accuracy), shown(scores.log_loss));
  return fmt::format("out of bag   {}   ({}, each judged by members that have not seen it; {} seen by all)\n", figures,
                     counted(scores.rows, "training row"), thousands(scores.seen_by_all));
}

}  // namespace perpend::app
