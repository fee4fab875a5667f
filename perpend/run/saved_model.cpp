#include "perpend/run/saved_model.h"

#include <algorithm>

#include "perpend/base/quantile.h"
#include "perpend/evaluate/answers.h"
#include "perpend/evaluate/explain.h"
#include "perpend/run/home_of.h"
#include "perpend/run/option_table.h"

namespace perpend {

namespace {

constexpr std::size_t kMostLogged = 50;  // epochs in a model file

// The percentiles that `abstain` and `explain` compare with.
std::vector<double> disagreement_percentiles(const Ensemble& ensemble, const Dataset& rows, const Threads& threads) {
  if (rows.rows() == 0) return {};
  std::vector<double> shares;
  for (int percent = 0; percent <= 100; ++percent) shares.push_back(percent / 100.0);
  return quantiles(disagreement_on(ensemble, rows.inputs.view(), threads), shares);
}

// Early stopping records every epoch. A file needs only as many as a curve does. The last record always stays.
TrainLog thinned(const TrainLog& log) {
  const std::size_t every = log.epochs.size() / (kMostLogged + 1) + 1;
  TrainLog kept{.epochs = {}, .rounds = log.rounds};
  for (std::size_t i = 0; i < log.epochs.size(); ++i) {
    if ((log.epochs.size() - 1 - i) % every == 0) kept.epochs.push_back(log.epochs[i]);
  }
  return kept;
}

RunSummary summary_of(const Prepared& data, const RunResult& result, const Threads& threads) {
  const auto& familiar = data.validation.rows() > 0 ? data.validation : data.train;
  return {.rows = {data.train.rows(), data.validation.rows(), data.test.rows(), data.unlabeled.rows()},
          .steps = static_cast<std::uint64_t>(result.trained.steps),
          .status = result.trained.status == TrainStatus::stopped ? "stopped" : "ok",
          .train = result.train,
          .validation = result.validation,
          .test = result.test,
          .disagreement_percentiles =
              disagreement_percentiles(result.before_refit.value_or(result.trained.ensemble), familiar, threads),
          .residuals = result.residuals,
          .log = thinned(result.trained.log),
          .unlabeled_cos2 = result.unlabeled_cos2,
          .out_of_bag = result.out_of_bag,
          .adapted = std::nullopt,
          .baselines = result.baselines,
          .ranges = result.ranges,
          .data_sha256 = result.data_sha256,
          .importances = column_importances(result.trained.ensemble, result.trained.decision.weights, data.schema,
                                            data.train.inputs.view(), threads),
          .refitted = result.before_refit.has_value()};
}

}  // namespace

// A file says what the task was. It does not say that training found this out.
TrainedModel model_of(const Prepared& data, const RunOptions& given, const RunResult& result) {
  RunOptions options = given;
  options.schema.task = data.schema.quantity ? Task::regress : Task::classify;
  const Threads threads(options.train.threads);
  return {result.trained.ensemble,
          result.trained.decision,
          data.schema,
          options_to_json(options),
          summary_of(data, result, threads),
          data.manifold.shared,
          options.remember ? home_of(data, result, options.train.seed, threads) : Home()};
}

void check_savable(const Prepared& data, const RunOptions& options) {
  // The summary holds metrics of the parts, with a few numbers per member each, and about 50 epochs with one number per
  // member.
  const auto members = static_cast<std::size_t>(options.train.members);
  constexpr std::size_t kSummaryBytes = 17'000;  // without the tensors of the rows at home
  constexpr std::size_t kImportanceBytes = 9;    // 0.123456 and a comma
  const auto epochs = static_cast<std::size_t>(options.train.epochs.value_or(kMostLogged));
  const std::size_t per_member = 700 + 24 * std::min(epochs, kMostLogged);
  Architecture shape;
  shape.features = data.schema.features.size();
  shape.classes = data.schema.quantity ? 2 : data.schema.classes.size();
  shape.quantity = data.schema.quantity;
  shape.columns = data.train.columns;
  shape.views = with_views(options).train.views;
  shape.hidden = hidden_of(options.train, data.train.rows());
  check_savable({.ensemble = {shape, {}},
                 .decision = equal_mean(members),
                 .schema = data.schema,
                 .options = options_to_json(options)},
                kSummaryBytes + members * per_member + kImportanceBytes * data.schema.columns.size());
}

}  // namespace perpend
