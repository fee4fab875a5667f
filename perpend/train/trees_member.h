// Boosted trees as a member of an ensemble.
//
// Beyond the training rows, networks continue linearly or stay constant. Trees step along the axes and stay constant
// beyond their last threshold. The errors of these two families differ most, so one member of trees adds more to a mean
// than one more network. Trees have no input gradients, so penalties act among the other members alone.
#pragma once

#include "perpend/base/parallel.h"
#include "perpend/data/dataset.h"
#include "perpend/train/train.h"
#include "perpend/trees/boost.h"

namespace perpend {

// How trees are grown: with 10 leaves, 15 from 2,500 rows on and 31 from 10,000 on, of at least 10 rows each. The
// shrinkage is 0.05, and 0.1 from 10,000 rows on. Held-out training domains and validation rows chose these
// (docs/columns.md).
BoostOptions tree_options(std::size_t rows);

// Rounds of boosting, at most kMostTreeRounds. They stop when the log-loss of the validation rows has not fallen for
// kTreePatience rounds. Without validation rows there are kTreeRoundsAlone.
constexpr std::size_t kTreePatience = 50;
constexpr std::size_t kTreeRoundsAlone = 100;

// Grows trees on the training rows. If a stop is asked for, the rounds end and the best trees so far are kept.
BoostedTrees trees_member(const TrainInput& input, const TrainOptions& options, const Threads& threads);

// Trees that are not trained: their score is the same everywhere.
BoostedTrees untrained_trees(std::size_t scores);

}  // namespace perpend
