#include "perpend/kernels/collapsed.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "perpend/kernels/scores.cpp"
#include <hwy/foreach_target.h>

#include "perpend/kernels/fold-inl.h"
#include "perpend/kernels/hidden-inl.h"
#include "perpend/kernels/mask-inl.h"
#include "perpend/kernels/tile-inl.h"
#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

// Whether x > 0 where kept (or NaN, which has to reach the score and so the loss).
HWY_INLINE Mask positive_and(Mask kept, Vector x) {
#if HWY_TARGET <= HWY_AVX3
  return Mask{_mm512_mask_cmp_ps_mask(kept.raw, x.raw, _mm512_setzero_ps(), _CMP_NLE_UQ)};
#else
  return hn::AndNot(hn::Le(x, hn::Zero(Tag())), kept);
#endif
}

void pack_group(std::size_t rows, std::size_t features, const PickedRows& x, float* packed) {
  pack_items(
      rows, features, [&](std::size_t r) { return x.row(r); }, packed);
}

// ---- bits, and chains of what is summed where they are set.

// What a chain adds for an active unit: z v, which makes it the score, or a number of each of kColumns columns.
constexpr std::size_t kScores = 0;
template <std::size_t kColumns>
constexpr std::size_t kChainCount = kColumns == kScores ? 1 : kColumns;
template <std::size_t kColumns>
using Chains = Vector[kChainCount<kColumns>][kTile];

template <std::size_t kColumns>
HWY_INLINE void load_terms(const SignInputs& in, std::size_t unit, Vector (&term)[kChainCount<kColumns>]) {
  for (std::size_t c = 0; c < kChainCount<kColumns>; ++c) term[c] = broadcast(in.columns[c * in.units + unit]);
}

// Stores the bits of kUnits units and kTile vectors of rows, and lets the chains go on where they are set.
#if HWY_TARGET == HWY_AVX2

// Masks are vectors here, so what is inactive becomes zero (which leaves its chain unchanged, as v is finite), and the
// masks of 32 rows are packed into one word.
template <std::size_t kUnits, std::size_t kColumns, bool kWithParts>
HWY_INLINE void add_active(const SignInputs& in, const SignOutputs& out, std::size_t u, std::size_t row,
                           const Vector (&z)[kUnits][kTile], Chains<kColumns>& chains) {
  static_assert(kTile * kLanes == 32);
  const __m256i first_bits = _mm256_sllv_epi32(_mm256_set1_epi32(1), hn::Iota(IntTag(), 0).raw);
  const __m256i in_order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  const char* kept = reinterpret_cast<const char*>(in.kept + u) + row / 8;
  char* by_unit = reinterpret_cast<char*>(out.by_unit + u * kGroupsPerBlock) + row / 8;
  HWY_UNROLL(3)
  for (std::size_t k = 0; k < kUnits; ++k) {
    std::int32_t kept_rows = 0;
    std::memcpy(&kept_rows, kept + k * sizeof(*in.kept), sizeof(kept_rows));
    Vector term[kChainCount<kColumns>];
    load_terms<kColumns>(in, u + k, term);
    __m256i active[kTile];
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTile; ++t) {
      const __m256i bit = _mm256_slli_epi32(first_bits, static_cast<int>(8 * t));
      const __m256i on = _mm256_castps_si256(_mm256_cmp_ps(z[k][t].raw, _mm256_setzero_ps(), _CMP_NLE_UQ));
      const __m256i own = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(kept_rows), bit), bit);
      active[t] = _mm256_and_si256(on, own);
      const Vector where{_mm256_castsi256_ps(active[t])};
      if constexpr (kColumns == kScores) chains[0][t] = fma(hn::And(where, z[k][t]), term[0], chains[0][t]);
      for (std::size_t c = 0; c < kColumns; ++c) chains[c][t] = hn::Add(chains[c][t], hn::And(where, term[c]));
    }
    const __m256i words =
        _mm256_packs_epi16(_mm256_packs_epi32(active[0], active[1]), _mm256_packs_epi32(active[2], active[3]));
    const auto bits = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_permutevar8x32_epi32(words, in_order)));
    std::memcpy(by_unit + k * kGroupsPerBlock * sizeof(*out.by_unit), &bits, sizeof(bits));
    if constexpr (kWithParts) {
      const std::size_t stride = part_stride(in.units);
      std::uint16_t* part = out.by_part + row / kRowsPerPart * stride + u + k;
      part[0] = static_cast<std::uint16_t>(bits);
      part[stride] = static_cast<std::uint16_t>(bits >> 16);
    }
  }
}

#else

template <std::size_t kUnits, std::size_t kColumns, bool kWithParts>
HWY_INLINE void add_active(const SignInputs& in, const SignOutputs& out, std::size_t u, std::size_t row,
                           const Vector (&z)[kUnits][kTile], Chains<kColumns>& chains) {
  const std::size_t stride = part_stride(in.units);
  HWY_UNROLL(8)
  for (std::size_t k = 0; k < kUnits; ++k) {
    Vector term[kChainCount<kColumns>];
    load_terms<kColumns>(in, u + k, term);
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTile; ++t) {
      const std::size_t at = row + t * kLanes;
      const Mask active = positive_and(load_mask(in.kept + u + k, at), z[k][t]);
      store_mask(active, out.by_unit + (u + k) * kGroupsPerBlock, at);
      if constexpr (kWithParts) store_part(active, out.by_part + u + k, stride, at);
      if constexpr (kColumns == kScores) chains[0][t] = fma_where(active, z[k][t], term[0], chains[0][t]);
      HWY_UNROLL(3)
      for (std::size_t c = 0; c < kColumns; ++c) chains[c][t] = add_where(active, chains[c][t], term[c]);
    }
  }
}

#endif

template <std::size_t kUnits, std::size_t kColumns, bool kWithParts>
HWY_INLINE void float_tile(const SignInputs& in, const SignOutputs& out, WalkBeside* beside, std::size_t u,
                           std::size_t row) {
  const Tag d;
  const float* weights = in.weights + u * in.features;
  Vector z[kUnits][kTile];
  if (kWalksBeside && kColumns != kScores && beside != nullptr && beside->waiting()) {
    BesideTile walk(*beside);
    hidden_tile<kUnits>(in.features, in.packed + row, weights, in.bias + u, z, walk);
    walk.leave();
  } else {
    hidden_tile<kUnits>(in.features, in.packed + row, weights, in.bias + u, z);
  }
  Chains<kColumns> chains;
  const auto place = [&](std::size_t c, std::size_t t) { return out.sums + c * kRowsPerGroup + row + t * kLanes; };
  HWY_UNROLL(3)
  for (std::size_t c = 0; c < kChainCount<kColumns>; ++c) {
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTile; ++t) chains[c][t] = hn::LoadU(d, place(c, t));
  }
  add_active<kUnits, kColumns, kWithParts>(in, out, u, row, z, chains);
  HWY_UNROLL(3)
  for (std::size_t c = 0; c < kChainCount<kColumns>; ++c) {
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTile; ++t) hn::StoreU(chains[c][t], d, place(c, t));
  }
}

// in and out are copies, which what is stored cannot change: they stay in registers.
template <std::size_t kColumns, bool kWithParts>
void float_group(SignInputs in, SignOutputs out, WalkBeside* beside) {
  for (std::size_t row = 0; row < kRowsPerGroup; row += kTile * kLanes) {
    std::size_t u = 0;
    for (; u + kTileUnits <= in.units; u += kTileUnits) {
      float_tile<kTileUnits, kColumns, kWithParts>(in, out, beside, u, row);
    }
    if constexpr (kTileUnits > 4) {
      for (; u + 4 <= in.units; u += 4) float_tile<4, kColumns, kWithParts>(in, out, beside, u, row);
    }
    for (; u < in.units; ++u) float_tile<1, kColumns, kWithParts>(in, out, beside, u, row);
  }
  if constexpr (kWithParts && kLanes < 8) cut_parts(in.units, out.by_unit, out.by_part);
}

void float_scores(const SignInputs& in, const SignOutputs& out) {
  if (out.by_part == nullptr) return float_group<kScores, false>(in, out, nullptr);
  float_group<kScores, true>(in, out, nullptr);
}

void float_signs(const SignInputs& in, const SignOutputs& out, WalkBeside* beside) {
  static_assert(kMaxColumns == 3);
  if (in.column_count == 1) return float_group<1, true>(in, out, beside);
  if (in.column_count == 2) return float_group<2, true>(in, out, beside);
  float_group<3, true>(in, out, beside);
}

void add_scores(std::size_t rows, std::size_t features, const PickedRows& x, const float* gradient, std::size_t stride,
                float* score) {
  HWY_ALIGN float dots[kRowsPerBlock];
  fold_each(rows, dots, [&](std::size_t r) HWY_ATTR {
    F16 sum = zero16();
    for (std::size_t f = 0; f < features; f += 16) {
      sum = fma16(load16(x.row(r) + f), load16(gradient + r * stride + f), sum);
    }
    return sum;
  });
  for (std::size_t r = 0; r < rows; ++r) score[r] += dots[r];
}

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perpend::kernels {

HWY_EXPORT(pack_group);
HWY_EXPORT(float_scores);
HWY_EXPORT(float_signs);
HWY_EXPORT(add_scores);

void pack_group(std::size_t rows, std::size_t features, const PickedRows& x, float* packed) {
  HWY_DYNAMIC_DISPATCH(pack_group)(rows, features, x, packed);
}
void scores(const SignInputs& in, const SignOutputs& out) { HWY_DYNAMIC_DISPATCH(float_scores)(in, out); }
void signs_by_floats(const SignInputs& in, const SignOutputs& out, WalkBeside* beside) {
  HWY_DYNAMIC_DISPATCH(float_signs)(in, out, beside);
}
void add_scores(std::size_t rows, std::size_t features, const PickedRows& x, const float* gradient, std::size_t stride,
                float* score) {
  HWY_DYNAMIC_DISPATCH(add_scores)(rows, features, x, gradient, stride, score);
}

}  // namespace perpend::kernels
#endif
