// What a training's model remembers of its rows (records/home.h).
#pragma once

#include "perpend/base/parallel.h"
#include "perpend/records/home.h"
#include "perpend/run/run.h"

namespace perpend {

// Keeps histograms of the training and validation rows, and scores, targets and marks of at most kMostHomeRows
// validation rows, drawn by the seed. The scores are those of members that had not trained on these rows: the members
// before a refit. The result is empty without validation rows, and without baselines (the published recipe, studies).
Home home_of(const Prepared& data, const RunResult& result, std::uint64_t seed, const Threads& threads);

}  // namespace perpend
