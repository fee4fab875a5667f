// A trained ensemble on labelled rows: every number of the metrics object.
#pragma once

#include <span>
#include <vector>

#include "perpend/base/parallel.h"
#include "perpend/data/dataset.h"
#include "perpend/model/ensemble.h"
#include "perpend/records/evaluation.h"

namespace perpend {

// The members' probabilities of class 1, (members, rows); two classes only.
Matrix<double, axis::Member, axis::Row> binary_probabilities(const Ensemble& ensemble, InputsView inputs,
                                                             const Threads& threads);

// sum over members of weight * probability; weights sum to 1.
std::vector<double> weighted_mean(MatrixView<const double, axis::Member, axis::Row> members,
                                  std::span<const double> weights);

// weights has one entry per member, summing to 1. Input gradients are taken without drop-out.
Evaluation evaluate_ensemble(const Ensemble& ensemble, std::span<const double> weights, const Dataset& data,
                             const Threads& threads);

}  // namespace perpend
