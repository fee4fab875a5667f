// A trained ensemble on rows: its metrics and how its members differ.
#pragma once

#include <cstdint>
#include <span>

#include "perpend/base/parallel.h"
#include "perpend/base/tangents.h"
#include "perpend/data/dataset.h"
#include "perpend/evaluate/diversity.h"
#include "perpend/model/decision.h"
#include "perpend/model/ensemble.h"
#include "perpend/records/evaluation.h"

namespace perpend {

// Returns the members' probabilities of class 1, (members, rows). For two classes only.
Matrix<double, axis::Member, axis::Row> binary_probabilities(const Ensemble& ensemble, InputsView inputs,
                                                             const Threads& threads);

// Returns the metrics of probabilities (rows, K). Where K = 2 they are the binary ones of class 1.
Scores score_classes(MatrixView<const double, axis::Row, axis::Out> probabilities,
                     std::span<const std::int32_t> labels);

// Compares the members' input gradients, taken without drop-out. It needs memory for one block of rows at a time.
GradientDiversity gradient_diversity(const Ensemble& ensemble, InputsView inputs, const Threads& threads);

// Returns every number of the metrics object. The ensemble is judged by its calibrated probabilities, and its accuracy
// by the classes that it answers. Members are judged by their own probabilities and at one half. tangents: of these
// rows, for tangent_cos2. If they are empty, it stays undefined.
Evaluation evaluate_ensemble(const Ensemble& ensemble, const Decision& decision, const Dataset& data,
                             const Threads& threads, const Tangents& tangents = {});

// The same from the members' scores of these rows, where they are known already (model/predict.h).
Evaluation evaluate_scores(const Ensemble& ensemble, const Decision& decision, const Dataset& data,
                           Stack<float, axis::Row, axis::Score> scores, const Threads& threads,
                           const Tangents& tangents = {});

}  // namespace perpend
