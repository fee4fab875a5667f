// Logits of a network with one ReLU layer, for 64 rows at a time. Prediction spends most of its time here.
//
//     z = x W + b,   logit_k = c_k + sum over units of max(z, 0) V_k
//
// The hidden layer stays in registers, which makes this fast. Each logit has the same bits as kernels::product,
// activate and product in turn, because its chain is the same. Training cannot use this, as it needs the bits of the
// hidden layer: see collapsed.h.
#pragma once

#include <cstddef>

namespace perpend::kernels {

struct OneLayer {
  std::size_t features = 0;
  std::size_t units = 0;
  std::size_t classes = 0;
  const float* weights = nullptr;  // W per unit: (units, features) without padding
  const float* bias = nullptr;
  const float* out_weights = nullptr;  // V: (units, classes), rows out_stride apart
  std::size_t out_stride = 0;
  const float* out_bias = nullptr;
};
// packed: 64 rows as (features, 64) by pack_group. logits becomes (classes, 64).
void one_layer_logits(const OneLayer& network, const float* packed, float* logits);

}  // namespace perpend::kernels
