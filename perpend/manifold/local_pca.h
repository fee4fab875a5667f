// A tangent basis for each row from its neighbourhood: the principal directions of its nearest training rows.
//
// The neighbourhood of a row is its k = local_neighbours(directions) nearest training rows (Euclidean distance of the
// encoded columns). A training row is its own nearest neighbour. Of equal distances the earlier row wins. If the
// neighbours span fewer than `directions` directions, the rest of the basis is zero and has no effect.
//
// Cost: rows * training rows * columns for the search, plus a small eigenproblem per row. That is seconds for a few
// thousand rows and minutes for 50,000; more than kMostLocalRows training rows are refused. Do not use it where columns
// differ much in scale (standardise them), or with fewer than about k^2 rows: a neighbourhood that spans the whole
// table is plain PCA.
#pragma once

#include <cstddef>

#include "perpend/base/matrix.h"
#include "perpend/base/parallel.h"
#include "perpend/base/tangents.h"

namespace perpend {

constexpr std::size_t kMostLocalRows = 100000;

// 32, or four times the directions if that is more.
constexpr std::size_t local_neighbours(std::size_t directions) { return directions * 4 > 32 ? directions * 4 : 32; }

// `rows` and `training` have the same columns; directions is at most their number.
Tangents local_tangents(InputsView rows, InputsView training, std::size_t directions, const Threads& threads);

}  // namespace perpend
