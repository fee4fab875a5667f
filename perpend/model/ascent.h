// Finds x_gmax: the point of a ball around a row where a member's score is largest (the paper's definition of local
// independence).
//
// Projected gradient ascent. From a start, for t = 0 .. T - 1:
//
//   x <- project(x + epsilon (1 - t / T) u)      u = gradient / |gradient| (l2), or its signs (linf)
//
// where project brings x back into the ball (l2: along the ray to the row; linf: each column) and then into the box.
// The first step is the paper's x + epsilon grad g / |grad g|, so steps = 1 is its first-order approximation. Later
// steps get shorter and shorter, and slide along the rim. The best point of all steps and starts is kept. The row
// itself is among them, so the score never falls. The first start is the row; further ones are drawn on the rim (l2) or
// in the cube (linf).
//
// This is for two classes and for plain features only: the score is the log-odds, and a small step cannot move a level
// or a missing cell (column_view.h). Distances are in encoded units: one sd of a standardised number. No method is sure
// to find a network's maximum. With too few steps or starts, the score found is too low.
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
  std::uint64_t seed = 0;  // of the further starts
  // No column leaves [low, high], except where the row itself does. Empty means no limits.
  std::vector<float> low = {}, high = {};
};

// Returns, for each row, the point found for this member. The rows keep their order.
Inputs ascend(const Ensemble& ensemble, std::size_t member, InputsView rows, const AscentOptions& options,
              const Threads& threads);

}  // namespace perpend
