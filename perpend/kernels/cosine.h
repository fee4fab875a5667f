// The local-independence penalty and its adjoint, row by row. The adjoint has a closed form, so no second-order tape is
// needed. The penalty is the final LIT term of the paper.
#pragma once

#include <cstddef>

namespace perpend::kernels {

// Let g_i be member i's input gradient at a row, d_ij = g_i . g_j and q_ij = d_ii d_jj + eps. For each row this
// computes
//   penalty[row] = weights[row] * sum over i < j of d_ij^2 / q_ij
//   adjoint:  g_i <- scale * weights[row] * sum over j != i of (2 d_ij / q_ij) g_j - (2 d_ij^2 d_jj / q_ij^2) g_i
// The adjoints overwrite the gradients. Dot products are sums over sixteen lanes, folded in halves.
struct CosineAdjoint {
  std::size_t members = 0;
  std::size_t rows = 0;
  std::size_t features = 0;
  float* const* gradients = nullptr;  // each member's row 0; zeros from `features` up to the next multiple of 16
  std::size_t stride = 0;             // floats from one row to the next
  float eps = 0;
  float scale = 1;
  const float* weights = nullptr;  // has room for `rows` rounded up to 16
  float* penalty = nullptr;        // likewise
};
void cosine_adjoint(const CosineAdjoint& args);

}  // namespace perpend::kernels
