// Systems of linear equations whose matrix is symmetric and positive definite, by Cholesky's factors: A = L L^T.
//
// It is for a few dozen unknowns: n^3 / 3 multiplications, every sum in ascending order, so that the bits are the same
// everywhere. train/logistic.h has many columns and takes conjugate gradients.
#pragma once

#include <cstddef>
#include <vector>

namespace perpend {

class Cholesky {
 public:
  // matrix: n x n, row by row, of which the lower triangle is read. It must be positive definite (checked).
  Cholesky(std::vector<double> matrix, std::size_t n);

  std::vector<double> solve(std::vector<double> right_side) const;
  double log_determinant() const;  // of A

 private:
  std::vector<double> factor_;  // L in the lower triangle
  std::size_t n_;
};

}  // namespace perpend
