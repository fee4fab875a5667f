#include "perpend/model/gate.h"

#include <algorithm>
#include <cmath>

#include "perpend/base/error.h"
#include "perpend/base/portable_math.h"

namespace perpend {

std::string problem_of(const Gate& gate, std::size_t members) {
  if (gate.theta.size() != members * kGateFeatures) return "it does not have four numbers per member";
  if (!std::ranges::all_of(gate.theta, [](double x) { return std::abs(x) <= kMostTheta; })) {
    return "a number is not from -1000 to 1000";
  }
  if (!(std::abs(gate.centre) <= 1e300 && gate.scale > 0 && gate.scale <= 1e300)) {
    return "its centre and scale are not those of a target";
  }
  return "";
}

GateFeatures gate_features(std::span<const double> weights, std::span<const double> probabilities,
                           std::size_t classes) {
  PERPEND_CHECK(probabilities.size() == weights.size() * classes);
  std::vector<double> z(probabilities.size());
  std::vector<double> mean(classes, 0.0);
  for (std::size_t m = 0; m < weights.size(); ++m) {
    double* own = &z[m * classes];
    double sum = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      sum += own[k] = portable_log(std::max(probabilities[m * classes + k], kLeastGated));
    }
    for (std::size_t k = 0; k < classes; ++k) mean[k] += weights[m] * (own[k] -= sum / static_cast<double>(classes));
  }
  double spread = 0;
  for (std::size_t m = 0; m < weights.size(); ++m) {
    double apart = 0;
    for (std::size_t k = 0; k < classes; ++k) apart += (z[m * classes + k] - mean[k]) * (z[m * classes + k] - mean[k]);
    spread += weights[m] * apart / static_cast<double>(classes);
  }
  return {1, classes == 2 ? mean[1] : 0, *std::ranges::max_element(mean), std::sqrt(spread)};
}

GateFeatures gate_features(std::span<const double> weights, std::span<const double> predictions, double centre,
                           double scale) {
  PERPEND_CHECK(predictions.size() == weights.size());
  double mean = 0;
  for (std::size_t m = 0; m < weights.size(); ++m) mean += weights[m] * (predictions[m] - centre) / scale;
  double spread = 0;
  for (std::size_t m = 0; m < weights.size(); ++m) {
    const double apart = (predictions[m] - centre) / scale - mean;
    spread += weights[m] * apart * apart;
  }
  const double side = std::clamp(mean, -kMostGated, kMostGated);
  return {1, side, std::abs(side), std::min(std::sqrt(spread), kMostGated)};
}

std::vector<double> gated_weights(std::span<const double> weights, const Gate& gate, const GateFeatures& features) {
  std::vector<double> gated(weights.size());
  for (std::size_t m = 0; m < weights.size(); ++m) {
    for (std::size_t f = 0; f < kGateFeatures; ++f) gated[m] += gate.theta[m * kGateFeatures + f] * features[f];
  }
  const double largest = *std::ranges::max_element(gated);
  double sum = 0;
  for (std::size_t m = 0; m < weights.size(); ++m) sum += gated[m] = weights[m] * portable_exp(gated[m] - largest);
  if (!(sum > 0)) return {weights.begin(), weights.end()};  // the gate gives all weight to members with weight 0
  for (double& weight : gated) weight /= sum;
  return gated;
}

}  // namespace perpend
