// Corrects the ensemble's answer by a few labelled rows from a new place: what `perpend adapt` does.
//
//     const perpend::AdaptedModel adapted = perpend::adapt(model, perpend::read_table("sixteen_rows.csv"));
//     for (const auto& warning : adapted.warnings) std::cerr << warning << '\n';
//     perpend::save_model("loans_there.safetensors", adapted.model, false);
//
// The networks stay as they are. evaluate/adapt.h says what is fitted, how the labels themselves say how much to
// believe them, and when they do not support a change. A calibration stays, because the correction comes after it. A
// threshold stays, because it is what the user asked for, and a warning says that it was chosen elsewhere.
//
// The losses are leave-one-out losses: each row is judged by what the other rows alone teach. Figures on the rows that
// the correction was learnt from would flatter it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "perpend/api/model.h"
#include "perpend/data/encode.h"
#include "perpend/data/table.h"

namespace perpend {

struct AdaptedModel {
  TrainedModel model;  // with the correction; its summary remembers the rows and the two losses
  std::size_t rows = 0;
  bool is_changed = false;             // false: the labels do not support a change, and the answers are the old ones
  std::optional<double> log_evidence;  // evaluate/adapt.h
  double kappa = 0;                    // likewise
  std::vector<double> says_before, says_after;  // of the members (model/decision.h)
  // Means over the rows: the loss of the present answer, and the leave-one-out loss of the corrected one. The loss is
  // the log-loss, or in a regression that of base/quantity.h in units of the standardised target.
  double loss_before = 0, loss_after = 0;
  double standard_error = 0;          // of loss_before - loss_after, paired over rows; 0 for a single row
  std::vector<std::string> warnings;  // about the table, and where the rows are too few to say much
  EncodeReport encoded;               // what encoding met
  std::string reading;                // what was done and why, in a few sentences
};

// threads: 0 for all. Throws DataError when the table has no labels.
AdaptedModel adapt(const TrainedModel& model, const Table& table, int threads = 0);

// Returns one JSON object: rows, changed, log_evidence, kappa, member_weights before and after (the says), bias (of the
// correction, where there is one), loss before and after with its gain and the gain's standard error, unlike_training
// (predict.h).
std::string to_json(const AdaptedModel& adapted);

}  // namespace perpend
