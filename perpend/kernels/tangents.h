// Projects input gradients to tangent vectors, and lifts adjoints back. With J(x) the basis at a row (base/tangents.h):
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

// Basis indices[r] of the tangents belongs to row r of both matrices. (If all rows share one basis, the index does not
// matter.) Rows of both matrices are padded to 16 columns, and written padding is zero. Projections are sums over
// sixteen lanes, folded in halves; lifts are chains over the directions in order. Scalar twins are in reference.h.
void project(const Tangents& tangents, std::span<const std::uint32_t> indices, InputsView gradients,
             MatrixView<float, axis::Row, axis::Feature> projections);
void lift(const Tangents& tangents, std::span<const std::uint32_t> indices, InputsView projections,
          MatrixView<float, axis::Row, axis::Feature> gradients);

}  // namespace perpend::kernels
