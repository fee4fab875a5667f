// Logits of a network with one ReLU layer, 64 rows at a time: what prediction spends its time on.
//
//     z = x W + b,   logit_k = c_k + sum over units of max(z, 0) V_k
//
// The hidden layer stays in registers. Every entry is the chain that kernels::product, activate and product compute one
// after the other, so this changes the speed and not a bit. Not for training, which needs the bits of the hidden layer:
// see collapsed.h.
#pragma once

#include <cstddef>

namespace perpend::kernels {

// packed: 64 rows as (features, 64) by pack_group. weights: W per unit, (units, features) without padding; out_weights:
// V, (units, classes) with rows out_stride apart. logits becomes (classes, 64).
void one_layer_logits(std::size_t features, std::size_t units, std::size_t classes, const float* packed,
                      const float* weights, const float* bias, const float* out_weights, std::size_t out_stride,
                      const float* out_bias, float* logits);

}  // namespace perpend::kernels
