#include "perpend/records/json.h"

#include <nlohmann/json.hpp>

#include "perpend/base/error.h"

namespace perpend {

namespace {

using Json = nlohmann::ordered_json;

// Every figure of an object, once for both ways.
template <class AnyScores, class Visit>
void each_score(AnyScores& scores, const Visit& visit) {
  visit("auc", scores.auc);
  visit("accuracy", scores.accuracy);
  visit("log_loss", scores.log_loss);
  visit("brier", scores.brier);
  visit("ece", scores.ece);
}
template <class AnyEvaluation, class Visit>
void each_figure(AnyEvaluation& evaluation, const Visit& visit) {
  each_score(evaluation, visit);
  visit("rho_av", evaluation.rho_av);
  visit("q_av", evaluation.q_av);
  visit("kappa", evaluation.kappa);
  visit("disagreement", evaluation.disagreement);
  visit("grad_cos2", evaluation.grad_cos2);
}

Json number(const Metric& metric) { return metric ? Json(*metric) : Json(nullptr); }

auto writing_to(Json& json) {
  return [&json](const char* name, const Metric& metric) { json[name] = number(metric); };
}
auto reading_from(const Json& json) {
  return [&json](const char* name, Metric& metric) {
    const Json& value = json.at(name);
    if (!value.is_null()) metric = value.get<double>();
  };
}

Json scores_json(const Scores& scores) {
  Json json;
  each_score(scores, writing_to(json));
  return json;
}

}  // namespace

std::string to_json(const Evaluation& evaluation) {
  Json json;
  each_figure(evaluation, writing_to(json));
  if (evaluation.tangent_cos2) json["tangent_cos2"] = *evaluation.tangent_cos2;
  json["members"] = Json::array();
  for (const auto& member : evaluation.members) json["members"].push_back(scores_json(member));
  return json.dump();
}

std::string to_json(const OutOfBagScores& scores) {
  Json json = scores_json(scores);
  json["rows"] = scores.rows;
  json["seen_by_all"] = scores.seen_by_all;
  return json.dump();
}

std::string to_json(const TrainLog& log) {
  Json epochs = Json::array();
  for (const auto& record : log.epochs) {
    Json epoch = {{"epoch", record.epoch},
                  {"steps", record.steps},
                  {"fit", record.fit},
                  {"penalty", record.penalty},
                  {"weight_decay", number(record.weight_decay)},
                  {"validation_log_loss", number(record.validation_log_loss)}};
    if (record.round > 0) epoch["round"] = record.round;
    epochs.push_back(std::move(epoch));
  }
  return epochs.dump();
}

std::string rounds_to_json(const TrainLog& log) {
  Json rounds = Json::array();
  for (const auto& round : log.rounds) rounds.push_back({{"error", round.error}, {"weight", round.weight}});
  return rounds.dump();
}

Evaluation evaluation_from_json(std::string_view text) {
  Evaluation evaluation;
  try {
    const Json json = Json::parse(text);
    each_figure(evaluation, reading_from(json));
    if (json.contains("tangent_cos2")) evaluation.tangent_cos2 = json["tangent_cos2"].get<double>();
    for (const auto& member : json.at("members")) each_score(evaluation.members.emplace_back(), reading_from(member));
  } catch (const Json::exception& error) {
    throw DataError(std::string("not a metrics object: ") + error.what());
  }
  return evaluation;
}

TrainLog train_log_from_json(std::string_view text) {
  TrainLog log;
  const auto optional = [](const Json& value) { return value.is_null() ? std::nullopt : Metric(value.get<double>()); };
  try {
    for (const auto& epoch : Json::parse(text)) {
      log.epochs.push_back({.round = epoch.value("round", 0),
                            .epoch = epoch.at("epoch").get<int>(),
                            .steps = epoch.at("steps").get<std::int64_t>(),
                            .fit = epoch.at("fit").get<std::vector<double>>(),
                            .penalty = epoch.at("penalty").get<double>(),
                            .weight_decay = optional(epoch.at("weight_decay")),
                            .validation_log_loss = optional(epoch.at("validation_log_loss"))});
    }
  } catch (const Json::exception& error) {
    throw DataError(std::string("not a training log: ") + error.what());
  }
  return log;
}

}  // namespace perpend
