// The trial with the best validation AUC on each data set and split, to look at while a sweep runs. It is one trial of
// one restart and chosen to be the best: the table (table.h) is what counts.
#pragma once

#include <vector>

#include "perpend/study/study_folder.h"

namespace perpend {

// Indices into folder.results, by data set and split in the study's order; none where nothing has an AUC yet. Ties go
// to the earlier trial.
std::vector<std::size_t> best_so_far(const StudyFolder& folder);

}  // namespace perpend
