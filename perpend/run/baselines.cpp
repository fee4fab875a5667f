#include "perpend/run/baselines.h"

#include <algorithm>
#include <cmath>

#include "perpend/evaluate/ensemble.h"
#include "perpend/model/decision.h"
#include "perpend/model/predict.h"
#include "perpend/train/logistic.h"
#include "perpend/train/logistic_member.h"

namespace perpend {

namespace {

using ClassMatrix = Matrix<double, axis::Row, axis::Out>;

constexpr std::size_t kRowsAtOnce = 4096;

const Dataset& judged_part(const Prepared& data) {
  if (data.test.rows() > 0) return data.test;
  return data.validation.rows() > 0 ? data.validation : data.train;
}

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

bool wants_baselines(const TrainOptions& options) { return options.shuffle; }

Baselines measure_baselines(const Prepared& data, const TrainResult& trained, const Threads& threads) {
  const Dataset& part = judged_part(data);
  const ClassMatrix logistic = logistic_answers(data.train, part);
  Baselines found{.logistic = score_classes(logistic.view(), part.labels),
                  .majority = score_classes(majority_answers(data.train, part).view(), part.labels)};
  std::vector<double> differences = ensemble_log_losses(trained, part, threads);
  const auto theirs = row_log_losses(logistic.view(), part.labels);
  for (std::size_t r = 0; r < differences.size(); ++r) differences[r] -= theirs[r];
  const MeanOverRows behind = mean_over_rows(differences);
  found.behind_logistic = behind.mean;
  found.standard_error = behind.standard_error;
  return found;
}

std::vector<double> ensemble_log_losses(const TrainResult& trained, const Dataset& part, const Threads& threads) {
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
