// Boosted trees as a member of an ensemble.
//
// Networks go on beyond the training rows, linearly or constant; trees step along the axes and stay where their last
// threshold is. No two families err less alike, so one member of trees adds more to a mean than one more network. Trees
// have no input gradients, so penalties act among the other members alone.
#pragma once

#include "perpend/base/parallel.h"
#include "perpend/data/dataset.h"
#include "perpend/train/train.h"
#include "perpend/trees/boost.h"

namespace perpend {

// How trees are grown: 10 leaves, 15 from 2,500 rows on and 31 from 10,000 on, of at least 10 rows each; a shrinkage of
// 0.05, and 0.1 from 10,000 rows on. Chosen on held-out training domains and validation rows (docs/columns.md).
BoostOptions tree_options(std::size_t rows);

// Rounds of boosting, at most kMostTreeRounds. They stop when the log-loss of the validation rows has not fallen for
// kTreePatience rounds; where nothing says when to stop, there are kTreeRoundsAlone.
constexpr std::size_t kTreePatience = 50;
constexpr std::size_t kTreeRoundsAlone = 100;

// Trees of the training rows. A stop that is asked for ends the rounds; the best trees so far are kept.
BoostedTrees trees_member(const TrainInput& input, const TrainOptions& options, const Threads& threads);

// Trees that are not trained: the same score everywhere.
BoostedTrees untrained_trees(std::size_t scores);

}  // namespace perpend
