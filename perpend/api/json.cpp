// The answers of this module as JSON text, under the names of the interface. Undefined is null.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "perpend/api/adapt.h"
#include "perpend/api/compare.h"
#include "perpend/api/evaluate.h"
#include "perpend/api/explain.h"
#include "perpend/api/fit.h"
#include "perpend/api/independence.h"
#include "perpend/api/metrics.h"
#include "perpend/api/model.h"
#include "perpend/api/predict.h"
#include "perpend/records/json.h"
#include "perpend/run/option_table.h"

namespace perpend {

namespace {

using Json = nlohmann::ordered_json;

Json number(const Metric& metric) { return metric ? Json(*metric) : Json(nullptr); }

std::vector<std::size_t> from_one(std::vector<std::size_t> members) {
  for (auto& m : members) ++m;
  return members;
}

Json feature_json(const GradientSummary& gradient, const Feature& feature, const Schema& schema) {
  Json quantiles = Json::object();
  for (std::size_t q = 0; q < kGradientQuantiles.size(); ++q) {
    quantiles[fmt::format("{}", kGradientQuantiles[q])] = gradient.quantiles[q];
  }
  return {{"feature", feature.name},
          {"column", schema.columns[feature.column].name},
          {"mean", gradient.mean},
          {"sd", gradient.sd},
          {"quantiles", std::move(quantiles)}};
}

Json levels_json(const std::vector<LevelSummary>& levels, const InputColumn& column) {
  Json list = Json::array();
  for (const auto& level : levels) {
    const bool known = level.level < column.levels.size();
    list.push_back({{"level", known ? Json(column.levels[level.level]) : Json(nullptr)},
                    {"rows", level.rows},
                    {"mean", level.contrast.mean},
                    {"sd", level.contrast.sd}});
  }
  return list;
}

Json shares_json(const std::vector<double>& shares, const Schema& schema) {
  Json columns = Json::array();
  for (std::size_t c = 0; c < shares.size(); ++c) {
    columns.push_back({{"column", schema.columns[c].name}, {"share", shares[c]}});
  }
  return columns;
}

Json substitutes_json(const Explanation& explanation, const Schema& schema) {
  Json all = Json::array();
  for (const auto& found : explanation.substitutes) {
    Json sides = Json::array();
    for (const std::size_t side : {0, 1}) {
      Json names = Json::array();
      for (const std::size_t c : found.columns[side]) names.push_back(schema.columns[c].name);
      sides.push_back({{"columns", std::move(names)}, {"members", from_one(found.members[side])}});
    }
    all.push_back(std::move(sides));
  }
  return all;
}

Json explanation_json(const Explanation& explanation, const TrainedModel& model) {
  const Schema& schema = model.schema;
  const std::vector<double> says = member_says(model.decision);
  Json members = Json::array();
  for (std::size_t m = 0; m < explanation.members.size(); ++m) {
    Json features = Json::array();
    for (std::size_t f = 0; f < schema.features.size(); ++f) {
      const Feature& feature = schema.features[f];
      features.push_back(feature_json(explanation.members[m].features[f], feature, schema));
      if (feature.level != Feature::kLevels) continue;
      features.back()["levels"] = levels_json(explanation.members[m].levels[f], schema.columns[feature.column]);
    }
    members.push_back({{"weight", says[m]},
                       {"attribution", explanation.members[m].is_contribution ? "contribution" : "gradient"},
                       {"rows", explanation.members[m].rows},
                       {"columns", shares_json(explanation.members[m].shares, schema)},
                       {"features", std::move(features)}});
    if (!explanation.members[m].tangent_shares.empty()) {
      members.back()["tangent_columns"] = shares_json(explanation.members[m].tangent_shares, schema);
    }
  }
  Json pairs = Json::array();
  for (const auto& pair : explanation.pairs) {
    pairs.push_back({{"members", {pair.first + 1, pair.second + 1}},
                     {"cos2", number(pair.cos2)},
                     {"cosine", number(pair.cosine)},
                     {"same_prediction", pair.same},
                     {"kappa", number(pair.kappa)}});
    if (pair.tangent_cos2) pairs.back()["tangent_cos2"] = *pair.tangent_cos2;
  }
  Json columns = Json::array();
  for (const auto& found : importances(explanation, member_shares(model.decision))) {
    columns.push_back({{"column", schema.columns[found.column].name},
                       {"share", found.share},
                       {"least", found.least},
                       {"most", found.most}});
  }
  return {{"importances", std::move(columns)},
          {"members", std::move(members)},
          {"pairs", std::move(pairs)},
          {"substitutes", substitutes_json(explanation, schema)}};
}

Json row_json(const RowExplained& found, const Explanation& all, const TrainedModel& model) {
  const Schema& schema = model.schema;
  const Answers& answer = found.answer;
  const std::size_t shown = answer.is_regression() ? 0 : answer.shown_class(0);
  Json members = Json::array();
  for (std::size_t m = 0; m < found.members.size(); ++m) {
    Json gradient = Json::object();
    for (std::size_t f = 0; f < schema.features.size(); ++f) {
      gradient[schema.features[f].name] = found.members[m].features[f].mean;
    }
    members.push_back(
        {{answer.is_regression() ? "prediction" : "probability",
          answer.is_regression() ? answer.numbers_of_members[m] : static_cast<double>(answer.of_member(m, 0, shown))},
         {"columns", shares_json(found.members[m].shares, schema)},
         {"gradient", std::move(gradient)}});
  }
  Json json = {{"row", found.row + 1}};
  if (answer.is_regression()) {
    json["prediction"] = answer.numbers[0];
  } else {
    json["class"] = schema.classes[shown];
    json["probability"] = answer.probability(0, shown);
    json["prediction"] = schema.classes[answer.predicted[0]];
  }
  json["disagreement"] = answer.disagreement[0];
  json["familiar_rows_below_percent"] = found.familiar_percent ? Json(*found.familiar_percent) : Json(nullptr);
  json["members"] = std::move(members);
  json["substitutes"] = substitutes_json(all, schema);
  return json;
}

Json summary_json(const Summary& summary) {
  const auto interval = interval_95(summary);
  return {{"mean", number(summary.mean)},
          {"sd", number(summary.sd)},
          {"standard_error", number(summary.standard_error)},
          {"low", interval ? Json(interval->low) : Json(nullptr)},
          {"high", interval ? Json(interval->high) : Json(nullptr)},
          {"restarts", summary.count},
          {"undefined", summary.undefined}};
}

Json lead_json(const std::optional<ComparedLead>& lead) {
  if (!lead) return nullptr;
  return {{"over", lead->over},
          {"difference", summary_json(lead->difference)},
          {"more_than_noise", lead->more_than_noise()}};
}

// What all models have.
Json figures_json(const ComparedModel& model, bool regression) {
  if (regression) {
    return {{"r2", summary_json(model.auc)}, {"rmse", summary_json(model.log_loss)}, {"best", model.best}};
  }
  return {{"auc", summary_json(model.auc)},
          {"log_loss", summary_json(model.log_loss)},
          {"ece", summary_json(model.ece)},
          {"best", model.best}};
}

Json retrain_json(const std::optional<RunOptions>& options) {
  if (!options) return nullptr;
  Json json = Json::object();
  for (const auto& given : options_to_give(*options)) json[given.name] = Json::parse(given.json);
  return json;
}

Json split_json(const ComparedSplit& split) {
  Json methods = Json::array();
  Json others = Json::array();
  for (const auto& model : split.models) {
    Json json = {{model.method ? "method" : "name", model.name}};
    json.update(figures_json(model, split.regression));
    if (model.method) {
      json["rho_av"] = summary_json(model.rho_av);
      json["grad_cos2"] = summary_json(model.grad_cos2);
      json["members"] = model.members;
      json["lambda"] = number(model.lambda);
      methods.push_back(std::move(json));
    } else {
      json["problem"] = model.problem.empty() ? Json(nullptr) : Json(model.problem);
      others.push_back(std::move(json));
    }
  }
  const auto name_at = [&](const std::optional<std::size_t>& place) {
    return place ? Json(split.models[*place].name) : Json(nullptr);
  };
  return {
      {"split", name_of(split.split)},
      {"methods", std::move(methods)},
      {"others", std::move(others)},
      {"winner", name_at(split.winner)},
      {"best_method", name_at(split.best_method)},
      {"lead", lead_json(split.lead)},
      {"lead_over_restarts", lead_json(split.over_restarts)},
      {split.regression ? "lead_over_linear" : "lead_over_logistic", lead_json(split.over_logistic)},
      {split.regression ? "rmse_above_linear" : "log_loss_above_logistic", lead_json(split.log_loss_above_logistic)},
      {"retrain", retrain_json(split.retrain)}};
}

Json trial_json(const TrialResult& result) {
  const bool numbers = result.test.regression;
  return {{"split", name_of(result.trial.split)},
          {"method", name_of(result.trial.method)},
          {"members", result.trial.members},
          {"lambda", number(result.trial.lambda)},
          {"restart", result.trial.restart},
          {"status", result.status == TrialStatus::ok ? "ok" : "diverged"},
          {numbers ? "validation_r2" : "validation_auc", number(result.validation_merit)},
          {numbers ? "test_r2" : "test_auc", number(result.test.merit())},
          {numbers ? "test_rmse" : "test_log_loss", number(numbers ? result.test.rmse : result.test.log_loss)},
          {numbers ? "test_mae" : "test_ece", number(numbers ? result.test.mae : result.test.ece)},
          {"rho_av", number(result.test.rho_av)},
          {"grad_cos2", number(result.test.grad_cos2)}};
}

Json other_json(const OtherResult& result) {
  const bool numbers = result.test.regression;
  return {{"split", name_of(result.split)},
          {"name", result.name},
          {"restart", result.restart},
          {"problem", result.problem.empty() ? Json(nullptr) : Json(result.problem)},
          {numbers ? "test_r2" : "test_auc", number(result.test.merit())},
          {numbers ? "test_rmse" : "test_log_loss", number(numbers ? result.test.rmse : result.test.log_loss)},
          {numbers ? "test_mae" : "test_ece", number(numbers ? result.test.mae : result.test.ece)}};
}

// A row of four numbers per member.
Json gate_json(const Gate& gate) {
  Json members = Json::array();
  for (std::size_t at = 0; at < gate.theta.size(); at += kGateFeatures) {
    members.push_back(std::vector<double>(gate.theta.begin() + static_cast<std::ptrdiff_t>(at),
                                          gate.theta.begin() + static_cast<std::ptrdiff_t>(at + kGateFeatures)));
  }
  return {{"centre", gate.centre}, {"scale", gate.scale}, {"members", std::move(members)}};
}

Json map_json(const ProbabilityMap& map) {
  if (map.kind == Calibrator::temperature) return {{"temperature", map.temperature}};
  Json knots = Json::array();
  for (const Knot& knot : map.knots) knots.push_back({knot.from, knot.to});
  return {{"isotonic", std::move(knots)}};
}

Json metrics_json(const std::optional<Evaluation>& evaluation) {
  return evaluation ? Json::parse(to_json(*evaluation)) : Json(nullptr);
}

}  // namespace

std::string to_json(const Fitted& fitted, bool list_rows) {
  const RunSummary& summary = fitted.model.summary;
  Json json = {
      {"options", Json::parse(options_to_json(fitted.options))},
      {"rows", {{"train", summary.rows.train}, {"validation", summary.rows.validation}, {"test", summary.rows.test}}},
      {"steps", summary.steps},
      {"seconds", fitted.seconds},
      {"status", "ok"},
      {"metrics",
       {{"train", metrics_json(summary.train)},
        {"validation", metrics_json(summary.validation)},
        {"test", metrics_json(summary.test)}}},
      {"log", Json::parse(to_json(fitted.log))}};
  const Decision& decision = fitted.model.decision;
  if (decision.map.kind != Calibrator::none) json["calibration"] = map_json(decision.map);
  if (decision.threshold) json["threshold"] = *decision.threshold;
  if (decision.gate) json["gate"] = gate_json(*decision.gate);
  if (summary.baselines) json["baselines"] = Json::parse(to_json(*summary.baselines));
  if (summary.out_of_bag) json["out_of_bag"] = Json::parse(to_json(*summary.out_of_bag));
  if (!fitted.log.rounds.empty()) json["boosting"] = Json::parse(rounds_to_json(fitted.log));
  if (summary.rows.unlabeled > 0) {
    json["rows"]["unlabeled"] = summary.rows.unlabeled;
    json["unlabeled"] = {{"grad_cos2", number(summary.unlabeled_cos2)}};
  }
  if (!fitted.left_out.domains.empty()) json["left_out"] = fitted.left_out.domains;
  if (list_rows) {
    const Split& split = fitted.split;
    json["split"] = {{"train", split.train}, {"validation", split.validation}, {"test", split.test}};
  }
  return json.dump();
}

std::string to_json(const GradientDiversity& found) {
  Json pairs = Json::array();
  for (const auto& pair : found.pairs) {
    pairs.push_back({{"members", {pair.first, pair.second}},
                     {"cos2", number(pair.cos2)},
                     {"cosine", number(pair.cosine)},
                     {"local_mutual_information", number(pair.local_mutual_information)}});
  }
  return Json{{"grad_cos2", number(found.cos2)},
              {"local_mutual_information", number(found.local_mutual_information)},
              {"flat", found.flat},
              {"pairs", std::move(pairs)}}
      .dump();
}

std::string to_json(const Diversity& found) {
  Json pairs = Json::array();
  for (const auto& pair : found.pairs) {
    pairs.push_back({{"members", {pair.first, pair.second}},
                     {"rho", number(pair.rho)},
                     {"q", number(pair.q)},
                     {"disagreement", number(pair.disagreement)},
                     {"double_fault", number(pair.double_fault)}});
  }
  return Json{{"rho_av", number(found.rho.mean)},
              {"q_av", number(found.q.mean)},
              {"kappa", number(found.kappa)},
              {"disagreement", number(found.disagreement.mean)},
              {"double_fault", number(found.double_fault.mean)},
              {"undefined_pairs", found.rho.undefined},
              {"pairs", std::move(pairs)}}
      .dump();
}

std::string to_json(const LocalIndependence& found) {
  Json json = Json::parse(to_json(found.gradients));
  json["errors"] = found.errors ? Json::parse(to_json(*found.errors)) : Json(nullptr);
  return json.dump();
}

std::string to_json(const Evaluated& found) {
  Json json = {{"rows", found.rows}, {"metrics", Json::parse(to_json(found.metrics))}};
  json["unlike_training"] = Json::parse(unlike_json(found.encoded));
  if (found.distance) json["finite"] = Json::parse(to_json(*found.distance));
  return json.dump();
}

std::string to_json(const AdaptedModel& adapted) {
  Json json = {{"rows", adapted.rows},
               {"changed", adapted.is_changed},
               {"log_evidence", number(adapted.log_evidence)},
               {"kappa", adapted.kappa},
               {"member_weights", {{"before", adapted.says_before}, {"after", adapted.says_after}}},
               {"loss",
                {{"before", adapted.loss_before},
                 {"after", adapted.loss_after},
                 {"gain", adapted.loss_before - adapted.loss_after},
                 {"standard_error", adapted.standard_error}}}};
  if (const auto& correction = adapted.model.decision.correction) json["bias"] = correction->bias;
  json["unlike_training"] = Json::parse(unlike_json(adapted.encoded));
  return json.dump();
}

std::string to_json(const Explained& found, const TrainedModel& model) {
  if (found.row) return row_json(*found.row, found.all, model).dump();
  Json json = {{"rows", found.rows}, {"unlike_training", Json::parse(unlike_json(found.encoded))}};
  json.update(explanation_json(found.all, model));
  return json.dump();
}

std::string to_json(const ColumnsWorth& worth) {
  Json columns = Json::array();
  for (const auto& column : worth.columns) {
    columns.push_back({{"column", column.name},
                       {"increase", column.increase},
                       {"standard_error", column.standard_error},
                       {"seen", column.is_seen()},
                       {"members", column.members},
                       {"least", column.least()},
                       {"most", column.most()}});
  }
  return Json{{"loss_name", worth.loss_name}, {"loss", worth.loss},  {"member_losses", worth.member_losses},
              {"rows", worth.rows},           {"of_rows", worth.of}, {"repeats", worth.repeats},
              {"columns", std::move(columns)}}
      .dump();
}

std::string to_json(const Dependence& found) {
  Json points = Json::array();
  for (const double number : found.numbers) points.push_back(number);
  for (const auto& level : found.levels) points.push_back(level ? Json(*level) : Json(nullptr));
  Json curves = Json::array();
  for (const auto& curve : found.curves) {
    curves.push_back({{"class", curve.of_class.empty() ? Json(nullptr) : Json(curve.of_class)},
                      {"ensemble", curve.ensemble},
                      {"members", curve.members}});
  }
  return Json{{"column", found.column},      {"kind", found.is_number ? "number" : "category"},
              {"rows", found.rows},          {"of_rows", found.of},
              {"points", std::move(points)}, {"curves", std::move(curves)}}
      .dump();
}

std::string to_json(const Compared& compared) {
  Json json;
  json["options"] = Json::parse(options_to_json(compared.options));
  for (const char* varied : {"split", "method", "members", "lambda"}) json["options"].erase(varied);
  json["encoding"] = compared.own_encoding ? "published" : "training rows";
  json["grid"] = {{"members", compared.grid.members}};
  for (const auto& [method, lambdas] : compared.grid.lambdas) json["grid"][name_of(method)] = lambdas;
  Json splits = Json::array();
  for (const auto& split : compared.summaries) splits.push_back(split_json(split));
  Json trials = Json::array();
  for (const auto& result : compared.results) trials.push_back(trial_json(result));
  Json others = Json::array();
  for (const auto& result : compared.others) others.push_back(other_json(result));
  json["restarts"] = compared.restarts;
  json["seconds"] = compared.seconds;
  json["budget_seconds"] = compared.budget ? Json(*compared.budget) : Json(nullptr);
  json["epochs_share"] = compared.epochs_share;
  for (const auto& restart : compared.left_out) json["left_out"].push_back(restart.domains);
  json["splits"] = std::move(splits);
  json["trials"] = std::move(trials);
  json["others"] = std::move(others);
  return json.dump();
}

std::string inspect_json(const TrainedModel& model) {
  const ModelFacts facts = inspect(model);
  Json json = {{"bytes", facts.bytes}, {"sha256", facts.sha256}, {"member_weights", member_says(model.decision)}};
  if (model.decision.correction) json["bias"] = model.decision.correction->bias;
  if (model.ensemble.architecture.has_views()) json["views"] = member_views(model);
  json["rule"] = facts.rule;
  if (model.decision.map.kind != Calibrator::none) json["calibration"] = map_json(model.decision.map);
  if (facts.threshold) json["threshold"] = *facts.threshold;
  if (model.decision.gate) json["gate"] = gate_json(*model.decision.gate);
  json["options"] = Json::parse(model.options);
  json["schema"] = Json::parse(schema_to_json(model.schema));
  json["summary"] = Json::parse(to_json(model.summary));
  return json.dump();
}

}  // namespace perpend
