// Writes a trained model as one ONNX graph, for programs that cannot call perpend. The graph has the preprocessing, the
// members and the decision rule.
//
//   inputs    There is one input (rows, 1) per column that the model uses, with the name of the column. For a
//             numeric column it is float64 (NaN and infinite numbers are missing), else text ("" is missing).
//             A code that is a whole number may be spelled 1 or 1.0. perpend also knows 1e0 and 01, which a graph takes
//             as never seen. Where perpend reads words as numbers ($1,234, see data/reading.h), the graph takes the
//             number 1234. For a date it takes the numbers of the date, as inputs `when`, `when.month` and so on.
//   outputs   probabilities         (rows, K) float64, by the ensemble's decision rule and its calibration
//             label                 (rows) text, the most probable class, or the earlier one on a tie. With a
//                                   threshold it is the second class if its probability is above the threshold.
//             disagreement          (rows) float64, as in perpend predict
//             member_probabilities  (members, rows, K) float32
//
// If a column has the name of an output, the output gets underscores at its end. Encoding is exact: it is float64 until
// the features are rounded to float32, as in perpend. Members of one view share its inputs (member_inputs.h). Boosted
// trees are one operator (tree_scores.h). The program that runs the graph chooses the order of the networks' sums, so
// probabilities agree to about 1e-6 and not to the bit. A graph cannot refuse a row. If the model was trained with
// --missing error, a missing cell gives NaN.
//
// Operators are those of ONNX opset 17 and ai.onnx.ml 3.
#pragma once

#include <string>
#include <string_view>

#include "perpend/store/trained_model.h"

namespace perpend {

// The bytes of the file. `version` is that of perpend.
std::string to_onnx(const TrainedModel& model, std::string_view version);

}  // namespace perpend
