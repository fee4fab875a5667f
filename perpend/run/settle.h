// After the members are trained, the validation rows settle three things: the members' weights if these are to be
// learnt, the ensemble's calibration, and its threshold.
//
// All of them belong to the ensemble's answers, not to its members (model/decision.h). They are found before any refit,
// on rows that no member has trained on, and stay when the members are trained again on all rows.
#pragma once

#include <optional>

#include "perpend/base/parallel.h"
#include "perpend/run/run.h"

namespace perpend {

// Checks whether the rows can settle what the options ask for. Throws ConfigError where an option allows fewer classes
// or there are no validation rows, and DataError where these lack one of two classes.
void check_settling(const RunOptions& options, const Dataset& validation);

// Sets the members' weights, or the decision's gate, that the options ask for. Returns nothing where they ask for none.
std::optional<LearntGate> learn_aggregate(const RunOptions& options, const Dataset& validation, const Threads& threads,
                                          TrainResult& trained);

// Sets the decision's map and threshold. A training that diverged stays as it is.
void settle_decision(const RunOptions& options, const Dataset& validation, const Threads& threads,
                     TrainResult& trained);

}  // namespace perpend
