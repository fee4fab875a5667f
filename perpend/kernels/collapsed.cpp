#include <algorithm>
#include <cmath>
#include <cstring>

#include "perpend/base/error.h"
#include "perpend/kernels/collapsed.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "perpend/kernels/collapsed.cpp"
#include <hwy/foreach_target.h>

#include "perpend/kernels/hidden_tile-inl.h"
#include "perpend/kernels/tile-inl.h"
#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

void pack_group(std::size_t rows, std::size_t features, const IndexedRows& x, float* packed) {
  pack_items(
      rows, features, [&](std::size_t r) { return x.row(r); }, packed);
}

// An active unit adds z v to the chain of the score (kScores), or one number to the chain of each of kColumns columns.
constexpr std::size_t kScores = 0;
template <std::size_t kColumns>
constexpr std::size_t kChainCount = kColumns == kScores ? 1 : kColumns;
template <std::size_t kColumns>
using Chains = Vector[kChainCount<kColumns>][kTileRows];

// Stores the bits of kUnits units and kTileRows vectors of rows, and continues the chains where the bits are set.
template <std::size_t kUnits, std::size_t kColumns>
HWY_INLINE void add_active(const SignInputs& in, const SignOutputs& out, TilePlace tile,
                           const Vector (&z)[kUnits][kTileRows], Chains<kColumns>& chains) {
  HWY_UNROLL(8)
  for (std::size_t k = 0; k < kUnits; ++k) {
    Vector term[kChainCount<kColumns>];
    for (std::size_t c = 0; c < kChainCount<kColumns>; ++c)
      term[c] = broadcast(in.columns[c * in.units + tile.unit + k]);
    Mask active[kTileRows];
    store_active(z[k], in.kept + tile.unit + k, tile.row, out.by_unit + tile.unit + k, active);
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTileRows; ++t) {
      if constexpr (kColumns == kScores) chains[0][t] = fma_where(active[t], z[k][t], term[0], chains[0][t]);
      HWY_UNROLL(3)
      for (std::size_t c = 0; c < kColumns; ++c) chains[c][t] = add_where(active[t], chains[c][t], term[c]);
    }
  }
}

template <std::size_t kUnits, std::size_t kColumns>
HWY_INLINE void float_tile(const SignInputs& in, const SignOutputs& out, InterleavedSum* interleaved, TilePlace tile) {
  const Tag d;
  const HiddenTile hidden{.features = in.features,
                          .x = in.packed + tile.row,
                          .weights = in.weights + tile.unit * in.features,
                          .bias = in.bias + tile.unit};
  Vector z[kUnits][kTileRows];
  if (kCanInterleave && kColumns != kScores && interleaved != nullptr && interleaved->is_pending()) {
    InterleavedTile sum(*interleaved);
    multiply_hidden<kUnits>(hidden, z, sum);
    sum.save();
  } else {
    multiply_hidden<kUnits>(hidden, z);
  }
  Chains<kColumns> chains;
  const auto place = [&](std::size_t c, std::size_t t) { return out.sums + c * kRowsPerGroup + tile.row + t * kLanes; };
  HWY_UNROLL(3)
  for (std::size_t c = 0; c < kChainCount<kColumns>; ++c) {
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTileRows; ++t) chains[c][t] = hn::LoadU(d, place(c, t));
  }
  add_active<kUnits, kColumns>(in, out, tile, z, chains);
  HWY_UNROLL(3)
  for (std::size_t c = 0; c < kChainCount<kColumns>; ++c) {
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTileRows; ++t) hn::StoreU(chains[c][t], d, place(c, t));
  }
}

// `in` and `out` are taken by value, so no store can change them and they stay in registers.
template <std::size_t kColumns>
void float_group(SignInputs in, SignOutputs out, InterleavedSum* interleaved) {
  for (std::size_t row = 0; row < kRowsPerGroup; row += kTileRows * kLanes) {
    std::size_t u = 0;
    for (; u + kTileUnits <= in.units; u += kTileUnits) {
      float_tile<kTileUnits, kColumns>(in, out, interleaved, {u, row});
    }
    if constexpr (kTileUnits > 4) {
      for (; u + 4 <= in.units; u += 4) float_tile<4, kColumns>(in, out, interleaved, {u, row});
    }
    for (; u < in.units; ++u) float_tile<1, kColumns>(in, out, interleaved, {u, row});
  }
}

void scores(const SignInputs& in, const SignOutputs& out) { float_group<kScores>(in, out, nullptr); }

void float_signs(const SignInputs& in, const SignOutputs& out, InterleavedSum* interleaved) {
  static_assert(kMaxColumns == 3);
  if (in.column_count == 1) return float_group<1>(in, out, interleaved);
  if (in.column_count == 2) return float_group<2>(in, out, interleaved);
  float_group<3>(in, out, interleaved);
}

void add_scores(const ScoreRows& a, float* score) {
  HWY_ALIGN float dots[kRowsPerBlock];
  fold_each(a.rows, dots, [&](std::size_t r) HWY_ATTR {
    F16 sum = zero16();
    for (std::size_t f = 0; f < a.features; f += 16) {
      sum = fma16(load16(a.x.row(r) + f), load16(a.gradient + r * a.gradient_stride + f), sum);
    }
    return sum;
  });
  for (std::size_t r = 0; r < a.rows; ++r) score[r] += dots[r];
}

void unit_gradients(const UnitGradients& a) {
  for (std::size_t u = 0; u < a.units; ++u) {
    const float* q = a.sums + u * a.sums_stride;
    const Vector factor = broadcast(a.v[u]);
    F16 dot = zero16();
    for (std::size_t f = 0; f < a.features; f += 16) {
      const F16 sum = load16(q + f);
      dot = fma16(load_first(a.weights + u * a.features + f, a.features - f), sum, dot);
      F16 scaled;
      for (std::size_t i = 0; i < kF16Vectors; ++i) scaled.v[i] = hn::Mul(sum.v[i], factor);
      const std::size_t at = u * a.features + f;
      if (at + 16 <= a.units * a.features) {
        // This may run over into the place of the next unit, which is written next.
        store16(scaled, a.d_weights + at);
      } else {
        // The memory behind the last unit may belong to another thread.
        HWY_ALIGN float last[16];
        store16(scaled, last);
        std::memcpy(a.d_weights + at, last, std::min<std::size_t>(16, a.features - f) * sizeof(float));
      }
    }
    const float q_e = q[a.features];
    a.d_bias[u] = q_e * a.v[u];
    a.d_v[u] = std::fma(a.bias[u], q_e, fold16(dot)) * a.inverse_keep;
  }
}

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perpend::kernels {

HWY_EXPORT(pack_group);
HWY_EXPORT(scores);
HWY_EXPORT(float_signs);
HWY_EXPORT(add_scores);
HWY_EXPORT(unit_gradients);

void pack_group(std::size_t rows, std::size_t features, const IndexedRows& x, float* packed) {
  PERPEND_CHECK(rows <= kRowsPerGroup);
  HWY_DYNAMIC_DISPATCH(pack_group)(rows, features, x, packed);
}
void scores(const SignInputs& in, const SignOutputs& out) {
  PERPEND_CHECK(in.packed != nullptr && in.column_count == 1);
  HWY_DYNAMIC_DISPATCH(scores)(in, out);
}
void float_signs(const SignInputs& in, const SignOutputs& out, InterleavedSum* interleaved) {
  PERPEND_CHECK(in.packed != nullptr && in.column_count >= 1 && in.column_count <= kMaxColumns);
  HWY_DYNAMIC_DISPATCH(float_signs)(in, out, interleaved);
}
void add_scores(const ScoreRows& rows, float* score) {
  PERPEND_CHECK(rows.rows <= kRowsPerBlock);
  HWY_DYNAMIC_DISPATCH(add_scores)(rows, score);
}
void unit_gradients(const UnitGradients& args) { HWY_DYNAMIC_DISPATCH(unit_gradients)(args); }

}  // namespace perpend::kernels
#endif
