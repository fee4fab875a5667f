#include "perpend/run/baselines.h"

#include <algorithm>
#include <cmath>

#include "perpend/base/quantile.h"
#include "perpend/evaluate/ensemble.h"
#include "perpend/evaluate/regression.h"
#include "perpend/model/decision.h"
#include "perpend/model/predict.h"
#include "perpend/model/regression.h"
#include "perpend/train/logistic.h"
#include "perpend/train/logistic_member.h"

namespace perpend {

namespace {

using ClassMatrix = Matrix<double, axis::Row, axis::Out>;

constexpr std::size_t kRowsAtOnce = 4096;

std::vector<double> class_shares(const Dataset& train) {
  std::vector<double> shares(train.classes.size(), 0);
  double total = 0;
  for (std::size_t r = 0; r < train.rows(); ++r) {
    const double weight = train.weights.empty() ? 1 : train.weights[r];
    shares[static_cast<std::size_t>(train.labels[r])] += weight;
    total += weight;
  }
  for (double& share : shares) share = total > 0 ? share / total : 1 / static_cast<double>(shares.size());
  return shares;
}

}  // namespace

ClassMatrix logistic_answers(const Dataset& train, const Dataset& part) {
  const LogisticRegression model =
      fit_logistic(linear_design(train, train.columns).view(), train.labels, train.classes.size(), train.weights);
  const auto found = class_probabilities(model, linear_design(part, train.columns).view());
  ClassMatrix answers(found.rows(), found.cols());
  for (std::size_t r = 0; r < found.rows(); ++r) std::copy_n(found.row(r), found.cols(), answers.row(r));
  return answers;
}

ClassMatrix majority_answers(const Dataset& train, const Dataset& part) {
  const auto shares = class_shares(train);
  ClassMatrix answers(part.rows(), shares.size());
  for (std::size_t r = 0; r < part.rows(); ++r) std::ranges::copy(shares, answers.row(r));
  return answers;
}

std::vector<double> linear_answers(const Dataset& train, const Dataset& part) {
  const LinearRegression line =
      fit_linear(linear_design(train, train.columns).view(), train.targets, train.quantity->loss, train.weights);
  std::vector<double> answers = predictions(line, linear_design(part, train.columns).view());
  for (double& answer : answers) answer = train.quantity->predicted(answer);
  return answers;
}

std::vector<double> constant_answers(const Dataset& train, const Dataset& part) {
  const std::vector<double> targets = targets_of(train);
  const std::vector<double> weights(train.weights.begin(), train.weights.end());
  double constant = 0;
  if (train.quantity->loss.kind == RegressionLoss::Kind::squared) {
    constant = mean_over_rows(targets, train.weights).mean;
  } else {
    constant = weighted_quantile(targets, weights, train.quantity->loss.share_below());
  }
  return std::vector<double>(part.rows(), constant);
}

bool wants_baselines(const TrainOptions& options) { return options.shuffle; }

namespace {

// Returns the losses of a part's rows in the target's units, as Scores::loss has them.
std::vector<double> losses_in_units(std::span<const double> answers, const Dataset& part) {
  const RegressionLoss& loss = part.quantity->loss;
  const std::vector<double> targets = targets_of(part);
  std::vector<double> losses;
  for (std::size_t r = 0; r < targets.size(); ++r) {
    const double error = answers[r] - targets[r];
    losses.push_back(loss.kind == RegressionLoss::Kind::squared ? error * error : loss.value(error));
  }
  return losses;
}

Baselines number_baselines(const Dataset& train, const Dataset& part, const TrainResult& trained,
                           const Threads& threads) {
  const auto linear = linear_answers(train, part);
  const auto targets = targets_of(part);
  Baselines found{.logistic = score_numbers(linear, targets, part.quantity->loss),
                  .majority = score_numbers(constant_answers(train, part), targets, part.quantity->loss)};
  const auto members = member_predictions(trained.ensemble, part.inputs.view(), threads);
  std::vector<double> differences = losses_in_units(combine(trained.decision, members.view()), part);
  const auto theirs = losses_in_units(linear, part);
  for (std::size_t r = 0; r < differences.size(); ++r) differences[r] -= theirs[r];
  const MeanOverRows behind = mean_over_rows(differences);
  found.behind_logistic = behind.mean;
  found.standard_error = behind.standard_error;
  return found;
}

}  // namespace

const Dataset& judged_part(const Prepared& data) {
  if (data.test.rows() > 0) return data.test;
  return data.validation.rows() > 0 ? data.validation : data.train;
}

Baselines measure_baselines(const Prepared& data, const TrainResult& trained, const Threads& threads) {
  const Dataset& part = judged_part(data);
  if (part.quantity) return number_baselines(data.train, part, trained, threads);
  const ClassMatrix logistic = logistic_answers(data.train, part);
  Baselines found{.logistic = score_classes(logistic.view(), part.labels),
                  .majority = score_classes(majority_answers(data.train, part).view(), part.labels)};
  std::vector<double> differences = ensemble_losses(trained, part, threads);
  const auto theirs = row_log_losses(logistic.view(), part.labels);
  for (std::size_t r = 0; r < differences.size(); ++r) differences[r] -= theirs[r];
  const MeanOverRows behind = mean_over_rows(differences);
  found.behind_logistic = behind.mean;
  found.standard_error = behind.standard_error;
  return found;
}

std::vector<double> ensemble_losses(const TrainResult& trained, const Dataset& part, const Threads& threads) {
  if (part.quantity) return regression_losses(trained.ensemble, trained.decision, part, threads);
  std::vector<double> losses;
  losses.reserve(part.rows());
  for (std::size_t first = 0; first < part.rows(); first += kRowsAtOnce) {
    const std::size_t count = std::min(kRowsAtOnce, part.rows() - first);
    const auto members = member_probabilities(trained.ensemble, part.inputs.view().middle_rows(first, count), threads);
    const auto some =
        row_log_losses(decide(trained.decision, members).view(), std::span(part.labels).subspan(first, count));
    losses.insert(losses.end(), some.begin(), some.end());
  }
  return losses;
}

MeanOverRows mean_over_rows(const std::vector<double>& values, std::span<const float> weights) {
  double all = 0;
  double sum = 0;
  double squares = 0;
  for (std::size_t r = 0; r < values.size(); ++r) {
    const double weight = weights.empty() ? 1 : weights[r];
    all += weight;
    sum += weight * values[r];
    squares += weight * values[r] * values[r];
  }
  if (all == 0) return mean_over_rows(values, {});
  const double variance = std::max(0.0, squares / all - sum / all * (sum / all));
  return {sum / all, std::sqrt(variance / static_cast<double>(values.size()))};
}

}  // namespace perpend
