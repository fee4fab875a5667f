#include "perpend/kernels/one_layer.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "perpend/kernels/one_layer.cpp"
#include <hwy/foreach_target.h>

#include "perpend/kernels/hidden-inl.h"
#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

struct LogitArguments {
  std::size_t features;
  std::size_t classes;
  const float* packed;
  const float* weights;
  const float* bias;
  const float* out_weights;
  std::size_t out_stride;
  float* logits;
};

template <std::size_t kUnits>
HWY_INLINE void logit_tile(const LogitArguments& a, std::size_t u, std::size_t row) {
  const Tag d;
  Vector z[kUnits][kTile];
  hidden_tile<kUnits>(a.features, a.packed + row, a.weights + u * a.features, a.bias + u, z);
  HWY_UNROLL(8)
  for (std::size_t k = 0; k < kUnits; ++k) {
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTile; ++t) {
      z[k][t] = hn::IfThenZeroElse(hn::Le(z[k][t], hn::Zero(d)), z[k][t]);  // NaN stays
    }
  }
  for (std::size_t c = 0; c < a.classes; ++c) {
    float* logits = a.logits + c * kRowsPerGroup + row;
    Vector sum[kTile];
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTile; ++t) sum[t] = hn::LoadU(d, logits + t * kLanes);
    HWY_UNROLL(8)
    for (std::size_t k = 0; k < kUnits; ++k) {
      const Vector weight = broadcast(a.out_weights[(u + k) * a.out_stride + c]);
      HWY_UNROLL(4)
      for (std::size_t t = 0; t < kTile; ++t) sum[t] = fma(z[k][t], weight, sum[t]);
    }
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTile; ++t) hn::StoreU(sum[t], d, logits + t * kLanes);
  }
}

void logits_of_group(std::size_t features, std::size_t units, std::size_t classes, const float* packed,
                     const float* weights, const float* bias, const float* out_weights, std::size_t out_stride,
                     const float* out_bias, float* logits) {
  const LogitArguments a{features, classes, packed, weights, bias, out_weights, out_stride, logits};
  for (std::size_t c = 0; c < classes; ++c) std::fill_n(logits + c * kRowsPerGroup, kRowsPerGroup, out_bias[c]);
  for (std::size_t row = 0; row < kRowsPerGroup; row += kTile * kLanes) {
    std::size_t u = 0;
    for (; u + kTileUnits <= units; u += kTileUnits) logit_tile<kTileUnits>(a, u, row);
    for (; u + 2 <= units; u += 2) logit_tile<2>(a, u, row);
    if (u < units) logit_tile<1>(a, u, row);
  }
}

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perpend::kernels {

HWY_EXPORT(logits_of_group);

void one_layer_logits(std::size_t features, std::size_t units, std::size_t classes, const float* packed,
                      const float* weights, const float* bias, const float* out_weights, std::size_t out_stride,
                      const float* out_bias, float* logits) {
  HWY_DYNAMIC_DISPATCH(logits_of_group)
  (features, units, classes, packed, weights, bias, out_weights, out_stride, out_bias, logits);
}

}  // namespace perpend::kernels
#endif
