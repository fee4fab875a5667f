// Random subspaces (Ho 1998): restarts, each member on its own random half of the columns.
//
// Member m of an ensemble over D columns sees ceil(D / 2) of them, drawn without replacement. They stay the same for
// the whole training. A column that a member does not see cannot mislead it, so a shortcut in one column reaches half
// of the members. The price is that each member is weaker, because it lacks the other half. Ho also draws half of the
// columns, and grows trees on them. Here the members are networks, in the linear or the piecewise view or over plain
// features.
//
// How it trains. A member is trained on a table that has only its own columns, and starts from the rows of its first
// weights that belong to them. Afterwards its network gets a weight of exactly 0 for each input of the other columns.
// So predictions, model files and ONNX graphs know nothing of subspaces, and the input gradient is 0 along columns that
// are not seen. A step costs about half of one of restarts, but more steps may be needed. Members are trained in turn:
// each has the epochs, early stopping and learning rates of a training of its own, and is judged on validation rows
// alone.
//
// A logistic regression and boosted trees, if they are members too, are one each, and see all columns.
//
// With the published encoding a category is several columns, one per level, and a member may see some of them.
//
// When not to use it. If the classes can be told only by two columns together, about three quarters of the members lack
// one of them. With one column there is nothing to draw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perpend/train/training.h"

namespace perpend {

// The columns that a member sees, in ascending order: the first ceil(columns / 2) of the permutation by the stream
// (seed, subspace, member, 0).
std::vector<std::uint32_t> subspace_columns(std::uint64_t seed, std::size_t member, std::size_t columns);

TrainResult train_subspaces(const TrainingTask& task, const Threads& threads);

}  // namespace perpend
