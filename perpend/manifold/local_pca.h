// A tangent basis for each row from its neighbourhood: the principal directions of its nearest training rows.
//
// The neighbourhood of a row is its k nearest rows (Euclidean, in encoded columns) among the training rows, itself
// included where it is one of them, equal distances in the order of the rows; k = local_neighbours(directions). Where
// the neighbours span fewer than `directions` directions, the rest of the basis is zero and counts for nothing.
//
// Cost: rows * training rows * columns for the search, and a small eigenproblem a row: seconds for some thousand rows,
// minutes for 50,000; more than kMostLocalRows training rows are refused. Do not use it where columns differ much in
// scale (standardise), or with fewer rows than some k^2: a neighbourhood that spans the whole table is plain PCA.
#pragma once

#include <cstddef>

#include "perpend/base/matrix.h"
#include "perpend/base/parallel.h"
#include "perpend/base/tangents.h"

namespace perpend {

constexpr std::size_t kMostLocalRows = 100000;

// 32, or four times the directions where that is more.
constexpr std::size_t local_neighbours(std::size_t directions) { return directions * 4 > 32 ? directions * 4 : 32; }

// `rows` and `training` have the same columns; directions is at most their number.
Tangents local_tangents(InputsView rows, InputsView training, std::size_t directions, const Threads& threads);

}  // namespace perpend
