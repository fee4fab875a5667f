// How good predicted numbers are, and how differently members err.
//
// With f the ensemble's prediction of a row, y its target and f_m the members' predictions, all in the target's units:
//
//   rmse          square root of the mean of (f - y)^2
//   mae           mean of |f - y|
//   r2            1 - mean (f - y)^2 / mean (y - mean of these y)^2; undefined where y never changes
//   loss          mean of the loss that was trained for (base/quantity.h): of (f - y)^2 for squared, of |f - y| for
//                 absolute, and the pinball loss for quantile
//   rho_av        mean over pairs of members of the Pearson correlation of their errors f_m - y
//   disagreement  mean over rows of the members' standard deviation, each member counted once
//   ambiguity     mean over rows of sum_m w_m (f_m - f)^2. Where f is the weighted mean of the members, the mean of
//                 (f - y)^2 is exactly sum_m w_m (member m's mean of (f_m - y)^2) less the ambiguity (Krogh and
//                 Vedelsby 1995). So the ensemble gains by as much as its members disagree. Undefined for another rule.
//
// From the residuals of validation rows (ResidualSpread):
//
//   coverage      share of rows whose target lies in the interval around the prediction that nine of ten familiar rows
//                 need
//   log_score     mean of -log N(y; f, sd), sd the familiar rows' rmse; for the squared error alone
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "perpend/base/parallel.h"
#include "perpend/base/quantity.h"
#include "perpend/data/dataset.h"
#include "perpend/model/decision.h"
#include "perpend/model/ensemble.h"
#include "perpend/records/evaluation.h"
#include "perpend/records/run_summary.h"

namespace perpend {

Scores score_numbers(std::span<const double> predictions, std::span<const double> targets, const RegressionLoss& loss);

// Returns all but gradients, coverage and log_score. members: (members, rows).
Evaluation evaluate_numbers(const Decision& decision, MatrixView<const double, axis::Member, axis::Row> members,
                            std::span<const double> targets, const RegressionLoss& loss);

// Returns what predictions miss on rows that the members have not seen.
ResidualSpread residual_spread(const Ensemble& ensemble, const Decision& decision, const Dataset& rows,
                               const Threads& threads);

// Adds coverage and log_score.
void score_interval(const Ensemble& ensemble, const Decision& decision, const Dataset& rows,
                    const ResidualSpread& spread, const Threads& threads, Evaluation& to);

}  // namespace perpend
