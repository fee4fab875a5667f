// Mean and standard deviation with one fixed order of additions, so that the same column gives the same bits anywhere.
#pragma once

#include <span>

namespace perpend {

// blocks: runs of 8192 numbers are added in order; inside one, halves are added pairwise down to 128 numbers, which are
//         kept in eight interleaved sums. Error grows with the logarithm of a run. These are the bits of NumPy's
//         reduction over a buffered column, which the paper's arrays were standardised with.
// rows:   one number after the other. One-hot columns are added so, as in the reference encoding of mushroom.
enum class SumOrder { blocks, rows };

double ordered_sum(std::span<const double> values, SumOrder order = SumOrder::blocks);

struct Moments {
  double mean = 0;
  double sd = 0;  // ddof 0: sqrt of the mean squared distance from the mean
};
// At least one value.
Moments moments(std::span<const double> values, SumOrder order = SumOrder::blocks);

}  // namespace perpend
