// The figures of the paper's Tables 1 and 2, to stand beside those of a study: `perpend table --against paper`.
#pragma once

#include "perpend/study/printed.h"

namespace perpend::paper {

// Returns Table 2's figures for data sets of an ICU table, Table 1's for its five public sets, and none for others.
const PrintedFigures& printed_figures();

}  // namespace perpend::paper
