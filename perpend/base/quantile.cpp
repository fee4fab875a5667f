#include "perpend/base/quantile.h"

#include <algorithm>
#include <cstddef>

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

}  // namespace perpend
