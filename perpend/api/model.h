// A trained model: load it, save it, look at what it holds, and hand it to programs that cannot call perpend.
//
//     const perpend::TrainedModel model = perpend::load_model("loans.safetensors");
//     std::cout << perpend::inspect(model).sha256 << '\n';
//     perpend::write_file_durably("loans.onnx", perpend::to_onnx(model, "1.0"));
//
// This header includes store/trained_model.h, which has load_model and save_model, and onnx/export_onnx.h, which has
// to_onnx.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "perpend/base/durable_file.h"
#include "perpend/onnx/export_onnx.h"
#include "perpend/store/trained_model.h"

namespace perpend {

struct ModelFacts {
  std::size_t bytes = 0;  // of the file
  std::string sha256;     // of these bytes: two models with the same one answer the same
  std::size_t members = 0;
  std::string layers;       // "8-256-2": encoded columns, hidden units, classes of each network
  bool trees = false;       // the last member is boosted trees
  std::string rule;         // how members are combined: mean, samme_r or samme
  std::string calibration;  // "temperature 1.25" or "isotonic, 12 knots"; empty: none
  std::optional<double> threshold = {};
  std::string aim = {};  // what the threshold was asked for, such as recall=0.9; empty: not known

  // Returns "10 networks of 8-256-2", or "9 networks of 8-256-2, and boosted trees".
  std::string members_text() const;
};
ModelFacts inspect(const TrainedModel& model);

// Says in one line how a threshold does on some rows: "recall 0.912 (52 of 57), precision 0.634 (52 of 82)". Where the
// aim has costs, the line also has the mean cost of a row.
std::string threshold_text(const ThresholdCounts& counts, const std::string& aim);

// Returns the model card as Markdown: what the model is, what it was trained on, how good it is, and what it was not
// tested on.
std::string card(const TrainedModel& model);

// Returns one JSON object: bytes, sha256, member_weights, views (if the model has them), rule, calibration and
// threshold (if the model has them), options, schema and summary.
std::string inspect_json(const TrainedModel& model);

// Returns the version of the model file's format that this library writes.
int model_format_version();

}  // namespace perpend
