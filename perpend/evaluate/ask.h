// Which rows of a new place to label, so that `adapt` (adapt.h) learns most from them.
//
// A row on which all members answer alike says nothing about the members, whatever its label. So rows are drawn by lot
// with a probability that grows with how far the members are from the ensemble's answer:
//
//     weight_r = d_r + mean(d) / 10,   d_r^2 = sum over members of |what the member says - the answer|^2
//
// where both are taken as adapt takes them: log-odds within the limits of decision.h, or predictions in units of the
// target's standard deviation. Of more classes it is the squared distance of the logarithms, less their means, taken
// twice, which for two classes is that of the log-odds.
//
// The lot matters. Rules that choose the rows which would teach most if the correction were the whole truth (D- and
// I-optimal designs, and the rows of the largest disagreement) take rows at the edges, and what holds there is not
// what holds in the middle: they did worse than plain random rows (docs/adapting.md).
//
// Drawing without replacement is by the exponential race: the row's time is -log(u) / weight, with u uniform by its
// number, and the earliest come first. The first of many rows are therefore those of few.
#pragma once

#include <cstddef>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/base/parallel.h"
#include "perpend/model/decision.h"
#include "perpend/model/ensemble.h"

namespace perpend {

// The numbers of `count` rows, in the order in which they were drawn; of all rows where there are fewer.
std::vector<std::size_t> rows_to_label(const Ensemble& ensemble, const Decision& decision, InputsView inputs,
                                       std::size_t count, const Threads& threads);

}  // namespace perpend
