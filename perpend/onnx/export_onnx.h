// A trained model as one ONNX graph: preprocessing, members and decision rule, for programs that cannot call perpend.
//
//   inputs    one for each column that the model looks at, called like it, (rows, 1): float64 for a numeric column (NaN
//             and infinite numbers are missing), text for a categorical one ("" is missing). A code that is a whole
//             number may be spelled 1 or 1.0; perpend also knows 1e0 and 01, which a graph takes as never seen. Where
//             perpend reads words as numbers ($1,234, see data/reading.h), the graph takes the number, 1234, and of a
//             date its numbers, as inputs `when`, `when.month` and so on
//   outputs   probabilities         (rows, K) float64, by the ensemble's decision rule and its calibration
//             label                 (rows) text, the most probable class, the earlier one on a tie; of a model with a
//                                   threshold the second class where its probability is above it
//             disagreement          (rows) float64, as perpend predict
//             member_probabilities  (members, rows, K) float32
//
// An output takes underscores at its end where a column has its name. Encoding is exact: float64 until the features are
// rounded to float32, as in perpend. Members of one view share its inputs (member_inputs.h); boosted trees are one
// operator (tree_scores.h). The networks' sums run in the order of whoever runs the graph, so probabilities agree to
// about 1e-6 and not to the bit. A graph cannot refuse a row: where the model was trained with --missing error, a
// missing cell gives NaN.
//
// Operators are of ONNX opset 17 and ai.onnx.ml 3.
#pragma once

#include <string>
#include <string_view>

#include "perpend/store/trained_model.h"

namespace perpend {

// The bytes of the file. `version` is perpend's.
std::string to_onnx(const TrainedModel& model, std::string_view version);

}  // namespace perpend
