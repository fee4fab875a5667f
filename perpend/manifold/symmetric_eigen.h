// Eigenvalues and eigenvectors of a symmetric matrix, the same bits on every machine.
//
// Jacobi's method: A <- R^T A R with plane rotations R that make one entry off the diagonal zero, over all pairs p < q
// in order, until no entry is left that could change the diagonal. Only +, -, *, / and square roots in a fixed order,
// so the result depends on the numbers alone; its vectors are orthogonal to rounding however close eigenvalues are.
//
// Cost: some eight sweeps of 6 n^3 operations. Fine to a thousand columns (a few seconds); above, do not use it.
#pragma once

#include <vector>

#include "perpend/base/matrix.h"

namespace perpend {

namespace axis {
struct Direction;  // an eigenvector
}

struct SymmetricEigen {
  std::vector<double> values;                              // descending; equal ones in the order they stood in
  Matrix<double, axis::Direction, axis::Feature> vectors;  // row i belongs to values[i]
};

// For a covariance: a variance this small, relative to the largest, is a zero variance plus the rounding of float32.
constexpr double kNoVariance = 1e-10;

// The vectors have length 1, and their entry of largest absolute value (the first, on a tie) is positive.
SymmetricEigen symmetric_eigen(Matrix<double, axis::Feature, axis::Feature> a);

}  // namespace perpend
