#include "perpend/data/moments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace perpend {

namespace {

constexpr std::size_t kBlock = 8192;
constexpr std::size_t kRun = 128;
constexpr std::size_t kLanes = 8;

double run_sum(std::span<const double> values) {
  double rest = 0;
  if (values.size() < kLanes) {
    for (const double value : values) rest += value;
    return rest;
  }
  std::array<double, kLanes> lanes{};
  std::copy_n(values.begin(), kLanes, lanes.begin());
  std::size_t i = kLanes;
  for (; i + kLanes <= values.size(); i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += values[i + lane];
  }
  double sum = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
  for (; i < values.size(); ++i) sum += values[i];
  return sum;
}

double pairwise_sum(std::span<const double> values) {
  if (values.size() <= kRun) return run_sum(values);
  const std::size_t half = values.size() / 2 / kLanes * kLanes;
  return pairwise_sum(values.first(half)) + pairwise_sum(values.subspan(half));
}

}  // namespace

double ordered_sum(std::span<const double> values, SumOrder order) {
  double sum = 0;
  if (order == SumOrder::rows) {
    for (const double value : values) sum += value;
    return sum;
  }
  for (std::size_t first = 0; first < values.size(); first += kBlock) {
    sum += pairwise_sum(values.subspan(first, std::min(kBlock, values.size() - first)));
  }
  return sum;
}

Moments moments(std::span<const double> values, SumOrder order) {
  const auto count = static_cast<double>(values.size());
  const double mean = ordered_sum(values, order) / count;
  std::vector<double> squares(values.begin(), values.end());
  for (double& x : squares) x = (x - mean) * (x - mean);
  return {.mean = mean, .sd = std::sqrt(ordered_sum(squares, order) / count)};
}

}  // namespace perpend
