// Table 2 of the paper: death in hospital, from all training rows (split random, the paper's "full") and from the first
// 1000 of them (split limited).
#pragma once

#include <string>

#include "perpend/study/printed.h"

namespace perpend::paper {

// On a table that `perpend data make icu` wrote: of MIMIC-III, whose hours stay together by patient, or of PhysioNet's
// challenge, whose rows are stays. Missing cells are training means; six methods, M 2 3 5 8 13, 16 lambdas, 10
// restarts, 640,000 row visits. quick: M 5, 6 lambdas, 5 restarts, a quarter of the row visits. Reads the header:
// throws IoError, and DataError when it is no such table.
Study table2_study(const std::string& table, bool quick);

// What the paper printed, of 10 restarts on its own cohort of MIMIC-III, which no one else has; nullptr for another
// split.
const PrintedEntry* table2_entry(SplitKind split, Method method);

}  // namespace perpend::paper
