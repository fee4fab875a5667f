// What the members of an ensemble of two inputs and two classes answer over a plane.
#pragma once

#include <cstddef>

#include "perpend/model/ensemble.h"
#include "perpend/records/score_grid.h"

namespace perpend {

ScoreGrid score_grid(const Ensemble& ensemble, std::size_t columns, std::size_t rows, float extent);

}  // namespace perpend
