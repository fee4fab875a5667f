// Mean and standard deviation with one fixed order of additions, so that the same column gives the same bits anywhere.
#pragma once

#include <span>

namespace perpend {

// Blocks of 8192 numbers are added in order; inside a block, halves are added pairwise down to runs of 128, and a run
// is kept in eight interleaved sums. Error grows with the logarithm of a block, and the bits are those of NumPy's
// reduction over a buffered column, which the paper's arrays were standardised with.
double ordered_sum(std::span<const double> values);

struct Moments {
  double mean = 0;
  double sd = 0;  // ddof 0: sqrt of the mean squared distance from the mean
};
Moments moments(std::span<const double> values);  // at least one value

}  // namespace perpend
