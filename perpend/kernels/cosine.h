// The local-independence penalty of one row and its adjoint (the paper's equation of the final LIT term; method: R has
// a closed form, so no second-order tape is needed).
#pragma once

#include <cstddef>

namespace perpend::kernels {

// For each of `rows` rows, with g_i member i's input gradient there, d_ij = g_i.g_j, q_ij = d_ii d_jj + eps:
//   penalty[row] = weight[row] * sum over i < j of d_ij^2 / q_ij
//   adjoint:  g_i <- scale * weight[row] * sum over j != i of (2 d_ij / q_ij) g_j - (2 d_ij^2 d_jj / q_ij^2) g_i
// in place. gradients[i] points at member i's row 0; rows are `stride` floats apart with zeros from `features` up to
// the next multiple of 16. Dot products are sums over sixteen lanes, folded in halves. weight and penalty have room for
// `rows` rounded up to 16.
void cosine_adjoint(std::size_t members, std::size_t rows, std::size_t features, float* const* gradients,
                    std::size_t stride, float eps, const float* weight, float scale, float* penalty);

}  // namespace perpend::kernels
