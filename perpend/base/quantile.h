// Quantiles as numpy's default gives them.
#pragma once

#include <span>
#include <vector>

namespace perpend {

// The value at position q (n - 1) of the n sorted values, linear between the two neighbours. Halfway between them it is
// their mean, so q = 1/2 gives the usual median. There must be at least one value, all must be finite, and 0 <= q <= 1.
double quantile(std::vector<double> values, double q);

// quantile(values, q) for each q. It sorts only once.
std::vector<double> quantiles(std::vector<double> values, std::span<const double> qs);

// The weighted quantile q: the smallest of the numbers for which all numbers up to it have at least a share q of the
// weight. For q = 1/2 and no weights it is the lower median. weights: empty, or one per number and not all 0.
double weighted_quantile(std::span<const double> numbers, std::span<const double> weights, double q);

}  // namespace perpend
