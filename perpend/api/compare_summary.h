// Makes the tables of a comparison from its results. Only for compare.cpp.
#pragma once

#include <span>
#include <vector>

#include "perpend/api/compare.h"

namespace perpend {

// Returns one summary per split, without the options that retrain the best method.
std::vector<ComparedSplit> summarize(std::span<const TrialResult> results, std::span<const OtherResult> others);

}  // namespace perpend
