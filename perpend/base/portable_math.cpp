#include "perpend/base/portable_math.h"

#include <cmath>
#include <limits>

namespace perpend {

namespace {

constexpr double kLn2High = 0x1.62e42fefa3800p-1;  // its product with any exponent is exact
constexpr double kLn2Low = 0x1.ef35793c76730p-45;

}  // namespace

double portable_log(double x) {
  // x = m 2^e with m in [sqrt(1/2), sqrt(2)). log m = 2 atanh((m - 1) / (m + 1)) comes from its odd series.
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.70710678118654752) {
    m *= 2;
    --exponent;
  }
  const double s = (m - 1) / (m + 1);
  const double s2 = s * s;
  double series = 0;
  for (int k = 23; k >= 3; k -= 2) series = (series + 1.0 / k) * s2;
  return exponent * kLn2High + (2 * s + (2 * s * series + exponent * kLn2Low));
}

double portable_exp(double x) {
  // x = k ln 2 + r with |r| <= ln(2) / 2. exp r comes from its series, whose first omitted term is below 2^-57.
  constexpr double kLog2E = 0x1.71547652b82fep+0;
  if (x > 709.79) return std::numeric_limits<double>::infinity();
  if (x < -745.2) return 0;
  const double k = std::floor(x * kLog2E + 0.5);
  const double r = (x - k * kLn2High) - k * kLn2Low;
  double series = 0;
  for (int n = 13; n >= 2; --n) series = (series + 1) * r / n;
  return std::ldexp(1 + (r + r * series), static_cast<int>(k));
}

}  // namespace perpend
