// What `train` saves: the ensemble with everything a later reader needs to use it and to know where it comes from.
#pragma once

#include "perpend/run/run.h"
#include "perpend/store/trained_model.h"

namespace perpend {

// The summary is one JSON object: rows of the parts, steps, status, metrics of the parts, percentiles (0 to 100) of the
// disagreement on validation rows (without them, training rows), the log thinned to some 50 epochs, and what only some
// methods have (out_of_bag, boosting). No clock, no thread count: the same run is the same bytes.
TrainedModel model_of(const Prepared& data, const RunOptions& options, const RunResult& result);

// Throws ModelFileError when the model that these rows and options will give is too wide for a model file: to be asked
// before training, which may take hours.
void check_savable(const Prepared& data, const RunOptions& options);

}  // namespace perpend
