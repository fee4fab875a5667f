// Input gradients along tangent vectors, and back: with J(x) the basis at a row (base/tangents.h),
//
//   project   p = J^T g           what a penalty along the data's surface sees
//   lift      r = J r_p           the adjoint of g, from the adjoint r_p of p
//
// They are each other's transposes, so a penalty of p has exactly the adjoint that lift gives.
#pragma once

#include <cstdint>
#include <span>

#include "perpend/base/matrix.h"
#include "perpend/base/tangents.h"

namespace perpend::kernels {

// For each of the rows `indices`: basis indices[r] of the tangents (any, when one basis is shared) meets row r of the
// two matrices. Rows of both are padded to 16 columns, and the padding of what is written is zero. Projections are sums
// over sixteen lanes, folded in halves; lifts are chains over the directions in order. Scalar twins are in reference.h.
void project(const Tangents& tangents, std::span<const std::uint32_t> indices, InputsView gradients,
             MatrixView<float, axis::Row, axis::Feature> projections);
void lift(const Tangents& tangents, std::span<const std::uint32_t> indices, InputsView projections,
          MatrixView<float, axis::Row, axis::Feature> gradients);

}  // namespace perpend::kernels
