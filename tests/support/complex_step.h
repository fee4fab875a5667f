// Checks gradients by complex step: d f / d x_i = Im f(x + i h e_i) / h. Nothing is subtracted, so h = 1e-30 gives the
// derivative to the last digits of a double. f must be analytic where it is evaluated and must not conjugate.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace perpend::test {

// The largest |gradient_i - d f / d x_i| over the given coordinates, divided by |d f / d x_i| + the root mean square of
// all those derivatives. So a coordinate near zero is judged by the size of the others. The result is 0 if all are
// zero. f maps a vector of complex<double> to a complex<double>.
template <class Function>
double gradient_error(const Function& f, std::span<const double> x, std::span<const double> gradient,
                      std::span<const std::size_t> coordinates) {
  constexpr double kStep = 1e-30;
  std::vector<std::complex<double>> point(x.begin(), x.end());
  std::vector<double> exact;
  double squares = 0;
  for (const std::size_t i : coordinates) {
    point[i] = {x[i], kStep};
    exact.push_back(f(point).imag() / kStep);
    point[i] = x[i];
    squares += exact.back() * exact.back();
  }
  const double typical = std::sqrt(squares / static_cast<double>(coordinates.size()));
  double worst = 0;
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    const double error = std::abs(gradient[coordinates[k]] - exact[k]);
    if (error != 0) worst = std::max(worst, error / (std::abs(exact[k]) + typical));
    if (std::isnan(error)) return error;
  }
  return worst;
}

}  // namespace perpend::test
