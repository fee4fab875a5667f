#include "perpend/study/trial.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>

#include "perpend/base/checked_size.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/evaluate/ensemble.h"
#include "perpend/evaluate/regression.h"
#include "perpend/model/decision.h"
#include "perpend/model/predict.h"
#include "perpend/model/regression.h"
#include "perpend/run/option_table.h"
#include "perpend/run/settle.h"
#include "perpend/run/view_weights.h"

namespace perpend {

namespace {

class StopOnly : public TrainCallback {
 public:
  explicit StopOnly(const StudyCallback& callback) : callback_(callback) {}
  bool stop_requested() override { return callback_.stop_requested && callback_.stop_requested(); }

 private:
  const StudyCallback& callback_;
};

std::vector<std::size_t> costly_first(std::span<const TrialData> data, const RunOptions& options,
                                      std::span<const Trial> trials) {
  std::vector<double> costs;
  for (const auto& trial : trials) {
    costs.push_back(work_of(data_of(data, trial), options, trial));
  }
  std::vector<std::size_t> order(trials.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return costs[i]; });
  return order;
}

}  // namespace

Grid default_grid(PenaltyReduction reduction) {
  Grid values;
  for (const auto& method : methods()) {
    const bool of_sum = reduction == PenaltyReduction::sum && !method.lambdas_of_sum.empty();
    if (method.lambda && !method.needs_unlabeled)
      values.lambdas[method.id] = of_sum ? method.lambdas_of_sum : method.lambdas;
  }
  return values;
}

void set_lambdas(Grid& values, const std::vector<double>& lambdas, bool unlabeled) {
  for (const auto& method : methods()) {
    if (method.lambda && (unlabeled || !method.needs_unlabeled)) values.lambdas[method.id] = lambdas;
  }
}

const std::vector<double>& lambdas_of(const Grid& values, Method method) {
  static const std::vector<double> none;
  const auto found = values.lambdas.find(method);
  return found == values.lambdas.end() ? none : found->second;
}

std::vector<Trial> grid(const Grid& values, Method method, SplitKind split, int restart) {
  std::vector<Trial> trials;
  for (const int members : values.members) {
    const Trial plain{.split = split, .method = method, .members = members, .lambda = std::nullopt, .restart = restart};
    const auto& lambdas = lambdas_of(values, method);
    if (lambdas.empty()) trials.push_back(plain);
    for (const double lambda : lambdas) {
      trials.push_back(plain);
      trials.back().lambda = lambda;
    }
  }
  return trials;
}

std::size_t grid_size(const Grid& values, Method method) {
  return values.members.size() * std::max<std::size_t>(1, lambdas_of(values, method).size());
}

void refuse_too_many_trials(const Grid& values, std::span<const Method> methods, std::span<const std::size_t> times) {
  std::size_t of_methods = 0;
  for (const auto method : methods) of_methods += grid_size(values, method);
  std::optional<std::size_t> trials = of_methods;
  for (const auto factor : times) trials = trials ? checked_size(*trials, factor) : trials;
  if (trials && *trials <= kMostTrials) return;
  throw ConfigError((trials ? "these are " + thousands(*trials) : std::string("these are more than 10^19")) +
                    " trials, and " + thousands(kMostTrials) +
                    " are the most; take fewer members, lambdas or restarts, or several studies");
}

std::vector<Trial> grid(const Grid& values, std::span<const Method> methods, SplitKind split, int restart) {
  std::vector<Trial> trials;
  for (const Method method : methods) {
    const auto own = grid(values, method, split, restart);
    trials.insert(trials.end(), own.begin(), own.end());
  }
  return trials;
}

double cost_of(const Trial& trial) { return method_info(trial.method).step_cost * trial.members; }

int TrialData::epochs_of(const TrainOptions& options) const {
  if (epochs) return *epochs;
  // When early stopping will end a training is not known. This is about as many epochs as it makes.
  return options.epochs.value_or(default_epochs(prepared.train.rows()));
}

double TrialData::row_visits(const TrainOptions& options) const {
  return static_cast<double>(epochs_of(options)) * static_cast<double>(prepared.train.rows());
}

TrialData prepare_trials(const Table& table, const RunOptions& options, SplitKind split, int restart,
                         const PrepareInputs& inputs) {
  RunOptions own = options;
  own.split.kind = split;
  own.train.seed += static_cast<std::uint64_t>(restart);
  return {.split = split, .restart = restart, .prepared = prepare(table, own, inputs), .epochs = std::nullopt};
}

const TrialData& data_of(std::span<const TrialData> data, const Trial& trial) {
  const auto found = std::ranges::find_if(
      data, [&](const TrialData& d) { return d.split == trial.split && d.restart == trial.restart; });
  PERPEND_CHECK(found != data.end());
  return *found;
}

RunOptions options_of(const TrialData& data, const RunOptions& options, const Trial& trial) {
  RunOptions own = options;
  own.split.kind = trial.split;
  own.lambda_auto = false;
  own.train.method = trial.method;
  own.train.members = trial.members;
  own.train.lambda = trial.lambda;
  own.train.seed += static_cast<std::uint64_t>(trial.restart);
  if (data.epochs) own.train.epochs = data.epochs;
  if (data.prepared.divided) own.refit = false;
  if (data.prepared.train.columns.empty()) {  // an option of another method may have asked for plain features
    own.views_auto = false;
    own.train.views.clear();
  }
  return own;
}

double work_of(const TrialData& data, const RunOptions& options, const Trial& trial) {
  const double training = cost_of(trial) * data.row_visits(options.train);
  if (!has_lambda(trial.method) || !chooses_lambda(options_of(data, options, trial))) return training;
  const auto rows = static_cast<double>(data.prepared.train.rows());
  const double share = std::min(1.0, static_cast<double>(kMostTrialRows) / rows);
  return training * (1 + share * static_cast<double>(lambda_grid().size()));
}

TrainResult train_trial(const TrialData& data, const RunOptions& options, const Trial& trial,
                        const StudyCallback& callback) {
  TrainOptions train_options = train_options_for(data.prepared, options_of(data, options, trial));
  if (data.epochs || train_options.early_stopping == 0) train_options.epochs = data.epochs_of(train_options);
  train_options.threads = 1;
  StopOnly stop(callback);
  const Dataset* validation = train_options.early_stopping > 0 ? &data.prepared.validation : nullptr;
  const bool with_unlabeled = data.prepared.unlabeled.rows() > 0 && support_of(train_options).unlabeled;
  const Tangents tangents = training_tangents(data.prepared, with_unlabeled);
  TrainResult trained = train({.train = &data.prepared.train,
                               .validation = validation,
                               .callback = &stop,
                               .tangents = &tangents,
                               .unlabeled = with_unlabeled ? &data.prepared.unlabeled : nullptr},
                              train_options);
  weigh_views(trained, data.prepared.validation, Threads(1));
  learn_aggregate(options, data.prepared.validation, Threads(1), trained);
  settle_decision(options, data.prepared.validation, Threads(1), trained);
  return trained;
}

namespace {

// Returns the trial with the lambda that `train` would use if it has none.
Trial with_lambda(const TrialData& data, const RunOptions& options, Trial trial, const StudyCallback& callback) {
  if (!has_lambda(trial.method) || trial.lambda) return trial;
  RunOptions own = with_views(options_of(data, options, trial));
  own.train.threads = 1;
  StopOnly stop(callback);
  const bool chosen = chooses_lambda(own) && data.prepared.validation.rows() > 0;
  trial.lambda = chosen ? choose_lambda(data.prepared, own, &stop).lambda : lambda_of(own.train);
  return trial;
}

Metric validation_merit(const TrainResult& trained, const Dataset& validation, const Threads& threads) {
  if (validation.quantity) {
    const auto members = member_predictions(trained.ensemble, validation.inputs.view(), threads);
    return score_numbers(combine(trained.decision, members.view()), targets_of(validation), validation.quantity->loss)
        .merit();
  }
  const auto members = member_probabilities(trained.ensemble, validation.inputs.view(), threads);
  return score_classes(decide(trained.decision, members).view(), validation.labels).merit();
}

}  // namespace

TrialResult run_trial(const TrialData& data, const RunOptions& options, const Trial& given,
                      const StudyCallback& callback) {
  const Trial trial = with_lambda(data, options, given, callback);
  const TrainResult trained = train_trial(data, options, trial, callback);
  TrialResult result{
      .trial = trial, .status = TrialStatus::ok, .validation_merit = {}, .test = {}, .divergence = trained.divergence};
  if (trained.status == TrainStatus::diverged) result.status = TrialStatus::diverged;
  if (trained.status == TrainStatus::stopped) result.status = TrialStatus::stopped;
  if (result.status != TrialStatus::ok) return result;
  const Threads alone(1);
  const Dataset& validation = data.prepared.validation;
  result.validation_merit = validation_merit(trained, validation, alone);
  result.test =
      evaluate_ensemble(trained.ensemble, trained.decision, data.prepared.test, alone, data.prepared.tangents.test);
  return result;
}

std::vector<TrialResult> run_trials(std::span<const TrialData> data, const RunOptions& options,
                                    std::span<const Trial> trials, const Threads& threads,
                                    const StudyCallback& callback) {
  std::vector<TrialResult> results(trials.size());
  const auto order = costly_first(data, options, trials);
  // Pieces take the next trial in turn, because for_each promises no order.
  std::atomic<std::size_t> next = 0;
  std::mutex telling;
  std::size_t done = 0;
  threads.for_each(trials.size(), [&](std::size_t) {
    const std::size_t i = order[next++];
    results[i].trial = trials[i];
    results[i].status = TrialStatus::stopped;
    if (callback.stop_requested && callback.stop_requested()) return;
    results[i] = run_trial(data_of(data, trials[i]), options, trials[i], callback);
    const std::scoped_lock lock(telling);
    if (callback.on_finish) callback.on_finish(++done);
  });
  return results;
}

std::string name_of(Method method) { return method_info(method).word; }

std::string name_of(SplitKind split) {
  RunOptions options;
  options.split.kind = split;
  const std::string json = find_option("split").json(options);
  return json.substr(1, json.size() - 2);  // without its quotes
}

}  // namespace perpend
