// Solves systems of linear equations whose matrix is symmetric and positive definite, by Cholesky's factors: A = L L^T.
//
// Use it for a few dozen unknowns: it takes n^3 / 3 multiplications. Every sum is in ascending order, so the bits are
// the same everywhere. train/logistic.h has many columns and uses conjugate gradients.
#pragma once

#include <cstddef>
#include <vector>

namespace perpend {

class Cholesky {
 public:
  // matrix: n x n, row by row. Only the lower triangle is read. It must be positive definite (checked).
  Cholesky(std::vector<double> matrix, std::size_t n);

  std::vector<double> solve(std::vector<double> right_side) const;
  double log_determinant() const;  // log det A

 private:
  std::vector<double> factor_;  // L in the lower triangle
  std::size_t n_;
};

}  // namespace perpend
