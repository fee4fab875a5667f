// Records as JSON text, under the names of the interface, and back. Undefined is null; numbers keep every digit.
#pragma once

#include <string>
#include <string_view>

#include "perpend/records/evaluation.h"
#include "perpend/records/finite.h"
#include "perpend/records/run_summary.h"
#include "perpend/records/train_log.h"

namespace perpend {

// Returns the metrics object: `auc accuracy log_loss brier ece rho_av q_av kappa disagreement grad_cos2` and `members`.
// A model with a threshold also has `at_threshold`: `threshold recall precision` and the four counts. A regression has
// `rmse mae r2 loss rho_av disagreement ambiguity coverage log_score grad_cos2` and `members`.
std::string to_json(const Evaluation& evaluation);
std::string to_json(const OutOfBagScores& scores);
// The keys are `logistic majority`, with metrics for each, and `log_loss_behind_logistic`.
std::string to_json(const Baselines& baselines);
std::string to_json(const TrainLog& log);         // its epochs, a list
std::string rounds_to_json(const TrainLog& log);  // the rounds of boosting, a list
std::string to_json(const DistanceIndependence& found);

// Returns the summary of a model file: `rows steps status metrics disagreement_percentiles log` and, where a method has
// them, `residuals unlabeled out_of_bag boosting adapted baselines intervals data_sha256 importances`. A summary that
// was read and not changed is its source again, byte for byte. One that was changed keeps every key and value of its
// source that perpend did not change.
std::string to_json(const RunSummary& summary);
// Any key may be absent, and keys of other programs are accepted. A key of ours must have its shape and its range.
// Throws DataError: "it has 'steps' which is not a count".
RunSummary run_summary_from_json(std::string_view text);

// Reads all but undefined_pairs. Throws DataError when the text is not a metrics object, or has an impossible figure
// (an AUC of 2).
Evaluation evaluation_from_json(std::string_view text);
// Reads the epochs that to_json wrote. Throws DataError when they are not such a list.
TrainLog train_log_from_json(std::string_view text);

}  // namespace perpend
