#include "perpend/kernels/one_layer.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "perpend/kernels/one_layer.cpp"
#include <hwy/foreach_target.h>

#include "perpend/kernels/hidden_tile-inl.h"
#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

template <std::size_t kUnits>
HWY_INLINE void logit_tile(const OneLayer& a, const float* packed, TilePlace tile, float* logits) {
  const Tag d;
  Vector z[kUnits][kTileRows];
  multiply_hidden<kUnits>({.features = a.features,
                           .x = packed + tile.row,
                           .weights = a.weights + tile.unit * a.features,
                           .bias = a.bias + tile.unit},
                          z);
  HWY_UNROLL(8)
  for (std::size_t k = 0; k < kUnits; ++k) {
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTileRows; ++t) {
      z[k][t] = hn::IfThenZeroElse(hn::Le(z[k][t], hn::Zero(d)), z[k][t]);  // NaN stays
    }
  }
  for (std::size_t c = 0; c < a.classes; ++c) {
    float* out = logits + c * kRowsPerGroup + tile.row;
    Vector sum[kTileRows];
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTileRows; ++t) sum[t] = hn::LoadU(d, out + t * kLanes);
    HWY_UNROLL(8)
    for (std::size_t k = 0; k < kUnits; ++k) {
      const Vector weight = broadcast(a.out_weights[(tile.unit + k) * a.out_stride + c]);
      HWY_UNROLL(4)
      for (std::size_t t = 0; t < kTileRows; ++t) sum[t] = fma(z[k][t], weight, sum[t]);
    }
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTileRows; ++t) hn::StoreU(sum[t], d, out + t * kLanes);
  }
}

// `network` is taken by value, so no store can change it and it stays in registers.
void logits_of_group(OneLayer network, const float* packed, float* logits) {
  for (std::size_t c = 0; c < network.classes; ++c) {
    std::fill_n(logits + c * kRowsPerGroup, kRowsPerGroup, network.out_bias[c]);
  }
  for (std::size_t row = 0; row < kRowsPerGroup; row += kTileRows * kLanes) {
    std::size_t u = 0;
    for (; u + kTileUnits <= network.units; u += kTileUnits) logit_tile<kTileUnits>(network, packed, {u, row}, logits);
    for (; u + 2 <= network.units; u += 2) logit_tile<2>(network, packed, {u, row}, logits);
    if (u < network.units) logit_tile<1>(network, packed, {u, row}, logits);
  }
}

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perpend::kernels {

HWY_EXPORT(logits_of_group);

void one_layer_logits(const OneLayer& network, const float* packed, float* logits) {
  HWY_DYNAMIC_DISPATCH(logits_of_group)(network, packed, logits);
}

}  // namespace perpend::kernels
#endif
