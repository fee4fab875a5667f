// From the results of a comparison to its tables. Only for compare.cpp.
#pragma once

#include <span>
#include <vector>

#include "perpend/api/compare.h"

namespace perpend {

// One per split, without what retrains the best method.
std::vector<ComparedSplit> summarize(std::span<const TrialResult> results, std::span<const OtherResult> others);

}  // namespace perpend
