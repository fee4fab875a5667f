// The columns of the paper's ICU figure, whose input gradients it draws for each member: age, bun, weight, urine and
// creatinine, as an ICU table names them.
#pragma once

#include <string>
#include <vector>

#include "perpend/data/schema.h"

namespace perpend {

// Of MIMIC-III the five columns themselves. PhysioNet's 2012 challenge has several of one quantity (BUN_first and
// BUN_last; Weight, Weight_first and Weight_last): all of them, for members may divide them up. What is no input is
// left out; nothing where the target is another one than kIcuTarget.
std::vector<std::string> icu_figure_columns(const Schema& schema);

}  // namespace perpend
