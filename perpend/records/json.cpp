#include "perpend/records/json.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "perpend/base/error.h"
#include "perpend/base/json_text.h"

namespace perpend {

namespace {

using Json = nlohmann::ordered_json;

// Where a figure can lie, with room for rounding.
struct Range {
  double least, most;
};
constexpr double kRounding = 1e-6;
constexpr Range kShare = {-kRounding, 1 + kRounding};
constexpr Range kSigned = {-1 - kRounding, 1 + kRounding};
constexpr Range kLoss = {-kRounding, 35};  // -ln 1e-15 is 34.5 (evaluate/metrics.h)
constexpr Range kTerm = {-1e60, 1e60};     // of a training's objective: any sum of floats
constexpr std::size_t kLargestRecord = std::size_t{1} << 20;

// Every figure of an object, once for both ways.
template <class AnyScores, class Visit>
void each_score(AnyScores& scores, const Visit& visit) {
  visit("auc", scores.auc, kShare);
  visit("accuracy", scores.accuracy, kShare);
  visit("log_loss", scores.log_loss, kLoss);
  visit("brier", scores.brier, kShare);
  visit("ece", scores.ece, kShare);
}
template <class AnyEvaluation, class Visit>
void each_figure(AnyEvaluation& evaluation, const Visit& visit) {
  each_score(evaluation, visit);
  visit("rho_av", evaluation.rho_av, kSigned);
  visit("q_av", evaluation.q_av, kSigned);
  visit("kappa", evaluation.kappa, kSigned);
  visit("disagreement", evaluation.disagreement, kShare);
  visit("grad_cos2", evaluation.grad_cos2, kShare);
}

Json number(const Metric& metric) { return metric ? Json(*metric) : Json(nullptr); }

auto writing_to(Json& json) {
  return [&json](const char* name, const Metric& metric, Range) { json[name] = number(metric); };
}

double number_within(const Json& value, const std::string& name, Range range) {
  const auto x = value.get<double>();
  if (x >= range.least && x <= range.most) return x;
  throw DataError(name + " is " + value.dump() + ", which it cannot be");
}
Metric metric_within(const Json& value, const std::string& name, Range range) {
  return value.is_null() ? Metric() : number_within(value, name, range);
}
auto reading_from(const Json& json) {
  return [&json](const char* name, Metric& metric, Range range) { metric = metric_within(json.at(name), name, range); };
}

// JSON's own conversion would cut a fraction off and wrap a number that is too large.
template <class Whole>
Whole whole_number(const Json& value, const std::string& name) {
  const bool fits = value.is_number_integer() && std::in_range<Whole>(value.get<std::int64_t>()) &&
                    (!value.is_number_unsigned() || std::in_range<std::int64_t>(value.get<std::uint64_t>()));
  if (!fits || value.get<std::int64_t>() < 0) throw DataError(name + " is " + value.dump() + ", which it cannot be");
  return value.get<Whole>();
}

// A loop over a number or an object would run, too.
const Json& list_at(const Json& json, const char* name) {
  if (!json.at(name).is_array()) throw DataError(std::string(name) + " is no list");
  return json.at(name);
}

EpochRecord epoch_from(const Json& epoch) {
  EpochRecord record{
      .round = epoch.contains("round") ? whole_number<int>(epoch["round"], "round") : 0,
      .epoch = whole_number<int>(epoch.at("epoch"), "epoch"),
      .steps = whole_number<std::int64_t>(epoch.at("steps"), "steps"),
      .fit = {},
      .penalty = number_within(epoch.at("penalty"), "penalty", kTerm),
      .weight_decay = metric_within(epoch.at("weight_decay"), "weight_decay", kTerm),
      .validation_log_loss = metric_within(epoch.at("validation_log_loss"), "validation_log_loss", kTerm)};
  for (const auto& fit : list_at(epoch, "fit")) record.fit.push_back(number_within(fit, "fit", kTerm));
  return record;
}

Json parsed(std::string_view text) {
  if (const auto problem = json_problem(text, kLargestRecord)) throw DataError("it has " + *problem);
  return Json::parse(text);
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
    const Json json = parsed(text);
    each_figure(evaluation, reading_from(json));
    if (json.contains("tangent_cos2")) {
      evaluation.tangent_cos2 = number_within(json["tangent_cos2"], "tangent_cos2", kShare);
    }
    for (const auto& member : list_at(json, "members")) {
      each_score(evaluation.members.emplace_back(), reading_from(member));
    }
  } catch (const Json::exception& error) {
    throw DataError(std::string("not a metrics object: ") + error.what());
  }
  return evaluation;
}

TrainLog train_log_from_json(std::string_view text) {
  TrainLog log;
  try {
    const Json epochs = parsed(text);
    if (!epochs.is_array()) throw DataError("not a training log: it is no list");
    for (const auto& epoch : epochs) log.epochs.push_back(epoch_from(epoch));
  } catch (const Json::exception& error) {
    throw DataError(std::string("not a training log: ") + error.what());
  }
  return log;
}

}  // namespace perpend
