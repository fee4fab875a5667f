// How much say each view has.
//
// The members of a view share its say. The views begin with usual shares u, and the validation rows move them: with
// p_v(i) the mean probability that the members of view v give to the label of row i, the shares w of the views maximise
// (means are by the rows' weights, where they have some)
//     mean_i ln sum_v w_v p_v(i)  +  strength sum_v u_v ln w_v
// The first term alone would follow the validation rows wherever they lead, and these look like the training rows, not
// like those that come next. The second pulls towards the usual shares: trees count as two views, because the others
// are all networks and err more alike. The sum is concave in w, and the fixed-point steps of expectation and
// maximisation climb it. For a regression, the shares are those of evaluate/blend.h, with the same pull.
#pragma once

#include "perpend/base/parallel.h"
#include "perpend/data/dataset.h"
#include "perpend/model/decision.h"
#include "perpend/model/ensemble.h"
#include "perpend/train/train.h"

namespace perpend {

// Both were chosen on held-out training domains (docs/columns.md).
constexpr double kShareStrength = 0.1;
constexpr double kTreesCountAs = 2;  // views

// Returns the usual shares of the views where there are no validation rows.
Decision weigh_views(const Ensemble& ensemble, const Dataset& validation, const Threads& threads);
// The same for a training whose members decide by their mean; any other decision stays as it is.
void weigh_views(TrainResult& trained, const Dataset& validation, const Threads& threads);

}  // namespace perpend
