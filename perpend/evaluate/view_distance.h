// Independence at a distance (evaluate/finite.h) as a report draws it: a curve over epsilon.
//
// The ascent takes `steps` forward and backward passes per row, member and epsilon. On a large table this would cost
// more than the rest of the page. So rows are taken evenly, at most kMostDistanceRows and fewer for large ensembles,
// and the ascent is half as long as evaluate's. Its results were within 3 % of evaluate's on the networks tried. For
// figures to quote use `perpend evaluate --epsilon`, which takes all rows.
#pragma once

#include <cstddef>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/base/parallel.h"
#include "perpend/model/ascent.h"
#include "perpend/model/ensemble.h"
#include "perpend/records/model_view.h"

namespace perpend {

struct DistanceOptions {
  std::vector<double> epsilons = {0.03, 0.1, 0.3, 1, 3};  // above 0, in encoded units; none: not measured
  Norm norm = Norm::l2;
};

constexpr std::size_t kMostDistanceRows = 512;
constexpr std::size_t kFewestDistanceRows = 32;

// Needs two classes, plain features, at least two members and one row.
DistanceView view_distance(const Ensemble& ensemble, InputsView rows, const DistanceOptions& options,
                           const Threads& threads);

}  // namespace perpend
