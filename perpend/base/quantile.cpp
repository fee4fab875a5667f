#include "perpend/base/quantile.h"

#include <algorithm>
#include <cstddef>

#include "perpend/base/error.h"

namespace perpend {

double quantile(std::vector<double> values, double q) {
  PERPEND_CHECK(!values.empty() && q >= 0 && q <= 1);
  std::ranges::sort(values);
  const double position = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const double fraction = position - static_cast<double>(below);
  if (fraction == 0) return values[below];
  if (fraction == 0.5) return (values[below] + values[below + 1]) / 2;
  return values[below] + fraction * (values[below + 1] - values[below]);
}

}  // namespace perpend
