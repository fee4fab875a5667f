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

// The members' probabilities of class 1, (members, rows); two classes only.
Matrix<double, axis::Member, axis::Row> binary_probabilities(const Ensemble& ensemble, InputsView inputs,
                                                             const Threads& threads);

// The metrics of probabilities (rows, K): the binary ones of class 1 where K = 2.
Scores score_classes(MatrixView<const double, axis::Row, axis::Out> probabilities,
                     std::span<const std::int32_t> labels);

// Of the members' input gradients, taken without drop-out; memory for a block of rows at a time.
GradientDiversity gradient_diversity(const Ensemble& ensemble, InputsView inputs, const Threads& threads);

// Every number of the metrics object. The ensemble's are of its calibrated probabilities, and its accuracy is that of
// the classes that it answers; members are judged by their own probabilities and at one half. tangents: of these rows,
// for tangent_cos2; empty: it stays undefined.
Evaluation evaluate_ensemble(const Ensemble& ensemble, const Decision& decision, const Dataset& data,
                             const Threads& threads, const Tangents& tangents = {});

// The same where the members' scores of these rows are known already (model/predict.h).
Evaluation evaluate_scores(const Ensemble& ensemble, const Decision& decision, const Dataset& data,
                           Stack<float, axis::Row, axis::Score> scores, const Threads& threads,
                           const Tangents& tangents = {});

}  // namespace perpend
