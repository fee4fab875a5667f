// Boosted trees (trees/tree.h) in a graph, as one node of ai.onnx.ml: TreeEnsembleRegressor.
//
// That operator compares numbers, so a set of levels becomes a number: 0 where the row's level is in the set, else 1,
// and x <= 0.5 goes left. Nodes with the same set share the number. The matrix under the trees has the encoded numbers,
// then these. It is float64, as are thresholds, values and sums, because score() sums in double: only the order of the
// sum is that of whoever runs the graph.
#pragma once

#include <string>

#include "perpend/data/schema.h"
#include "perpend/model/ensemble.h"
#include "perpend/onnx/graph.h"
#include "perpend/onnx/member_inputs.h"

namespace perpend::onnx {

// (rows, scores) float32: what score() of trees/tree.h says. NaN for a row that the model refuses.
std::string tree_scores(Graph& graph, const Schema& schema, const Ensemble& ensemble, const MemberInputs& inputs);

}  // namespace perpend::onnx
