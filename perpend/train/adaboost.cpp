#include "perpend/train/adaboost.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "perpend/base/error.h"
#include "perpend/base/portable_math.h"
#include "perpend/model/decision.h"
#include "perpend/model/predict.h"

namespace perpend {

namespace {

constexpr double kLeastRowWeight = 0x1p-52;

void normalize(std::vector<double>& weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (sum <= 0) return;
  // The weight of a row that is never wrong would vanish, and could not grow again when later learners need it.
  for (double& w : weights) w = w > 0 ? std::max(w / sum, kLeastRowWeight) : 0;
}

// The logarithm of the factor on a row's weight.
double real_exponent(const float* p, std::size_t classes, std::size_t label) {
  const auto k = static_cast<double>(classes);
  double sum = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    const double log_p = portable_log(std::max(static_cast<double>(p[c]), kLeastBoostedProbability));
    sum += c == label ? log_p : -log_p / (k - 1);
  }
  return -(k - 1) / k * sum;
}

std::vector<float> with_mean_one(const std::vector<double>& weights) {
  std::vector<float> scaled;
  for (const double w : weights) scaled.push_back(static_cast<float>(w * static_cast<double>(weights.size())));
  return scaled;
}

TrainResult train_learner(const TrainingTask& whole, std::size_t m, const std::vector<double>& row_weights,
                          std::int64_t steps_before, const Threads& threads) {
  const auto scaled = with_mean_one(row_weights);
  TrainingTask task = whole;
  task.start = member_alone(whole.start, m);
  task.first_member = m;
  task.row_weights = scaled;
  task.round = static_cast<int>(m) + 1;
  task.steps_before = steps_before;
  return run_training(task, threads);
}

// Adds up everything but the networks.
void account(TrainResult& whole, TrainResult& one) {
  whole.steps += one.steps;
  whole.status = one.status;
  whole.divergence = one.divergence;
  std::move(one.log.epochs.begin(), one.log.epochs.end(), std::back_inserter(whole.log.epochs));
}

// Boosts by a finished learner.
BoostingStep boosted(const TrainingTask& task, const Ensemble& learner, std::vector<double> row_weights,
                     const Threads& threads) {
  const Dataset& data = *task.input.train;
  if (data.quantity) {
    const auto scores = member_scores(learner, data.inputs.view(), threads);
    std::vector<double> predictions;
    for (std::size_t r = 0; r < data.rows(); ++r) predictions.push_back(scores[0](r, 0));
    return boost_r2(predictions, data.targets, std::move(row_weights));
  }
  const auto probabilities = member_probabilities(learner, data.inputs.view(), threads);
  return boost(task.options.boosting, probabilities[0], data.labels, std::move(row_weights));
}

Decision decision_of(const TrainingTask& task, std::vector<double> weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& w : weights) w /= sum;
  if (task.input.train->quantity) return {Rule::median, std::move(weights)};
  return {task.options.boosting == Boosting::samme_r ? Rule::samme_r : Rule::samme, std::move(weights)};
}

}  // namespace

std::vector<double> first_row_weights(std::size_t rows, std::span<const float> given) {
  std::vector<double> weights(rows, 1.0);
  if (!given.empty()) weights.assign(given.begin(), given.end());
  normalize(weights);
  return weights;
}

BoostingStep boost(Boosting boosting, MatrixView<const float, axis::Row, axis::Out> probabilities,
                   std::span<const std::int32_t> labels, std::vector<double> row_weights) {
  const std::size_t classes = probabilities.cols();
  const auto k = static_cast<double>(classes);
  PERPEND_CHECK(labels.size() == probabilities.rows() && labels.size() == row_weights.size());
  const auto wrong = [&](std::size_t r) {
    return vote(probabilities.row(r), classes) != static_cast<std::size_t>(labels[r]);
  };
  double errors = 0;
  double all = 0;
  for (std::size_t r = 0; r < labels.size(); ++r) {
    all += row_weights[r];
    if (wrong(r)) errors += row_weights[r];
  }
  BoostingStep step{errors > 0 ? errors / all : 0, 1, Verdict::go_on, std::move(row_weights)};
  if (errors <= 0) step.verdict = Verdict::perfect;
  if (boosting == Boosting::samme && step.error >= 1 - 1 / k) step.verdict = Verdict::chance;
  if (step.verdict != Verdict::go_on) return step;
  if (boosting == Boosting::samme) step.weight = portable_log((1 - step.error) / step.error) + portable_log(k - 1);
  for (std::size_t r = 0; r < labels.size(); ++r) {
    if (boosting == Boosting::samme_r) {
      step.row_weights[r] *=
          portable_exp(real_exponent(probabilities.row(r), classes, static_cast<std::size_t>(labels[r])));
    } else if (wrong(r)) {
      step.row_weights[r] *= portable_exp(step.weight);
    }
  }
  normalize(step.row_weights);
  return step;
}

BoostingStep boost_r2(std::span<const double> predictions, std::span<const float> targets,
                      std::vector<double> row_weights) {
  PERPEND_CHECK(predictions.size() == targets.size() && predictions.size() == row_weights.size());
  double largest = 0;
  for (std::size_t r = 0; r < targets.size(); ++r) {
    if (row_weights[r] > 0) largest = std::max(largest, std::abs(predictions[r] - targets[r]));
  }
  const auto lost = [&](std::size_t r) { return std::abs(predictions[r] - targets[r]) / largest; };
  BoostingStep step{0, 1, Verdict::perfect, std::move(row_weights)};
  if (largest == 0) return step;
  double all = 0;
  for (std::size_t r = 0; r < targets.size(); ++r) {
    if (step.row_weights[r] == 0) continue;
    all += step.row_weights[r];
    step.error += step.row_weights[r] * lost(r);
  }
  step.error /= all;
  step.verdict = step.error >= 0.5 ? Verdict::chance : Verdict::go_on;
  if (step.verdict == Verdict::chance) return step;
  step.weight = portable_log((1 - step.error) / step.error);
  for (std::size_t r = 0; r < targets.size(); ++r) {
    if (step.row_weights[r] > 0) step.row_weights[r] *= portable_exp(-step.weight * (1 - lost(r)));
  }
  normalize(step.row_weights);
  return step;
}

TrainResult train_adaboost(const TrainingTask& task, const Threads& threads) {
  const Dataset& data = *task.input.train;
  TrainResult result;
  result.ensemble.architecture = task.start.architecture;
  auto row_weights = first_row_weights(data.rows(), task.row_weights);
  std::vector<double> says;
  for (std::size_t m = 0; m < task.start.members.size(); ++m) {
    TrainResult one = train_learner(task, m, row_weights, result.steps, threads);
    account(result, one);
    if (one.status == TrainStatus::diverged) {
      result.ensemble = {};
      return result;
    }
    if (one.status == TrainStatus::stopped && m > 0) break;
    BoostingStep step = boosted(task, one.ensemble, std::move(row_weights), threads);
    result.log.rounds.push_back({step.error, step.weight});
    if (step.verdict == Verdict::chance && m > 0) break;
    result.ensemble.members.push_back(std::move(one.ensemble.members.front()));
    says.push_back(step.weight);
    if (step.verdict != Verdict::go_on || one.status == TrainStatus::stopped) break;
    row_weights = std::move(step.row_weights);
  }
  result.decision = decision_of(task, std::move(says));
  return result;
}

}  // namespace perpend
