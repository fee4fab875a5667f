#include "perpend/run/calibrate.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "perpend/base/error.h"
#include "perpend/base/portable_math.h"

namespace perpend {

namespace {

using Answered = MatrixView<const double, axis::Row, axis::Out>;

constexpr int kHalvings = 40;

double weight_of(std::span<const float> weights, std::size_t row) {
  return weights.empty() ? 1 : static_cast<double>(weights[row]);
}

std::vector<double> logs_of(Answered probabilities) {
  std::vector<double> logs;
  for (std::size_t r = 0; r < probabilities.rows(); ++r) {
    for (std::size_t k = 0; k < probabilities.cols(); ++k) {
      logs.push_back(portable_log(std::max(probabilities(r, k), kLeastTempered)));
    }
  }
  return logs;
}

// The derivative by u of the rows' log-likelihood, where u = ln b and the logarithms of the probabilities are
// multiplied by b.
double slope(const std::vector<double>& logs, std::size_t classes, std::span<const std::int32_t> labels,
             std::span<const float> weights, double b) {
  double sum = 0;
  std::vector<double> q(classes);
  for (std::size_t r = 0; r < labels.size(); ++r) {
    const double* row = logs.data() + r * classes;
    for (std::size_t k = 0; k < classes; ++k) q[k] = b * row[k];
    softmax(q);
    double expected = 0;
    for (std::size_t k = 0; k < classes; ++k) expected += q[k] * row[k];
    sum += weight_of(weights, r) * (row[static_cast<std::size_t>(labels[r])] - expected);
  }
  return b * sum;
}

double fit_temperature(Answered probabilities, std::span<const std::int32_t> labels, std::span<const float> weights) {
  const auto logs = logs_of(probabilities);
  double low = portable_log(1 / kMostTemperature);
  double high = portable_log(1 / kLeastTemperature);
  for (int i = 0; i < kHalvings; ++i) {
    const double u = (low + high) / 2;
    const bool rises = slope(logs, probabilities.cols(), labels, weights, portable_exp(u)) > kTemperatureStrength * u;
    (rises ? low : high) = u;
  }
  return std::clamp(portable_exp(-(low + high) / 2), kLeastTemperature, kMostTemperature);
}

// Rows with like probabilities.
struct Group {
  double weight = 0, probability = 0, positive = 0;  // the last two are sums by weight

  double frequency() const { return positive / weight; }
  Group& operator+=(const Group& more) {
    weight += more.weight;
    probability += more.probability;
    positive += more.positive;
    return *this;
  }
};

// Returns at most kMostKnots groups. Rows of equal probability stay together.
std::vector<Group> groups_of(Answered probabilities, std::span<const std::int32_t> labels,
                             std::span<const float> weights) {
  std::vector<std::size_t> order(labels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t r) { return probabilities(r, 1); });
  const std::size_t size = (order.size() + kMostKnots - 1) / kMostKnots;
  std::vector<Group> groups;
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    Group group;
    for (; last < order.size(); ++last) {
      const double p = probabilities(order[last], 1);
      if (last >= first + size && p != probabilities(order[last - 1], 1)) break;
      const double weight = weight_of(weights, order[last]);
      group += {weight, weight * p, labels[order[last]] == 1 ? weight : 0};
    }
    if (group.weight > 0) groups.push_back(group);
  }
  return groups;
}

std::vector<Group> pooled(const std::vector<Group>& groups) {
  std::vector<Group> rising;
  for (const Group& group : groups) {
    rising.push_back(group);
    while (rising.size() > 1 && rising[rising.size() - 2].frequency() >= rising.back().frequency()) {
      rising[rising.size() - 2] += rising.back();
      rising.pop_back();
    }
  }
  return rising;
}

std::vector<Knot> fit_knots(Answered probabilities, std::span<const std::int32_t> labels,
                            std::span<const float> weights) {
  const double least = std::max(kLeastMapped, 1 / (static_cast<double>(labels.size()) + 2));
  std::vector<Knot> knots;
  for (const Group& group : pooled(groups_of(probabilities, labels, weights))) {
    const Knot knot{std::clamp(group.probability / group.weight, 0.0, 1.0),
                    std::clamp(group.frequency(), least, 1 - least)};
    if (knots.empty() || knot.from > knots.back().from) knots.push_back(knot);
  }
  if (knots.empty()) return {{0, least}, {1, 1 - least}};  // all weights are 0
  if (knots.size() == 1) return {{0, knots[0].to}, {1, knots[0].to}};
  return knots;
}

}  // namespace

ProbabilityMap fit_map(Calibrator kind, Answered probabilities, std::span<const std::int32_t> labels,
                       std::span<const float> weights) {
  PERPEND_CHECK(probabilities.rows() == labels.size() && !labels.empty());
  ProbabilityMap map{.kind = kind};
  if (kind == Calibrator::temperature) map.temperature = fit_temperature(probabilities, labels, weights);
  if (kind == Calibrator::isotonic) map.knots = fit_knots(probabilities, labels, weights);
  PERPEND_CHECK(problem_of(map, probabilities.cols()).empty());
  return map;
}

}  // namespace perpend
