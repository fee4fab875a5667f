// What the validation rows settle once the members are trained: the members' weights where they are to be learnt, the
// ensemble's calibration and its threshold.
//
// All of them belong to the ensemble's answers, not to its members (model/decision.h). They are found before any refit,
// on rows that no member has trained on, and stay when the members are trained again on all rows.
#pragma once

#include <optional>

#include "perpend/base/parallel.h"
#include "perpend/run/run.h"

namespace perpend {

// Whether the rows can settle what the options ask for. Throws ConfigError for more classes than an option is for or
// where there are no validation rows, and DataError where these lack one of two classes.
void check_settling(const RunOptions& options, const Dataset& validation);

// Gives the members the weights, or the decision the gate, that the options ask for. Nothing where they ask for none.
std::optional<LearntGate> learn_aggregate(const RunOptions& options, const Dataset& validation, const Threads& threads,
                                          TrainResult& trained);

// Gives the decision its map and its threshold. A training that diverged stays as it is.
void settle_decision(const RunOptions& options, const Dataset& validation, const Threads& threads,
                     TrainResult& trained);

}  // namespace perpend
