#include "perpend/model/probability_map.h"

#include <algorithm>

#include "perpend/base/portable_math.h"

namespace perpend {

namespace {

double on_curve(const std::vector<Knot>& knots, double p) {
  const auto above = std::ranges::upper_bound(knots, p, {}, &Knot::from);
  if (above == knots.begin()) return knots.front().to;
  if (above == knots.end()) return knots.back().to;
  const Knot& below = *(above - 1);
  return below.to + (above->to - below.to) * ((p - below.from) / (above->from - below.from));
}

std::string problem_of_knots(const std::vector<Knot>& knots) {
  if (knots.size() < 2 || knots.size() > kMostKnots) {
    return "an isotonic map does not have 2 to " + std::to_string(kMostKnots) + " knots";
  }
  for (std::size_t i = 0; i < knots.size(); ++i) {
    if (!(knots[i].from >= 0 && knots[i].from <= 1)) return "a knot begins at no probability";
    if (!(knots[i].to >= kLeastMapped && knots[i].to <= 1 - kLeastMapped)) return "a knot leads to 0, 1 or beyond";
    if (i > 0 && !(knots[i - 1].from < knots[i].from)) return "the knots do not ascend";
    if (i > 0 && knots[i].to < knots[i - 1].to) return "the curve through the knots falls";
  }
  return "";
}

}  // namespace

std::string problem_of(const ProbabilityMap& map, std::size_t classes) {
  switch (map.kind) {
    case Calibrator::none:
      return "";
    case Calibrator::temperature:
      if (map.temperature >= kLeastTemperature && map.temperature <= kMostTemperature) return "";
      return "the temperature is not from 1/16 to 16";
    case Calibrator::isotonic:
      return classes == 2 ? problem_of_knots(map.knots) : "an isotonic map is for two classes";
  }
  return "";
}

void apply(const ProbabilityMap& map, std::span<double> probabilities) {
  if (map.kind == Calibrator::temperature) {
    for (double& p : probabilities) p = portable_log(std::max(p, kLeastTempered)) / map.temperature;
    softmax(probabilities);
  } else if (map.kind == Calibrator::isotonic) {
    probabilities[1] = on_curve(map.knots, probabilities[1]);
    probabilities[0] = 1 - probabilities[1];
  }
}

void softmax(std::span<double> scores) {
  const double largest = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (double& score : scores) sum += score = portable_exp(score - largest);
  for (double& score : scores) score /= sum;
}

}  // namespace perpend
