// What `compare` found on a split, as text.
#pragma once

#include <string>

#include "perpend/api/compare.h"

namespace perpend::app {

// The table of a split, then who won and whether that is more than noise.
std::string split_table(const SplitSummary& split, const Compared& compared);

}  // namespace perpend::app
