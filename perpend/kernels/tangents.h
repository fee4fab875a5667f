// Input gradients along tangent vectors, and back: with J(x) the basis at a row (base/tangents.h),
//
//   project   p = J^T g           what the penalty on the data's surface sees
//   lift      r = J r_p           the adjoint of g, from that r_p of p
//
// which are each other's transposes, so a penalty of p has exactly the adjoint lift gives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perpend/base/tangents.h"

namespace perpend::kernels {

namespace reference {

template <class T>
std::vector<T> project(const Tangents& tangents, std::size_t row, const T* g) {
  std::vector<T> p(tangents.directions(), T{});
  for (std::size_t k = 0; k < p.size(); ++k) {
    for (std::size_t f = 0; f < tangents.features(); ++f) p[k] += T(tangents.direction(row, k)[f]) * g[f];
  }
  return p;
}

template <class T>
std::vector<T> lift(const Tangents& tangents, std::size_t row, const std::vector<T>& p) {
  std::vector<T> g(tangents.features(), T{});
  for (std::size_t k = 0; k < p.size(); ++k) {
    for (std::size_t f = 0; f < g.size(); ++f) g[f] += T(tangents.direction(row, k)[f]) * p[k];
  }
  return g;
}

}  // namespace reference

// For each of `rows` rows, of which row r is row rows_at[r] of the tangents (any, when they are shared). Gradients lie
// `stride` floats apart and projections `p_stride`, both padded to 16 columns; the padding of what is written is zero.
// Projections are sums over sixteen lanes, folded in halves; lifts are chains over the directions in order.
void project(const Tangents& tangents, std::size_t rows, const std::uint32_t* rows_at, const float* gradients,
             std::size_t stride, float* projections, std::size_t p_stride);
void lift(const Tangents& tangents, std::size_t rows, const std::uint32_t* rows_at, const float* projections,
          std::size_t p_stride, float* gradients, std::size_t stride);

}  // namespace perpend::kernels
