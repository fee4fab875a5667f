// The hidden layer of 64 packed rows, a tile at a time: shared by training (scores.cpp) and prediction
// (one_layer.cpp).
#if defined(PERPEND_KERNELS_HIDDEN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PERPEND_KERNELS_HIDDEN_INL_H_
#undef PERPEND_KERNELS_HIDDEN_INL_H_
#else
#define PERPEND_KERNELS_HIDDEN_INL_H_
#endif

#include "perpend/kernels/bits.h"
#include "perpend/kernels/tile-inl.h"
#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

// z = x W + b of kUnits units (weights (units, features), bias) and kTile vectors of rows (x: packed at the first of
// them), in registers over the whole chain of features. Takes a step of other work beside each feature.
template <std::size_t kUnits, class Beside = NothingBeside>
HWY_INLINE void hidden_tile(std::size_t features, const float* x, const float* weights, const float* bias,
                            Vector (&z)[kUnits][kTile], Beside&& beside = NothingBeside()) {
  HWY_UNROLL(8)
  for (std::size_t k = 0; k < kUnits; ++k) {
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTile; ++t) z[k][t] = broadcast(bias[k]);
  }
  for (std::size_t f = 0; f < features; ++f, x += kRowsPerGroup) {
    Vector rows[kTile];
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTile; ++t) rows[t] = hn::LoadU(Tag(), x + t * kLanes);
    beside.step();
    HWY_UNROLL(8)
    for (std::size_t k = 0; k < kUnits; ++k) {
      const Vector weight = broadcast(weights[k * features + f]);
      HWY_UNROLL(4)
      for (std::size_t t = 0; t < kTile; ++t) z[k][t] = fma(rows[t], weight, z[k][t]);
    }
  }
}

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
