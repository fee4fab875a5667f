// Principal directions of encoded rows: where the data vary, and how much.
//
// C = sum_r w_r (x_r - mean)(x_r - mean)^T / sum_r w_r is summed in double in the order of the rows. Its eigenvectors
// are the directions, and its eigenvalues are their variances. The bits are the same on every machine and for any
// number of threads.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/base/parallel.h"
#include "perpend/base/tangents.h"
#include "perpend/manifold/symmetric_eigen.h"

namespace perpend {

// With more columns than this, PCA would take minutes.
constexpr std::size_t kMostPcaColumns = 1024;

// weights: one per row. If they are empty or all 0, every row counts once. There must be at least one row.
Matrix<double, axis::Feature, axis::Feature> covariance(InputsView inputs, std::span<const float> weights,
                                                        const Threads& threads);

SymmetricEigen principal_directions(InputsView inputs, std::span<const float> weights, const Threads& threads);

// The share of the variance that the first `directions` directions carry. It is 0 for data that do not vary.
double variance_share(const SymmetricEigen& principal, std::size_t directions);
// The fewest directions whose share is at least `share`, in (0, 1]; at least 1.
std::size_t directions_for(const SymmetricEigen& principal, double share);
// In how many directions the data vary at all, that is, with a variance above 1e-10 of the largest. Levels of a column
// that sum to 1, copies and constant columns each reduce it by one.
std::size_t rank_of(const SymmetricEigen& principal);

// One basis for all rows: the first `directions` directions, which are orthonormal.
Tangents first_directions(const SymmetricEigen& principal, std::size_t directions);

}  // namespace perpend
