#include "apps/perpend/results.h"

#include <fmt/format.h>

#include "perpend/base/message.h"

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
  if (evaluation.tangent_cos2) json["tangent_cos2"] = *evaluation.tangent_cos2;
  json["members"] = Json::array();
  for (const auto& member : evaluation.members) json["members"].push_back(scores_json(member));
  return json;
}

Json metrics_json(const std::optional<Evaluation>& evaluation) {
  return evaluation ? metrics_json(*evaluation) : Json(nullptr);
}

Json metrics_json(const OutOfBagScores& scores) {
  Json json = scores_json(scores);
  json["rows"] = scores.rows;
  json["seen_by_all"] = scores.seen_by_all;
  return json;
}

Json rounds_json(const TrainLog& log) {
  Json rounds = Json::array();
  for (const auto& round : log.rounds) rounds.push_back({{"error", round.error}, {"weight", round.weight}});
  return rounds;
}

Json log_json(const TrainLog& log) {
  Json epochs = Json::array();
  for (const auto& record : log.epochs) {
    Json epoch = {{"epoch", record.epoch},
                  {"steps", record.steps},
                  {"fit", record.fit},
                  {"penalty", record.penalty},
                  {"weight_decay", number_json(record.weight_decay)},
                  {"validation_log_loss", number_json(record.validation_log_loss)}};
    if (record.round > 0) epoch["round"] = record.round;
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
  const std::string along =
      evaluation.tangent_cos2 ? fmt::format(" (along the manifold {})", shown(evaluation.tangent_cos2)) : "";
  text += fmt::format("{:<12} gradients' cos² {}{}   error correlation {}   disagreement {}   kappa {}\n", "diversity",
                      shown(evaluation.grad_cos2), along, shown(evaluation.rho_av), shown(evaluation.disagreement),
                      shown(evaluation.kappa));
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
