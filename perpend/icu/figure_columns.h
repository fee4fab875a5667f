// The columns of the paper's ICU figure, which draws their input gradients for each member: age, bun, weight, urine and
// creatinine.
#pragma once

#include <string>
#include <vector>

#include "perpend/data/schema.h"

namespace perpend {

// For MIMIC-III these are the five columns themselves. PhysioNet's 2012 challenge has several columns of one quantity
// (BUN_first and BUN_last; Weight, Weight_first and Weight_last). The result has all of them, because different members
// may use different ones. It has no columns that are not inputs. It is empty if the target is not kIcuTarget.
std::vector<std::string> icu_figure_columns(const Schema& schema);

}  // namespace perpend
