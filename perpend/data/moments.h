// Mean and standard deviation with one fixed order of additions, so that the same column gives the same bits anywhere.
#pragma once

#include <span>

namespace perpend {

// blocks: runs of 8192 numbers are added in order. Inside a run, halves are added pairwise down to 128 numbers, which
//         are added in eight interleaved sums. The error grows with the logarithm of the run's length. The bits are
//         those of NumPy's reduction over a buffered column, which standardised the paper's arrays.
// rows:   numbers are added one after the other. One-hot columns use this order, as in mushroom's reference encoding.
enum class SumOrder { blocks, rows };

double ordered_sum(std::span<const double> values, SumOrder order = SumOrder::blocks);

struct Moments {
  double mean = 0;
  double sd = 0;  // ddof 0: sqrt of the mean squared distance from the mean
};
// There must be at least one value.
Moments moments(std::span<const double> values, SumOrder order = SumOrder::blocks);

}  // namespace perpend
