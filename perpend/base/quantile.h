// Quantiles as numpy's default gives them.
#pragma once

#include <span>
#include <vector>

namespace perpend {

// The value at position q (n - 1) of the n sorted values, linear between the two neighbours; halfway between them it is
// their mean, so q = 1/2 is the usual median. Wants values (finite, at least one) and 0 <= q <= 1.
double quantile(std::vector<double> values, double q);

// quantile(values, q) of each q, sorting once.
std::vector<double> quantiles(std::vector<double> values, std::span<const double> qs);

// The quantile q of numbers by weight: the least of them such that numbers no larger have a share q of the weight or
// more. For q = 1/2 and no weights it is the lower median. weights: empty, or one per number and not all 0.
double weighted_quantile(std::span<const double> numbers, std::span<const double> weights, double q);

}  // namespace perpend
