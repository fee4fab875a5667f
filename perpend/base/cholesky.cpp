#include "perpend/base/cholesky.h"

#include <cmath>

#include "perpend/base/error.h"
#include "perpend/base/portable_math.h"

namespace perpend {

Cholesky::Cholesky(std::vector<double> matrix, std::size_t n) : factor_(std::move(matrix)), n_(n) {
  PERPEND_CHECK(factor_.size() == n * n);
  for (std::size_t i = 0; i < n; ++i) {
    double* row = &factor_[i * n];
    for (std::size_t j = 0; j <= i; ++j) {
      const double* other = &factor_[j * n];
      double left = row[j];
      for (std::size_t k = 0; k < j; ++k) left -= row[k] * other[k];
      if (i == j) PERPEND_CHECK(left > 0);
      row[j] = i == j ? std::sqrt(left) : left / other[j];
    }
  }
}

std::vector<double> Cholesky::solve(std::vector<double> right_side) const {
  PERPEND_CHECK(right_side.size() == n_);
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t k = 0; k < i; ++k) right_side[i] -= factor_[i * n_ + k] * right_side[k];
    right_side[i] /= factor_[i * n_ + i];
  }
  for (std::size_t i = n_; i-- > 0;) {
    for (std::size_t k = i + 1; k < n_; ++k) right_side[i] -= factor_[k * n_ + i] * right_side[k];
    right_side[i] /= factor_[i * n_ + i];
  }
  return right_side;
}

double Cholesky::log_determinant() const {
  double sum = 0;
  for (std::size_t i = 0; i < n_; ++i) sum += 2 * portable_log(factor_[i * n_ + i]);
  return sum;
}

}  // namespace perpend
