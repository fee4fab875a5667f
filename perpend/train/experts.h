// Competition of experts, adapted to labelled rows (objective/experts.h has the loss and its source).
//
// In the source, experts compete for examples to undo transformations of pictures, and each comes to undo one kind.
// Before they compete, all learn the identity: experts that begin far off would never win. Here members compete for the
// rows of a table, so the same beginning is a fit of all rows:
//
//   1. All members train on all rows, as restarts do.
//   2. From there, each row is won by the member with the lowest loss in that step, which alone trains on it.
//
// Given epochs are divided between the two, half each. With early stopping, each has it for itself. So this costs up to
// twice what restarts cost.
//
// How members decide together. The source has no decision to make: whoever wins an example has its answer. A new row
// has no label that could say who wins. Training as above is the hard form of expectation and maximisation for a
// mixture in which row r is answered by member m with probability pi_m, whatever the row. The answer of such a mixture
// is
//
//   P = sum_m pi_m p_m,   pi_m = the share of the training rows, by their weights, at which m's loss is the lowest
//
// So the ensemble is the mean of its members' probabilities with these weights. No gate sends a row to one member: that
// would be a network more to train, and rows from elsewhere are where a gate is least to be trusted. Early stopping
// judges the plain mean, before the weights are known.
//
// A logistic regression and boosted trees do not compete, so they are no members here.
//
// When not to use it. The label is known to the competition and not to the ensemble. So a member can win by leaning to
// one class: it takes the rows of that class, becomes ever surer, and knows less of what tells the classes apart. The
// more members there are, the more it is so, and early stopping then keeps little of the competition. Where rows come
// from several sources, each with a rule of its own, it can find them.
#pragma once

#include <vector>

#include "perpend/train/training.h"

namespace perpend {

// What each member's answer costs at each row: losses[member][row].
std::vector<std::vector<double>> losses_of_members(const Ensemble& ensemble, const Dataset& rows,
                                                   const Threads& threads);

// pi_m on these rows.
std::vector<double> shares_won(const Ensemble& ensemble, const Dataset& rows, const Threads& threads);

TrainResult train_experts(const TrainingTask& task, const Threads& threads);

}  // namespace perpend
