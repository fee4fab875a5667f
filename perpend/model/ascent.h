// x_gmax: where in a ball around a row a member's score is largest (the paper's definition of local independence).
//
// Projected gradient ascent. From a start, for t = 0 .. T - 1:
//
//   x <- project(x + epsilon (1 - t / T) u)      u = gradient / |gradient| (l2), or its signs (linf)
//
// where project brings x back into the ball (l2: along the ray to the row; linf: each column) and then into the box.
// The first step is the paper's x + epsilon grad g / |grad g|, so steps = 1 is its first-order approximation; shorter
// and shorter ones then slide along the rim. The best point of all steps and starts is kept, the row itself among them:
// the score never falls. The first start is the row; further ones are drawn on the rim (l2) or in the cube (linf).
//
// Two classes and plain features only: the score is the log-odds, and a level or a missing cell (column_view.h) cannot
// be moved by a small step. Distances are in encoded units: one sd of a standardised number. The maximum of a network
// is found for certain by nobody; where steps or starts are too few, the score found is too low.
#pragma once

#include <cstdint>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/base/parallel.h"
#include "perpend/model/ensemble.h"

namespace perpend {

enum class Norm { l2, linf };

struct AscentOptions {
  double epsilon = 0.1;  // radius, above 0
  Norm norm = Norm::l2;
  int steps = 40;
  int starts = 1;
  std::uint64_t seed = 0;  // of further starts
  // No column leaves [low, high], except where the row itself does; empty: no limits.
  std::vector<float> low = {}, high = {};
};

// Per row the point found for this member; rows as given.
Inputs ascend(const Ensemble& ensemble, std::size_t member, InputsView rows, const AscentOptions& options,
              const Threads& threads);

}  // namespace perpend
