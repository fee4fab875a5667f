// Reweights the members by a few labelled rows from a new place: what `perpend adapt` does.
//
//     const perpend::AdaptedModel adapted = perpend::adapt(model, perpend::read_table("sixteen_rows.csv"));
//     for (const auto& warning : adapted.warnings) std::cerr << warning << '\n';
//     perpend::save_model("loans_there.safetensors", adapted.model, false);
//
// A calibration (model/probability_map.h) is dropped: the weights are chosen for the likelihood of the plain mean, and
// the map was fitted to other weights on rows of another place. A threshold stays, because it is what the user asked
// for; a warning says that it was chosen elsewhere.
//
// The networks stay as they are; evaluate/adapt.h says how the weights are found and why few rows are enough. The rows
// choose the weights, so figures on the same rows flatter: keep some rows for a check.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "perpend/api/model.h"
#include "perpend/data/encode.h"
#include "perpend/data/table.h"
#include "perpend/records/evaluation.h"

namespace perpend {

struct AdaptedModel {
  TrainedModel model;  // with the new weights; its summary remembers the rows and what they gained
  std::size_t rows = 0;
  std::vector<double> weights_before;
  Evaluation before, after;           // on these rows
  std::vector<std::string> warnings;  // about the table, and where the rows are too few to say much
  EncodeReport encoded;               // what encoding met
  std::string reading;                // what the new weights mean, in one sentence
};

// threads: 0 for all. Throws DataError when the table has no labels.
AdaptedModel adapt(const TrainedModel& model, const Table& table, int threads = 0);

// One JSON object: rows, member_weights before and after, metrics before and after, unlike_training
// (predict.h).
std::string to_json(const AdaptedModel& adapted);

}  // namespace perpend
