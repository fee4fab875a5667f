// Independence at a distance: does f stay the same where g grows most?
//
// The paper defines local independence by finite steps, and trains with the limit for small steps:
//
//   IndepErr(f, g) = E[(f(x_gmax) - f(x))^2],   x_gmax = argmax of g within epsilon of x      (model/ascent.h)
//   f(x_gmax) - f(x) -> epsilon |grad f| cos(grad f, grad g)                                   as epsilon -> 0
//
// f and g are scores (log-odds) of two members, without drop-out. IndepErr has the scale of f. This ratio can be
// compared with cos^2 and between epsilons:
//
//   relative(f, g) = IndepErr(f, g) / IndepErr(f, f)  ->  E[|grad f|^2 cos^2] / E[|grad f|^2]
//
// It is how far f changes on the way to the point where g is largest, divided by how far it changes on the way to its
// own largest point. As epsilon -> 0 it goes to cos^2, where each row is weighted by how steep f is there. Where the
// two drift apart, gradients at x no longer speak for its neighbourhood.
//
// The statistical form has noise e ~ N(0, sigma^2) in every column. The correlation over e of f(x + e) - f(x) and g(x +
// e) - g(x) goes to cos(grad f, grad g). For Gaussian outputs their mutual information is -1/2 ln(1 - correlation^2).
// It is estimated from `draws` draws per row. For independent members, correlation^2 comes out as 1 / (draws - 1), not
// 0.
#pragma once

#include <cstddef>
#include <cstdint>

#include "perpend/base/matrix.h"
#include "perpend/base/parallel.h"
#include "perpend/model/ascent.h"
#include "perpend/model/ensemble.h"
#include "perpend/records/finite.h"

namespace perpend {

// Needs two classes, plain features and at least one row.
FiniteIndependence finite_independence(const Ensemble& ensemble, InputsView rows, const AscentOptions& options,
                                       const Threads& threads);

struct NoiseOptions {
  double sigma = 0.1;  // above 0
  int draws = 256;     // per row, at least 3
  std::uint64_t seed = 0;
};
// Above this number of rows, this many are taken, evenly spread.
constexpr std::size_t kMostNoiseRows = 1024;
NoiseIndependence noise_independence(const Ensemble& ensemble, InputsView rows, const NoiseOptions& options,
                                     const Threads& threads);

}  // namespace perpend
