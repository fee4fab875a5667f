// What `train` saves: the ensemble with everything a later reader needs to use it and to know where it comes from.
#pragma once

#include "perpend/run/run.h"
#include "perpend/store/trained_model.h"

namespace perpend {

// Returns the model of a training that did not diverge. Its summary has no clock and no thread count: the same run
// gives the same bytes.
TrainedModel model_of(const Prepared& data, const RunOptions& options, const RunResult& result);

// Throws ModelFileError when the model of these rows and options will be too wide for a model file. Call it before
// training, which may take hours.
void check_savable(const Prepared& data, const RunOptions& options);

}  // namespace perpend
