// Writes boosted trees (trees/tree.h) as one node of ai.onnx.ml: TreeEnsembleRegressor.
//
// That operator compares numbers, so a set of levels becomes a number. It is 0 if the row's level is in the set, else
// 1, and x <= 0.5 goes left. Nodes with the same set share the number. The input matrix of the trees has the encoded
// numbers, then the numbers of the sets. It is float64, and so are thresholds, values and sums, because score() sums in
// double. Only the order of the sum is up to the program that runs the graph.
#pragma once

#include <string>

#include "perpend/data/schema.h"
#include "perpend/model/ensemble.h"
#include "perpend/onnx/graph.h"
#include "perpend/onnx/member_inputs.h"

namespace perpend::onnx {

// (rows, scores) float32: the result of score() in trees/tree.h. It is NaN for a row that the model refuses.
std::string tree_scores(Graph& graph, const Schema& schema, const Ensemble& ensemble, const MemberInputs& inputs);

}  // namespace perpend::onnx
