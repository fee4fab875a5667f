#include "perpend/base/tail_probability.h"

#include <cmath>

#include "perpend/base/error.h"
#include "perpend/base/portable_math.h"

namespace perpend {

namespace {

constexpr double kRootPi = 1.7724538509055160273;

// erfc(x) for x >= 0. It is the power series of erf below 2 and a continued fraction of 60 steps above.
double erfc_of(double x) {
  if (x < 2) {
    double term = x, sum = x;
    for (int n = 1; n < 60; ++n) {
      term *= -x * x / n;
      sum += term / (2 * n + 1);
    }
    return 1 - 2 / kRootPi * sum;
  }
  double fraction = 0;
  for (int n = 60; n >= 1; --n) fraction = n / 2.0 / (x + fraction);
  return portable_exp(-x * x) / (kRootPi * (x + fraction));
}

}  // namespace

double normal_tails(double z) { return erfc_of(std::abs(z) * std::sqrt(0.5)); }

double chi_square_tail(double x, int degrees) {
  PERPEND_CHECK(degrees > 0);
  if (!(x > 0)) return 1;
  constexpr int kMostSummed = 100;
  if (degrees > kMostSummed) {
    const double k = degrees;
    // Newton's steps give the cube root, because the C library's differs between machines.
    const double ratio = x / k;
    double root = ratio > 1 ? ratio : 1;
    for (int step = 0; step < 200; ++step) root -= (root * root * root - ratio) / (3 * root * root);
    const double z = (root - (1 - 2 / (9 * k))) / std::sqrt(2 / (9 * k));
    return z > 0 ? normal_tails(z) / 2 : 1 - normal_tails(z) / 2;
  }
  const bool odd = degrees % 2 == 1;
  double tail = odd ? normal_tails(std::sqrt(x)) : portable_exp(-x / 2);
  // The first term: (x/2)^(1/2) e^(-x/2) / Gamma(3/2), or (x/2) e^(-x/2) / Gamma(2).
  double term = odd ? std::sqrt(x / 2) * portable_exp(-x / 2) * 2 / kRootPi : x / 2 * portable_exp(-x / 2);
  for (int k = odd ? 1 : 2; k < degrees; k += 2) {
    tail += term;
    term *= x / 2 / (k / 2.0 + 1);
  }
  return tail < 1 ? tail : 1;
}

}  // namespace perpend
