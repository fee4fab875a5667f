// The hidden layer of 64 packed rows, one register tile at a time. Training (collapsed.cpp) and prediction
// (one_layer.cpp) share it.
#if defined(PERPEND_KERNELS_HIDDEN_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PERPEND_KERNELS_HIDDEN_TILE_INL_H_
#undef PERPEND_KERNELS_HIDDEN_TILE_INL_H_
#else
#define PERPEND_KERNELS_HIDDEN_TILE_INL_H_
#endif

#include "perpend/kernels/bits.h"
#include "perpend/kernels/tile-inl.h"
#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

// Where a tile's numbers lie.
struct HiddenTile {
  std::size_t features;
  const float* x;        // rows by pack_group, at the tile's first row
  const float* weights;  // (units, features), at the tile's first unit
  const float* bias;
};

// Computes z = x W + b for kUnits units and kTileRows vectors of rows. z stays in registers over the whole chain of
// features. Takes one step of the interleaved sum per feature.
template <std::size_t kUnits, class Interleaved = NotInterleaved>
HWY_INLINE void multiply_hidden(HiddenTile tile, Vector (&z)[kUnits][kTileRows],
                                Interleaved&& interleaved = NotInterleaved()) {
  HWY_UNROLL(8)
  for (std::size_t k = 0; k < kUnits; ++k) {
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTileRows; ++t) z[k][t] = broadcast(tile.bias[k]);
  }
  for (std::size_t f = 0; f < tile.features; ++f, tile.x += kRowsPerGroup) {
    Vector rows[kTileRows];
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTileRows; ++t) rows[t] = hn::LoadU(Tag(), tile.x + t * kLanes);
    interleaved.step();
    HWY_UNROLL(8)
    for (std::size_t k = 0; k < kUnits; ++k) {
      const Vector weight = broadcast(tile.weights[k * tile.features + f]);
      HWY_UNROLL(4)
      for (std::size_t t = 0; t < kTileRows; ++t) z[k][t] = fma(rows[t], weight, z[k][t]);
    }
  }
}

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
