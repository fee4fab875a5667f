// The losses of a regression's predictions.
#pragma once

#include <span>
#include <vector>

#include "perpend/base/parallel.h"
#include "perpend/data/dataset.h"
#include "perpend/model/decision.h"
#include "perpend/model/ensemble.h"

namespace perpend {

// The loss of the ensemble's prediction per row, in units of the standardised target (base/quantity.h).
std::vector<double> regression_losses(const Ensemble& ensemble, const Decision& decision, const Dataset& data,
                                      const Threads& threads);

// The same for predictions in the target's own units.
std::vector<double> regression_losses(std::span<const double> predictions, const Dataset& data);

// The targets in their own units.
std::vector<double> targets_of(const Dataset& data);

}  // namespace perpend
