#include "perpend/records/json.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "perpend/base/error.h"
#include "perpend/base/json_text.h"
#include "perpend/base/message.h"

namespace perpend {

namespace {

using Json = nlohmann::ordered_json;  // what is written: keys in the order of the interface
using Read = nlohmann::json;          // what is read: finding a key is fast, however many there are

// Where a figure can lie, with room for rounding.
struct Range {
  double least, most;
};
constexpr double kRounding = 1e-6;
constexpr Range kShare = {-kRounding, 1 + kRounding};
constexpr Range kSigned = {-1 - kRounding, 1 + kRounding};
constexpr Range kLoss = {-kRounding, 35};  // -ln 1e-15 is 34.5 (evaluate/metrics.h)
constexpr Range kLossDifference = {-35, 35};
constexpr Range kNumber = {-1e60, 1e60};  // in a target's units, squared at most
constexpr Range kSize = {-kRounding, 1e60};
constexpr Range kTerm = {-1e60, 1e60};  // of a training's objective: any sum of floats
constexpr std::size_t kLargestRecord = std::size_t{1} << 20;

// Visits every figure of an object. Reading and writing share it.
template <class AnyScores, class Visit>
void each_score(AnyScores& scores, const Visit& visit) {
  if (scores.regression) {
    visit("rmse", scores.rmse, kSize);
    visit("mae", scores.mae, kSize);
    visit("r2", scores.r2, kNumber);
    visit("loss", scores.loss, kSize);
    return;
  }
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
  if (evaluation.regression) {
    visit("disagreement", evaluation.disagreement, kSize);
    visit("ambiguity", evaluation.ambiguity, kSize);
    visit("coverage", evaluation.coverage, kShare);
    visit("log_score", evaluation.log_score, kNumber);
    visit("grad_cos2", evaluation.grad_cos2, kShare);
    return;
  }
  visit("q_av", evaluation.q_av, kSigned);
  visit("kappa", evaluation.kappa, kSigned);
  visit("disagreement", evaluation.disagreement, kShare);
  visit("grad_cos2", evaluation.grad_cos2, kShare);
}

Json number(const Metric& metric) { return metric ? Json(*metric) : Json(nullptr); }

auto writing_to(Json& json) {
  return [&json](const char* name, const Metric& metric, Range) { json[name] = number(metric); };
}

double number_within(const Read& value, const std::string& name, Range range) {
  const auto x = value.get<double>();
  if (x >= range.least && x <= range.most) return x;
  throw DataError(name + " is " + value.dump() + ", which is not a possible value");
}
Metric metric_within(const Read& value, const std::string& name, Range range) {
  return value.is_null() ? Metric() : number_within(value, name, range);
}
auto reading_from(const Read& json) {
  return [&json](const char* name, Metric& metric, Range range) { metric = metric_within(json.at(name), name, range); };
}

// JSON's own conversion would cut off a fraction and wrap a number that is too large.
template <class Whole>
Whole whole_number(const Read& value, const std::string& name) {
  const bool fits = value.is_number_integer() && std::in_range<Whole>(value.get<std::int64_t>()) &&
                    (!value.is_number_unsigned() || std::in_range<std::int64_t>(value.get<std::uint64_t>()));
  if (!fits || value.get<std::int64_t>() < 0)
    throw DataError(name + " is " + value.dump() + ", which is not a possible value");
  return value.get<Whole>();
}

// A loop would accept a number or an object, too.
const Read& list_at(const Read& json, const char* name) {
  if (!json.at(name).is_array()) throw DataError(std::string(name) + " is not a list");
  return json.at(name);
}

EpochRecord epoch_from(const Read& epoch) {
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

Read parsed(std::string_view text) {
  if (const auto problem = json_problem(text, kLargestRecord)) throw DataError("it has " + *problem);
  return Read::parse(text);
}

// A metrics object with `rmse` is a regression's.
void read_scores(const Read& json, Scores& scores) {
  scores.regression = json.contains("rmse");
  each_score(scores, reading_from(json));
}

// Recall and precision follow from the counts.
ThresholdCounts counts_from(const Read& json) {
  const auto count = [&](const char* name) { return whole_number<std::size_t>(json.at(name), name); };
  return {.threshold = number_within(json.at("threshold"), "threshold", kShare),
          .true_positives = count("true_positives"),
          .false_positives = count("false_positives"),
          .false_negatives = count("false_negatives"),
          .true_negatives = count("true_negatives")};
}

Evaluation evaluation_from(const Read& json) {
  Evaluation evaluation;
  evaluation.regression = json.contains("rmse");
  each_figure(evaluation, reading_from(json));
  if (json.contains("tangent_cos2")) {
    evaluation.tangent_cos2 = number_within(json["tangent_cos2"], "tangent_cos2", kShare);
  }
  for (const auto& member : list_at(json, "members")) {
    read_scores(member, evaluation.members.emplace_back());
  }
  if (json.contains("at_threshold")) evaluation.at_threshold = counts_from(json["at_threshold"]);
  return evaluation;
}

std::vector<EpochRecord> epochs_from(const Read& list) {
  if (!list.is_array()) throw DataError("not a training log: it is not a list");
  std::vector<EpochRecord> epochs;
  for (const auto& epoch : list) epochs.push_back(epoch_from(epoch));
  return epochs;
}

Json scores_json(const Scores& scores) {
  Json json;
  each_score(scores, writing_to(json));
  return json;
}

Json counts_json(const ThresholdCounts& counts) {
  return {{"threshold", counts.threshold},
          {"recall", number(counts.recall())},
          {"precision", number(counts.precision())},
          {"true_positives", counts.true_positives},
          {"false_positives", counts.false_positives},
          {"false_negatives", counts.false_negatives},
          {"true_negatives", counts.true_negatives}};
}

Json evaluation_json(const Evaluation& evaluation) {
  Json json;
  each_figure(evaluation, writing_to(json));
  if (evaluation.tangent_cos2) json["tangent_cos2"] = *evaluation.tangent_cos2;
  json["members"] = Json::array();
  for (const auto& member : evaluation.members) json["members"].push_back(scores_json(member));
  if (evaluation.at_threshold) json["at_threshold"] = counts_json(*evaluation.at_threshold);
  return json;
}
Json evaluation_json(const std::optional<Evaluation>& evaluation) {
  return evaluation ? evaluation_json(*evaluation) : Json(nullptr);
}

Json out_of_bag_json(const OutOfBagScores& scores) {
  Json json = scores_json(scores);
  json["rows"] = scores.rows;
  json["seen_by_all"] = scores.seen_by_all;
  return json;
}

Json epochs_json(const TrainLog& log) {
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
  return epochs;
}

Json rounds_json(const TrainLog& log) {
  Json rounds = Json::array();
  for (const auto& round : log.rounds) rounds.push_back({{"error", round.error}, {"weight", round.weight}});
  return rounds;
}

Json baselines_json(const Baselines& baselines) {
  const Json behind = {{"mean", baselines.behind_logistic}, {"standard_error", baselines.standard_error}};
  if (baselines.logistic.regression) {
    return {{"linear", scores_json(baselines.logistic)},
            {"mean", scores_json(baselines.majority)},
            {"loss_behind_linear", behind}};
  }
  return {{"logistic", scores_json(baselines.logistic)},
          {"majority", scores_json(baselines.majority)},
          {"log_loss_behind_logistic", behind}};
}

Json summary_json(const RunSummary& summary) {
  Json json = {
      {"rows", {{"train", summary.rows.train}, {"validation", summary.rows.validation}, {"test", summary.rows.test}}},
      {"steps", summary.steps},
      {"status", summary.status},
      {"metrics",
       {{"train", evaluation_json(summary.train)},
        {"validation", evaluation_json(summary.validation)},
        {"test", evaluation_json(summary.test)}}},
      {"disagreement_percentiles", nullptr},
      {"log", epochs_json(summary.log)}};
  if (!summary.disagreement_percentiles.empty()) json["disagreement_percentiles"] = summary.disagreement_percentiles;
  if (summary.residuals) {
    json["residuals"] = {{"rows", summary.residuals->rows},
                         {"rmse", summary.residuals->rmse},
                         {"percentiles", summary.residuals->percentiles}};
  }
  if (summary.rows.unlabeled > 0) {
    json["rows"]["unlabeled"] = summary.rows.unlabeled;
    json["unlabeled"] = {{"grad_cos2", number(summary.unlabeled_cos2)}};
  }
  if (summary.out_of_bag) json["out_of_bag"] = out_of_bag_json(*summary.out_of_bag);
  if (!summary.log.rounds.empty()) json["boosting"] = rounds_json(summary.log);
  if (summary.baselines) json["baselines"] = baselines_json(*summary.baselines);
  for (const auto& [metric, range] : summary.ranges) json["intervals"][metric] = {range.low, range.high};
  if (summary.refitted) json["refitted"] = true;
  if (!summary.data_sha256.empty()) json["data_sha256"] = summary.data_sha256;
  if (!summary.importances.empty()) json["importances"] = summary.importances;
  if (summary.adapted) {  // the last, as adapt adds it to what a file has
    const bool number = summary.residuals.has_value();
    json["adapted"] = {{"rows", summary.adapted->rows},
                       {number ? "loss_before" : "log_loss_before", summary.adapted->log_loss_before},
                       {number ? "loss_after" : "log_loss_after", summary.adapted->log_loss_after}};
  }
  return json;
}

// Calls read(value) where the key is there.
template <class Reader>
void where_given(const Read& json, const char* key, const Reader& read) {
  if (json.contains(key)) read(json[key]);
}

void want(bool holds, const std::string& key, const std::string& shape) {
  if (!holds) throw DataError("it has " + quote(key) + " which is not " + shape);
}

RowCounts rows_from(const Read& rows) {
  const auto is_count = [](const Read& value) { return value.is_number_unsigned(); };
  want(rows.is_object() && std::all_of(rows.begin(), rows.end(), is_count), "rows", "an object of counts");
  const auto count = [&](const char* part) { return rows.value(part, std::size_t{0}); };
  return {count("train"), count("validation"), count("test"), count("unlabeled")};
}

void read_metrics(const Read& metrics, RunSummary& summary) {
  want(metrics.is_object(), "metrics", "an object");
  const auto read = [&](const char* part, std::optional<Evaluation>& evaluation) {
    where_given(metrics, part, [&](const Read& figures) {
      if (!figures.is_null()) evaluation = evaluation_from(figures);
    });
  };
  read("train", summary.train);
  read("validation", summary.validation);
  read("test", summary.test);
}

// most: what the largest may be; `key` is for the message.
std::vector<double> percentiles_from(const Read& shares, const std::string& key, double most) {
  if (shares.is_null()) return {};
  const auto is_number = [](const Read& share) { return share.is_number(); };
  const bool numbers = shares.is_array() && std::all_of(shares.begin(), shares.end(), is_number);
  auto ascending = numbers ? shares.get<std::vector<double>>() : std::vector<double>();
  want(ascending.size() == 101 && ascending.front() >= 0 && ascending.back() <= most &&
           std::ranges::is_sorted(ascending),
       key, most == 1 ? "101 ascending numbers from 0 to 1" : "101 ascending numbers from 0 on");
  return ascending;
}

ResidualSpread residuals_from(const Read& json) {
  return {.rows = whole_number<std::size_t>(json.at("rows"), "rows"),
          .rmse = number_within(json.at("rmse"), "rmse", kSize),
          .percentiles = percentiles_from(json.at("percentiles"), "residuals", kSize.most)};
}

OutOfBagScores out_of_bag_from(const Read& json) {
  OutOfBagScores scores;
  read_scores(json, scores);
  scores.rows = whole_number<std::size_t>(json.at("rows"), "rows");
  scores.seen_by_all = whole_number<std::size_t>(json.at("seen_by_all"), "seen_by_all");
  return scores;
}

std::vector<BoostingRound> rounds_from(const Read& list) {
  want(list.is_array(), "boosting", "a list");
  std::vector<BoostingRound> rounds;
  for (const auto& round : list) {
    rounds.push_back(
        {number_within(round.at("error"), "error", kTerm), number_within(round.at("weight"), "weight", kTerm)});
  }
  return rounds;
}

Adaptation adaptation_from(const Read& json) {
  const bool number = json.contains("loss_before");
  const std::string before = number ? "loss_before" : "log_loss_before";
  const std::string after = number ? "loss_after" : "log_loss_after";
  const Range range = number ? kSize : kLoss;
  return {whole_number<std::size_t>(json.at("rows"), "rows"), number_within(json.at(before), before, range),
          number_within(json.at(after), after, range)};
}

Baselines baselines_from(const Read& json) {
  Baselines baselines;
  const bool linear = json.contains("linear");
  read_scores(json.at(linear ? "linear" : "logistic"), baselines.logistic);
  read_scores(json.at(linear ? "mean" : "majority"), baselines.majority);
  const Read& behind = json.at(linear ? "loss_behind_linear" : "log_loss_behind_logistic");
  baselines.behind_logistic = number_within(behind.at("mean"), "mean", linear ? kNumber : kLossDifference);
  baselines.standard_error = number_within(behind.at("standard_error"), "standard_error", linear ? kSize : kLoss);
  return baselines;
}

MetricRanges ranges_from(const Read& json) {
  want(json.is_object(), "intervals", "an object");
  MetricRanges ranges;
  for (const auto& [metric, range] : json.items()) {
    want(range.is_array() && range.size() == 2, "intervals", "two numbers for each metric");
    ranges[metric] = {number_within(range[0], "intervals", kNumber), number_within(range[1], "intervals", kNumber)};
  }
  return ranges;
}

RunSummary summary_from(const Read& json) {
  RunSummary summary;
  where_given(json, "rows", [&](const Read& rows) { summary.rows = rows_from(rows); });
  where_given(json, "steps", [&](const Read& steps) {
    want(steps.is_number_unsigned(), "steps", "a count");
    summary.steps = steps.get<std::uint64_t>();
  });
  where_given(json, "status", [&](const Read& status) {
    want(status.is_string(), "status", "a word");
    summary.status = status.get<std::string>();
  });
  where_given(json, "metrics", [&](const Read& metrics) { read_metrics(metrics, summary); });
  where_given(json, "residuals", [&](const Read& residuals) { summary.residuals = residuals_from(residuals); });
  where_given(json, "disagreement_percentiles", [&](const Read& shares) {
    summary.disagreement_percentiles =
        percentiles_from(shares, "disagreement_percentiles", summary.residuals ? kSize.most : 1);
  });
  where_given(json, "log", [&](const Read& log) { summary.log.epochs = epochs_from(log); });
  where_given(json, "unlabeled", [&](const Read& unlabeled) {
    summary.unlabeled_cos2 = metric_within(unlabeled.at("grad_cos2"), "grad_cos2", kShare);
  });
  where_given(json, "out_of_bag", [&](const Read& scores) { summary.out_of_bag = out_of_bag_from(scores); });
  where_given(json, "boosting", [&](const Read& rounds) { summary.log.rounds = rounds_from(rounds); });
  where_given(json, "adapted", [&](const Read& adapted) { summary.adapted = adaptation_from(adapted); });
  where_given(json, "importances", [&](const Read& list) {
    want(list.is_array(), "importances", "a list");
    for (const auto& share : list) summary.importances.push_back(number_within(share, "importances", kShare));
  });
  where_given(json, "baselines", [&](const Read& found) { summary.baselines = baselines_from(found); });
  where_given(json, "intervals", [&](const Read& found) { summary.ranges = ranges_from(found); });
  where_given(json, "refitted", [&](const Read& said) {
    want(said.is_boolean(), "refitted", "true or false");
    summary.refitted = said.get<bool>();
  });
  where_given(json, "data_sha256", [&](const Read& hash) {
    want(hash.is_string() && hash.get_ref<const std::string&>().size() == 64, "data_sha256", "a sha256");
    summary.data_sha256 = hash.get<std::string>();
  });
  return summary;
}

Json pairs_json(const std::vector<FinitePair>& list) {
  Json pairs = Json::array();
  for (const auto& pair : list) {
    pairs.push_back({{"of", pair.of + 1},
                     {"along", pair.along + 1},
                     {"indep_err", pair.indep_err},
                     {"relative", number(pair.relative)}});
  }
  return pairs;
}

}  // namespace

std::string to_json(const Evaluation& evaluation) { return evaluation_json(evaluation).dump(); }

std::string to_json(const OutOfBagScores& scores) { return out_of_bag_json(scores).dump(); }

std::string to_json(const Baselines& baselines) { return baselines_json(baselines).dump(); }

std::string to_json(const TrainLog& log) { return epochs_json(log).dump(); }

std::string rounds_to_json(const TrainLog& log) { return rounds_json(log).dump(); }

std::string to_json(const RunSummary& summary) {
  const Json now = summary_json(summary);
  if (summary.source.empty()) return now.dump();
  const Json before = summary_json(run_summary_from_json(summary.source));
  if (now == before) return summary.source;
  Json merged = Json::parse(summary.source);
  for (const auto& [key, value] : now.items()) {
    if (!before.contains(key) || before[key] != value) merged[key] = value;
  }
  return merged.dump();
}

std::string to_json(const DistanceIndependence& found) {
  Json epsilons = Json::array();
  for (std::size_t i = 0; i < found.steps.size(); ++i) {
    epsilons.push_back({{"epsilon", found.steps[i].epsilon},
                        {"indep_err", number(found.steps[i].indep_err)},
                        {"own_change", found.steps[i].own},
                        {"relative", number(found.steps[i].relative)},
                        {"pairs", pairs_json(found.steps[i].pairs)},
                        {"sigma", found.noise[i].sigma},
                        {"noise_correlation2", number(found.noise[i].correlation2)},
                        {"noise_information", number(found.noise[i].information)}});
  }
  return Json{{"norm", found.settings.norm},
              {"steps", found.settings.steps},
              {"starts", found.settings.starts},
              {"draws", found.settings.draws},
              {"box", found.settings.box},
              {"grad_cos2", number(found.cos2)},
              {"local_mutual_information", number(found.information)},
              {"epsilons", std::move(epsilons)}}
      .dump();
}

Evaluation evaluation_from_json(std::string_view text) try {
  return evaluation_from(parsed(text));
} catch (const Read::exception& error) {
  throw DataError(std::string("not a metrics object: ") + error.what());
}

TrainLog train_log_from_json(std::string_view text) try {
  return {.epochs = epochs_from(parsed(text)), .rounds = {}};
} catch (const Read::exception& error) {
  throw DataError(std::string("not a training log: ") + error.what());
}

RunSummary run_summary_from_json(std::string_view text) try {
  if (const auto problem = json_problem(text, kLargestRecord)) throw DataError("it has " + *problem);
  const Read json = Read::parse(text);
  if (!json.is_object()) throw DataError("it is not a JSON object");
  RunSummary summary = summary_from(json);
  summary.source = text;
  return summary;
} catch (const Read::exception& error) {
  throw DataError(std::string("it is no summary: ") + error.what());
}

}  // namespace perpend
