#include "perpend/base/quantile.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "perpend/base/error.h"

namespace perpend {

namespace {

double at_quantile(const std::vector<double>& sorted, double q) {
  PERPEND_CHECK(!sorted.empty() && q >= 0 && q <= 1);
  const double position = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const double fraction = position - static_cast<double>(below);
  if (fraction == 0) return sorted[below];
  if (fraction == 0.5) return (sorted[below] + sorted[below + 1]) / 2;
  return sorted[below] + fraction * (sorted[below + 1] - sorted[below]);
}

}  // namespace

double quantile(std::vector<double> values, double q) {
  std::ranges::sort(values);
  return at_quantile(values, q);
}

std::vector<double> quantiles(std::vector<double> values, std::span<const double> qs) {
  std::ranges::sort(values);
  std::vector<double> result;
  result.reserve(qs.size());
  for (const double q : qs) result.push_back(at_quantile(values, q));
  return result;
}

double weighted_quantile(std::span<const double> numbers, std::span<const double> weights, double q) {
  PERPEND_CHECK(!numbers.empty() && (weights.empty() || weights.size() == numbers.size()));
  std::vector<std::size_t> order(numbers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return numbers[i]; });
  const auto weight = [&](std::size_t i) { return weights.empty() ? 1.0 : weights[i]; };
  double all = 0;
  for (const std::size_t i : order) all += weight(i);
  double below = 0;
  for (const std::size_t i : order) {
    below += weight(i);
    if (below >= q * all && weight(i) > 0) return numbers[i];
  }
  return numbers[order.back()];
}

}  // namespace perpend
