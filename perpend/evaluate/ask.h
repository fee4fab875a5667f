// Which rows of a new place to label, so that `adapt` (adapt.h) learns most from them.
//
// A row on which all members answer alike says nothing about the members, whatever its label. So rows are drawn at
// random, with a probability that grows with how far the members are from the ensemble's answer:
//
//     weight_r = d_r + mean(d) / 10,   d_r^2 = sum over members of |what the member says - the answer|^2
//
// where both are as adapt has them: log-odds within the limits of decision.h, or predictions in units of the target's
// standard deviation. With more classes it is twice the squared distance of the logarithms less their means. For two
// classes this is the distance of the log-odds.
//
// The random draw matters. Some rules choose the rows that would teach most if the correction were the whole truth: D-
// and I-optimal designs, and the rows of the largest disagreement. They take rows at the edges, and what holds there
// does not hold in the middle. They did worse than plain random rows (docs/adapting.md).
//
// Rows are drawn without replacement by the exponential race: each row has a time -log(u) / weight, with u uniform by
// its number, and the earliest rows are taken. So the first rows of a long list are the rows of a short one.
#pragma once

#include <cstddef>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/base/parallel.h"
#include "perpend/model/decision.h"
#include "perpend/model/ensemble.h"

namespace perpend {

// Returns the numbers of `count` rows, in the order in which they were drawn, or of all rows where there are fewer.
std::vector<std::size_t> rows_to_label(const Ensemble& ensemble, const Decision& decision, InputsView inputs,
                                       std::size_t count, const Threads& threads);

}  // namespace perpend
