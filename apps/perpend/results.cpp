#include "apps/perpend/results.h"

#include <fmt/format.h>

namespace perpend::app {

namespace {

Json scores_json(const Scores& scores) {
  return {{"auc", number_json(scores.auc)},
          {"accuracy", number_json(scores.accuracy)},
          {"log_loss", number_json(scores.log_loss)},
          {"brier", number_json(scores.brier)},
          {"ece", number_json(scores.ece)}};
}

std::string scores_line(const std::string& name, const Scores& scores) {
  return fmt::format("{:<12} {:>7} {:>10} {:>10} {:>8} {:>19}\n", name, shown(scores.auc), shown(scores.accuracy),
                     shown(scores.log_loss), shown(scores.brier), shown(scores.ece));
}

}  // namespace

Json number_json(const Metric& metric) { return metric ? Json(*metric) : Json(nullptr); }

Json metrics_json(const Evaluation& evaluation) {
  Json json = scores_json(evaluation);
  json["rho_av"] = number_json(evaluation.rho_av);
  json["q_av"] = number_json(evaluation.q_av);
  json["kappa"] = number_json(evaluation.kappa);
  json["disagreement"] = number_json(evaluation.disagreement);
  json["grad_cos2"] = number_json(evaluation.grad_cos2);
  json["members"] = Json::array();
  for (const auto& member : evaluation.members) json["members"].push_back(scores_json(member));
  return json;
}

Json metrics_json(const std::optional<Evaluation>& evaluation) {
  return evaluation ? metrics_json(*evaluation) : Json(nullptr);
}

Json log_json(const TrainLog& log) {
  Json epochs = Json::array();
  for (const auto& record : log.epochs) {
    Json epoch = {{"epoch", record.epoch},
                  {"steps", record.steps},
                  {"fit", record.fit},
                  {"penalty", record.penalty},
                  {"weight_decay", record.weight_decay}};
    epoch["validation_log_loss"] = number_json(record.validation_log_loss);
    epochs.push_back(std::move(epoch));
  }
  return epochs;
}

std::string shown(const Metric& metric, int digits) { return metric ? fmt::format("{:.{}f}", *metric, digits) : "-"; }

std::string evaluation_table(const std::string& rows, const Evaluation& evaluation) {
  std::string text = fmt::format("{:<12} {:>7} {:>10} {:>10} {:>8} {:>19}\n", rows, "AUC", "accuracy", "log-loss",
                                 "Brier", "calibration error");
  text += scores_line("ensemble", evaluation);
  for (std::size_t m = 0; m < evaluation.members.size(); ++m) {
    text += scores_line(fmt::format("member {}", m + 1), evaluation.members[m]);
  }
  if (evaluation.members.size() > 1) {
    text += fmt::format("{:<12} gradients' cos² {}   error correlation {}   disagreement {}   kappa {}\n", "diversity",
                        shown(evaluation.grad_cos2), shown(evaluation.rho_av), shown(evaluation.disagreement),
                        shown(evaluation.kappa));
  }
  return text;
}

}  // namespace perpend::app
