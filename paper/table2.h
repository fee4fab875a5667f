// Table 2 of the paper: death in hospital, from all training rows (split random, the paper's "full") and from the first
// 1000 of them (split limited).
#pragma once

#include <string>

#include "perpend/study/printed.h"

namespace perpend::paper {

// The study for a table that `perpend data make icu` wrote: from MIMIC-III, where the hours of a patient stay together,
// or from PhysioNet's challenge, where each row is a stay. Missing cells are training means. It has six methods, M 2 3
// 5 8 13, 16 lambdas, 10 restarts, 640,000 row visits. quick: M 5, 6 lambdas, 5 restarts, a quarter of the row visits.
// It reads the table's header. Throws IoError, and DataError when it is not such a table.
Study table2_study(const std::string& table, bool quick);

// Returns what the paper printed, over 10 restarts on its own cohort of MIMIC-III, which cannot be shared; nullptr for
// another split.
const PrintedEntry* table2_entry(SplitKind split, Method method);

}  // namespace perpend::paper
