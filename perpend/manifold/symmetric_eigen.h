// Eigenvalues and eigenvectors of a symmetric matrix, with the same bits on every machine.
//
// This is Jacobi's method: A <- R^T A R with plane rotations R that make one entry off the diagonal zero. It goes over
// all pairs p < q in order, until no entry is left that could change the diagonal. It uses only +, -, *, / and square
// roots in a fixed order, so the result depends on the numbers alone. The vectors are orthogonal up to rounding,
// however close eigenvalues are.
//
// It costs about eight sweeps of 6 n^3 operations, which is a few seconds for a thousand columns. Do not use it for
// more.
#pragma once

#include <vector>

#include "perpend/base/matrix.h"

namespace perpend {

namespace axis {
struct Direction;  // an eigenvector
}

struct SymmetricEigen {
  std::vector<double> values;                              // descending; equal ones keep their order
  Matrix<double, axis::Direction, axis::Feature> vectors;  // row i belongs to values[i]
};

// For a covariance: a variance this small, relative to the largest, is a zero variance plus the rounding of float32.
constexpr double kNoVariance = 1e-10;

// The vectors have length 1, and their entry of largest absolute value (the first, on a tie) is positive.
SymmetricEigen symmetric_eigen(Matrix<double, axis::Feature, axis::Feature> a);

}  // namespace perpend
