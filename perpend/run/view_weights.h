// How much say the members of each view have.
//
// Members of both views count the same, unless that costs: on some tables one view is far better (the piecewise one
// where the answer is a fine pattern within the known range). So the say of a view moves away from equal shares in
// steps of a tenth, no further than is needed to come within 0.01 nats of the best validation log-loss of any share.
#pragma once

#include "perpend/base/parallel.h"
#include "perpend/data/dataset.h"
#include "perpend/model/decision.h"
#include "perpend/model/ensemble.h"
#include "perpend/train/train.h"

namespace perpend {

constexpr double kFreeShareLoss = 0.01;

// Equal weights where members have one view or there are no validation rows.
Decision weigh_views(const Ensemble& ensemble, const Dataset& validation, const Threads& threads);
// The same for a training whose members decide by their mean; any other decision stays as it is.
void weigh_views(TrainResult& trained, const Dataset& validation, const Threads& threads);

}  // namespace perpend
