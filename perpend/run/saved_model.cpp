#include "perpend/run/saved_model.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "perpend/base/quantile.h"
#include "perpend/evaluate/selective.h"
#include "perpend/model/predict.h"
#include "perpend/records/json.h"
#include "perpend/run/option_table.h"

namespace perpend {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostLogged = 50;  // epochs in a model file

Json metrics_json(const std::optional<Evaluation>& evaluation) {
  return evaluation ? Json::parse(to_json(*evaluation)) : Json(nullptr);
}

// Quantiles of the ensemble's disagreement on familiar rows: what `predict --abstain` and `explain` compare with.
Json disagreement_percentiles(const Ensemble& ensemble, const Dataset& rows, const Threads& threads) {
  if (rows.rows() == 0) return nullptr;
  std::vector<double> shares;
  for (int percent = 0; percent <= 100; ++percent) shares.push_back(percent / 100.0);
  constexpr std::size_t kBlock = 2048;
  std::vector<double> all;
  for (std::size_t first = 0; first < rows.rows(); first += kBlock) {
    const auto block = rows.inputs.view().middle_rows(first, std::min(kBlock, rows.rows() - first));
    const auto found = row_disagreement(member_probabilities(ensemble, block, threads));
    all.insert(all.end(), found.begin(), found.end());
  }
  return quantiles(std::move(all), shares);
}

// Early stopping records every epoch; a file needs no more than a curve does. The last record always stays.
TrainLog thinned(const TrainLog& log) {
  const std::size_t every = log.epochs.size() / (kMostLogged + 1) + 1;
  TrainLog kept;
  for (std::size_t i = 0; i < log.epochs.size(); ++i) {
    if ((log.epochs.size() - 1 - i) % every == 0) kept.epochs.push_back(log.epochs[i]);
  }
  return kept;
}

}  // namespace

TrainedModel model_of(const Prepared& data, const RunOptions& options, const RunResult& result) {
  const Threads threads(options.train.threads);
  const TrainResult& trained = result.trained;
  const auto& familiar = data.validation.rows() > 0 ? data.validation : data.train;
  Json summary = {
      {"rows", {{"train", data.train.rows()}, {"validation", data.validation.rows()}, {"test", data.test.rows()}}},
      {"steps", trained.steps},
      {"status", trained.status == TrainStatus::stopped ? "stopped" : "ok"},
      {"metrics",
       {{"train", metrics_json(result.train)},
        {"validation", metrics_json(result.validation)},
        {"test", metrics_json(result.test)}}},
      {"disagreement_percentiles", disagreement_percentiles(trained.ensemble, familiar, threads)},
      {"log", Json::parse(to_json(thinned(trained.log)))}};
  if (data.unlabeled.rows() > 0) {
    summary["rows"]["unlabeled"] = data.unlabeled.rows();
    summary["unlabeled"] = {{"grad_cos2", result.unlabeled_cos2 ? Json(*result.unlabeled_cos2) : Json(nullptr)}};
  }
  if (result.out_of_bag) summary["out_of_bag"] = Json::parse(to_json(*result.out_of_bag));
  if (!trained.log.rounds.empty()) summary["boosting"] = Json::parse(rounds_to_json(trained.log));
  return {trained.ensemble,         trained.decision, data.schema,
          options_to_json(options), summary.dump(),   data.manifold.shared};
}

void check_savable(const Prepared& data, const RunOptions& options) {
  // Metrics of the parts, with a few numbers per member each, and some 50 epochs with one per member.
  const auto members = static_cast<std::size_t>(options.train.members);
  constexpr std::size_t kSummaryBytes = 16'000;
  const auto epochs = static_cast<std::size_t>(options.train.epochs.value_or(kMostLogged));
  const std::size_t per_member = 700 + 24 * std::min(epochs, kMostLogged);
  Architecture shape;
  shape.features = data.schema.features.size();
  shape.classes = data.schema.classes.size();
  shape.hidden.assign(options.train.hidden.begin(), options.train.hidden.end());
  check_savable({.ensemble = {shape, {}},
                 .decision = equal_mean(members),
                 .schema = data.schema,
                 .options = options_to_json(options),
                 .summary = "{}"},
                kSummaryBytes + members * per_member);
}

}  // namespace perpend
