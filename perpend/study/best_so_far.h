// The trial with the best validation AUC on each data set and split, to look at while a sweep runs. It is one trial of
// one restart, and it was chosen for being the best. The result of the study is the table (table.h).
#pragma once

#include <vector>

#include "perpend/study/study_folder.h"

namespace perpend {

// Returns indices into folder.results, by data set and split in the study's order. Places where no trial has an AUC yet
// have none. Of equal trials the earlier one is taken.
std::vector<std::size_t> best_so_far(const StudyFolder& folder);

}  // namespace perpend
