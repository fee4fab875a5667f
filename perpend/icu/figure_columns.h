// The columns of the paper's ICU figure, whose input gradients it draws for each member: age, bun, weight, urine and
// creatinine, as an ICU table names them.
#pragma once

#include <string>
#include <vector>

#include "perpend/data/schema.h"

namespace perpend {

// For MIMIC-III these are the five columns themselves. PhysioNet's 2012 challenge has several columns of one quantity
// (BUN_first and BUN_last; Weight, Weight_first and Weight_last). All of them are returned, because members may share
// them out. Columns that are not inputs are left out. The list is empty if the target is not kIcuTarget.
std::vector<std::string> icu_figure_columns(const Schema& schema);

}  // namespace perpend
