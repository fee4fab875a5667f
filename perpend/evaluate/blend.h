// Finds the shares of several predictions of a number in their weighted mean.
//
// Source v, a member or the members of a view, predicts f_v(i) for row i, whose target is t_i. The shares w are at
// least 0 and sum to 1. They minimise
//
//     sum_i weight_i loss(sum_v w_v f_v(i) - t_i) / scale  -  pull sum_v u_v log w_v
//
// The scale is what the blend by the usual shares u costs per row (twice that for the squared error), so that the first
// term counts rows as a log-likelihood does. The second term pulls towards the usual shares with the weight of `pull`
// rows. The sum is convex in w. Multiplicative steps descend it: w_v is multiplied by exp(-step * slope_v) and scaled
// back to sum 1, and a step without a gain is halved.
#pragma once

#include <span>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/base/quantity.h"

namespace perpend {

// predictions: (sources, rows). Targets and predictions have the same units. row_weights: empty: every row counts once.
// pull is above 0.
std::vector<double> blended_shares(MatrixView<const double, axis::Member, axis::Row> predictions,
                                   std::span<const double> targets, std::span<const float> row_weights,
                                   const RegressionLoss& loss, std::span<const double> usual, double pull);

}  // namespace perpend
