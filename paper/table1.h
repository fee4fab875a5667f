// Table 1 of the paper: five public sets, two splits, six methods.
#pragma once

#include <string_view>

#include "perpend/study/printed.h"

namespace perpend::paper {

// The study behind it: both splits, six methods, M 2 3 5 8 13, 16 lambdas, 10 restarts, 640,000 row visits. quick: M 2
// 5 13, 6 lambdas, 3 restarts, a quarter of the row visits.
Study table1_study(bool quick);

// Returns what the paper printed, each a mean over 10 restarts, or nullptr where it has no such entry.
const PrintedEntry* table1_entry(SplitKind split, std::string_view dataset, Method method);

}  // namespace perpend::paper
