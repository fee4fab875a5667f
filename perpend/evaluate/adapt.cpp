#include "perpend/evaluate/adapt.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "perpend/evaluate/blend.h"
#include "perpend/model/predict.h"
#include "perpend/model/regression.h"

namespace perpend {

namespace {

using LabelProbabilities = MatrixView<const double, axis::Member, axis::Row>;

// EM converges linearly: a limit for members so alike that their weights hardly matter.
constexpr int kMostSteps = 1000;
constexpr double kSettled = 1e-12;

// Each row is shared out among the members by what they contributed to its answer; a member's weight is its part of all
// rows and of the pull's.
std::vector<double> em_step(LabelProbabilities q, const std::vector<double>& weights) {
  std::vector<double> next(weights.size(), kAdaptPull / static_cast<double>(weights.size()));
  for (std::size_t r = 0; r < q.cols(); ++r) {
    double answer = 0;
    for (std::size_t m = 0; m < q.rows(); ++m) answer += weights[m] * std::max(q(m, r), kAdaptSmallest);
    for (std::size_t m = 0; m < q.rows(); ++m) next[m] += weights[m] * std::max(q(m, r), kAdaptSmallest) / answer;
  }
  double sum = 0;
  for (const double w : next) sum += w;
  for (double& w : next) w /= sum;
  return next;
}

}  // namespace

std::vector<double> adapted_weights(LabelProbabilities label_probabilities) {
  const std::size_t members = label_probabilities.rows();
  PERPEND_CHECK(members > 0);
  std::vector<double> weights(members, 1.0 / static_cast<double>(members));
  for (int step = 0; step < kMostSteps; ++step) {
    const std::vector<double> last = std::exchange(weights, em_step(label_probabilities, weights));
    double moved = 0;
    for (std::size_t m = 0; m < members; ++m) moved = std::max(moved, std::abs(weights[m] - last[m]));
    if (moved < kSettled) break;
  }
  return weights;
}

std::vector<double> adapted_weights(const Ensemble& ensemble, const Dataset& rows, const Threads& threads) {
  if (rows.quantity) {
    const std::vector<double> equal(ensemble.members.size(), 1.0 / static_cast<double>(ensemble.members.size()));
    return blended_shares(member_predictions(ensemble, rows.inputs.view(), threads).view(), targets_of(rows), {},
                          rows.quantity->loss, equal, kAdaptPull);
  }
  const auto probabilities = member_probabilities(ensemble, rows.inputs.view(), threads);
  Matrix<double, axis::Member, axis::Row> of_label(ensemble.members.size(), rows.rows());
  for (std::size_t m = 0; m < of_label.rows(); ++m) {
    for (std::size_t r = 0; r < of_label.cols(); ++r) {
      of_label(m, r) = probabilities[m](r, static_cast<std::size_t>(rows.labels[r]));
    }
  }
  return adapted_weights(of_label.view());
}

}  // namespace perpend
