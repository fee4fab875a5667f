// Calibration: a map (model/probability_map.h) that makes the ensemble's probabilities fit the validation rows.
//
//   temperature   with b = 1/T, u = ln b and q the tempered probabilities, u solves
//                     d/du [ sum_i w_i ln q_label(i) ]  =  strength u
//                 The right side pulls towards T = 1. Few rows need this: when the ensemble gets all of them right, the
//                 likelihood alone asks for a temperature of 0. Bisection finds u.
//   isotonic      the rows are sorted by probability and cut into groups of equal size, 32 at most. Pooling adjacent
//                 groups whose frequencies of the second class fall (PAVA) leaves rising ones. Each is a knot, at the
//                 mean probability of its rows. Of n rows, no frequency is taken as below 1 / (n + 2) or above
//                 1 - 1 / (n + 2).
//
// w are the rows' weights, 1 where they have none. Figures on the validation rows flatter the ensemble a little,
// because it was calibrated on them. Log-loss and calibration error on other rows say what calibrating is worth.
#pragma once

#include <cstdint>
#include <span>

#include "perpend/base/matrix.h"
#include "perpend/model/probability_map.h"

namespace perpend {

constexpr double kTemperatureStrength = 4;

// Fits the map to the ensemble's unmapped probabilities, (rows, K). There must be at least one row, and for isotonic
// two classes.
ProbabilityMap fit_map(Calibrator kind, MatrixView<const double, axis::Row, axis::Out> probabilities,
                       std::span<const std::int32_t> labels, std::span<const float> weights);

}  // namespace perpend
