// Competition of experts, adapted to labelled rows (objective/experts.h has the loss and its source).
//
// In the source, experts compete for examples to undo transformations of pictures, and each comes to undo one kind.
// Before they compete, all learn the identity, because experts that begin far off would never win. Here members compete
// for the rows of a table, so they begin with a fit of all rows:
//
//   1. All members train on all rows, as restarts do.
//   2. From there, each row is won by the member with the lowest loss in that step, and only that member trains on it.
//
// Given epochs are divided between the two, half each. With early stopping, each stops by itself. So this costs up to
// twice what restarts cost.
//
// How members decide together. The source has no decision to make: whoever wins an example has its answer. A new row
// has no label that could say who wins. Training as above is the hard form of expectation and maximisation for a
// mixture. In this mixture member m answers row r with probability pi_m, whatever the row. The answer of such a mixture
// is
//
//   P = sum_m pi_m p_m,   pi_m = the share of the training rows, by their weights, at which m's loss is the lowest
//
// So the ensemble is the mean of its members' probabilities with these weights. No gate sends a row to one member. A
// gate would be one more network to train, and it is least reliable on rows from elsewhere. Early stopping judges the
// plain mean, before the weights are known.
//
// A logistic regression and boosted trees do not compete, so they cannot be members here.
//
// When not to use it. The competition knows the label, but the ensemble does not. So a member can win by leaning to one
// class: it takes the rows of that class, becomes ever surer, and learns less about what tells the classes apart. This
// is worse with more members, and early stopping then keeps little of the competition. Where rows come from several
// sources, each with a rule of its own, it can find them.
#pragma once

#include <vector>

#include "perpend/train/training.h"

namespace perpend {

// The loss of each member's answer at each row: losses[member][row].
std::vector<std::vector<double>> losses_of_members(const Ensemble& ensemble, const Dataset& rows,
                                                   const Threads& threads);

// pi_m on these rows.
std::vector<double> shares_won(const Ensemble& ensemble, const Dataset& rows, const Threads& threads);

TrainResult train_experts(const TrainingTask& task, const Threads& threads);

}  // namespace perpend
