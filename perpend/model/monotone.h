// Networks of one hidden layer whose score never falls along an increasing column, and never rises along a decreasing
// one. This is exact and holds everywhere, even far from the training rows, because it depends only on the signs of
// weights.
//
// With two classes the score is s = c + sum_h v_h phi(z_h), with v = w2[:,1] - w2[:,0] and z = b + x W. So
//     ds/dx_d = sum_h phi'(z_h) v_h W[d][h].
// All activations here rise (phi' >= 0). If v_h W[d][h] >= 0 for every unit h, no term is below 0, and s never falls
// along d. For a decreasing column the products must be <= 0. In the piecewise view a column has one weight per bin,
// and dz_h/dx_d = W[k][h] / (width of bin k) in bin k and 0 outside the edges, so the same holds if all bins obey the
// signs. The weight of a missing cell is free: missing is neither more nor less than a number.
//
// Half of the units have v_h > 0 and half v_h < 0, so a score can bend up and down along the column: units of the first
// kind are convex in it and those of the second concave.
//
// The whole ensemble obeys too. The probability of class 1 rises with the score, and every decision rule (decision.h)
// rises with the members' probabilities: a mean with weights >= 0, the geometric mean of SAMME.R, weighted votes.
//
// The same holds in floats. A chain of fused multiply-adds rises with each of its inputs, because rounding never swaps
// two numbers. So the computed scores of ReLU networks obey to the last bit within a bin and in the linear view,
// provided that w2[:,0] and w2[:,1] have opposite signs. `orient` starts with w2[:,0] = -w2[:,1], and Adam keeps that,
// because its gradients for the two are opposite. Where a number passes from one bin to the next, the two bins' sums
// may differ by a rounding error. The same is true of other activations and of the logistic function.
//
// How training keeps the signs: after each step of Adam, a weight whose product has the wrong sign is set to 0. Where
// v_h changes its sign, all weights of the columns with a direction become 0, and grow again with the other sign. At
// that moment v_h is next to 0, so the score hardly moves.
#pragma once

#include <cstddef>
#include <span>

#include "perpend/base/direction.h"
#include "perpend/model/ensemble.h"

namespace perpend {

// Whether a weight of the first layer breaks the sign that its column's direction asks for. v belongs to the weight's
// unit.
inline bool breaks(Direction direction, float v, float weight) {
  if (direction == Direction::none) return false;
  const float along = direction == Direction::increasing ? v : -v;
  return (along > 0 && weight < 0) || (along < 0 && weight > 0);
}

// Whether networks of this shape can be kept monotone: one hidden layer and two classes.
bool can_be_monotone(const Architecture& architecture);

// Directions of the inputs of a member's first layer, made from those of the columns. Weights of missing cells have
// none.
Directions input_directions(const Architecture& architecture, std::size_t member, std::span<const Direction> columns);

// Prepares a network for training: v stays the same with w2[:,0] = -w2[:,1], and weights that break their sign are
// negated. Setting them to zero instead would waste half of the units.
void orient(std::span<const Direction> inputs, Network<float>& network);

// Sets weights that break their sign to 0.
void project(std::span<const Direction> inputs, Network<float>& network);

bool obeys(std::span<const Direction> inputs, const Network<float>& network);

}  // namespace perpend
