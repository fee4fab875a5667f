// Records as JSON text, under the names of the interface, and back. Undefined is null; numbers keep every digit.
#pragma once

#include <string>
#include <string_view>

#include "perpend/records/evaluation.h"
#include "perpend/records/train_log.h"

namespace perpend {

// The metrics object: `auc accuracy log_loss brier ece rho_av q_av kappa disagreement grad_cos2` and `members`.
std::string to_json(const Evaluation& evaluation);
std::string to_json(const OutOfBagScores& scores);
std::string to_json(const TrainLog& log);         // its epochs, a list
std::string rounds_to_json(const TrainLog& log);  // of boosting, a list

// All but undefined_pairs. Throws DataError when it is no metrics object, or has a figure that none can have (an AUC of
// 2).
Evaluation evaluation_from_json(std::string_view text);
// The epochs that to_json wrote. Throws DataError when they are no such list.
TrainLog train_log_from_json(std::string_view text);

}  // namespace perpend
