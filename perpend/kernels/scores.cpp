#include "perpend/kernels/collapsed.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "perpend/kernels/scores.cpp"
#include <hwy/foreach_target.h>

#include "perpend/kernels/hidden-inl.h"
#include "perpend/kernels/mask-inl.h"
#include "perpend/kernels/table-inl.h"
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

// ---- packing: four rows by four features at a time.

void pack_group(std::size_t rows, std::size_t features, const PickedRows& x, float* packed) {
  std::size_t r = 0;
  for (; r + 4 <= rows; r += 4) {
    const float* const four[4] = {x.row(r), x.row(r + 1), x.row(r + 2), x.row(r + 3)};
    std::size_t f = 0;
    for (; f + 4 <= features; f += 4) {
      transpose_tile({four[0] + f, four[1] + f, four[2] + f, four[3] + f}, packed + f * kRowsPerGroup + r,
                     kRowsPerGroup);
    }
    for (; f < features; ++f) {
      for (std::size_t k = 0; k < 4; ++k) packed[f * kRowsPerGroup + r + k] = four[k][f];
    }
  }
  for (; r < rows; ++r) {
    for (std::size_t f = 0; f < features; ++f) packed[f * kRowsPerGroup + r] = x.row(r)[f];
  }
  for (std::size_t f = 0; f < features; ++f) {
    std::fill(packed + f * kRowsPerGroup + rows, packed + (f + 1) * kRowsPerGroup, 0.0F);
  }
}

// ---- scores.

// Chains over the units, for kTile vectors of rows: the score, and a left-over column of G each.
template <std::size_t kLeftover>
using Chains = Vector[1 + kLeftover][kTile];

// The left-over columns of U for a unit.
template <std::size_t kLeftover>
HWY_INLINE void leftover_of(const ScoreInputs& in, std::size_t unit, Vector v, Vector (&out)[kLeftover + 1]) {
  const float* w = in.weights + (unit + 1) * in.features - kLeftover;
  for (std::size_t c = 0; c < kLeftover; ++c) out[c] = hn::Mul(broadcast(w[c]), v);
}

// Stores the bits of kUnits units and kTile vectors of rows, and lets the chains go on where they are set.
#if HWY_TARGET == HWY_AVX2

// Masks are vectors here, so what is inactive becomes zero (which leaves its chain unchanged, as v is finite), and the
// masks of 32 rows are packed into one word.
template <std::size_t kUnits, std::size_t kLeftover, bool kWithParts>
HWY_INLINE void add_active(const ScoreInputs& in, const ScoreOutputs& out, std::size_t u, std::size_t row,
                           const Vector (&z)[kUnits][kTile], Chains<kLeftover>& chains) {
  static_assert(kTile * kLanes == 32);
  const __m256i first_bits = _mm256_sllv_epi32(_mm256_set1_epi32(1), hn::Iota(IntTag(), 0).raw);
  const __m256i in_order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  const char* kept = reinterpret_cast<const char*>(in.kept + u) + row / 8;
  char* by_unit = reinterpret_cast<char*>(out.by_unit + u * kGroupsPerBlock) + row / 8;
  HWY_UNROLL(3)
  for (std::size_t k = 0; k < kUnits; ++k) {
    std::int32_t kept_rows = 0;
    std::memcpy(&kept_rows, kept + k * sizeof(*in.kept), sizeof(kept_rows));
    const Vector v = broadcast(in.v[u + k]);
    Vector leftover[kLeftover + 1];
    leftover_of<kLeftover>(in, u + k, v, leftover);
    __m256i active[kTile];
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTile; ++t) {
      const __m256i bit = _mm256_slli_epi32(first_bits, static_cast<int>(8 * t));
      const __m256i on = _mm256_castps_si256(_mm256_cmp_ps(z[k][t].raw, _mm256_setzero_ps(), _CMP_NLE_UQ));
      const __m256i own = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(kept_rows), bit), bit);
      active[t] = _mm256_and_si256(on, own);
      const Vector where{_mm256_castsi256_ps(active[t])};
      chains[0][t] = fma(hn::And(where, z[k][t]), v, chains[0][t]);
      for (std::size_t c = 0; c < kLeftover; ++c) {
        chains[1 + c][t] = hn::Add(chains[1 + c][t], hn::And(where, leftover[c]));
      }
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

// The same bits once more, in the order that transpose_group reads.
HWY_INLINE void store_part(Mask mask, std::uint16_t* by_part, std::size_t stride, std::size_t row) {
  if constexpr (kLanes >= 8) {
    std::uint16_t* part = by_part + row / kRowsPerPart * stride;
    hn::StoreMaskBits(Tag(), mask, reinterpret_cast<std::uint8_t*>(part) + row % kRowsPerPart / 8);
  }
}

template <std::size_t kUnits, std::size_t kLeftover, bool kWithParts>
HWY_INLINE void add_active(const ScoreInputs& in, const ScoreOutputs& out, std::size_t u, std::size_t row,
                           const Vector (&z)[kUnits][kTile], Chains<kLeftover>& chains) {
  const std::size_t stride = part_stride(in.units);
  HWY_UNROLL(8)
  for (std::size_t k = 0; k < kUnits; ++k) {
    const Vector v = broadcast(in.v[u + k]);
    Vector leftover[kLeftover + 1];
    leftover_of<kLeftover>(in, u + k, v, leftover);
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTile; ++t) {
      const std::size_t at = row + t * kLanes;
      const Mask active = positive_and(load_mask(in.kept + u + k, at), z[k][t]);
      store_mask(active, out.by_unit + (u + k) * kGroupsPerBlock, at);
      if constexpr (kWithParts) store_part(active, out.by_part + u + k, stride, at);
      chains[0][t] = fma_where(active, z[k][t], v, chains[0][t]);
      HWY_UNROLL(2)
      for (std::size_t c = 0; c < kLeftover; ++c) {
        chains[1 + c][t] = add_where(active, chains[1 + c][t], leftover[c]);
      }
    }
  }
}

#endif

// Narrower vectors have no whole byte to store.
void cut_parts(std::size_t units, const ScoreOutputs& out) {
  for (std::size_t u = 0; u < units; ++u) {
    for (std::size_t p = 0; p < kPartsPerGroup; ++p) {
      out.by_part[p * part_stride(units) + u] =
          static_cast<std::uint16_t>(out.by_unit[u * kGroupsPerBlock] >> (p * kRowsPerPart));
    }
  }
}

// A WalkBeside in registers, while one tile is at work. Nothing here may become a call: the tile would be saved for it.
class BesideTile {
 public:
  HWY_INLINE explicit BesideTile(WalkBeside& walk) : walk_(walk), at_(walk.at) {
    look_up();
    for (std::size_t i = 0; i < kVectors; ++i) sum_[i] = hn::Load(Tag(), walk.sums + i * kLanes);
  }
  HWY_INLINE void step() {
    if (HWY_UNLIKELY(at_ == end_)) next();
    TableRows rows(table_, at_);
    at_ += kNumbersPerLoad;
    HWY_UNROLL(4)
    for (std::size_t i = 0; i < kNumbersPerLoad; ++i) {
      const float* row = rows.next();
      HWY_UNROLL(2)
      for (std::size_t v = 0; v < kVectors; ++v) sum_[v] = hn::Add(sum_[v], hn::Load(Tag(), row + v * kLanes));
    }
  }
  HWY_INLINE void leave() {
    for (std::size_t i = 0; i < kVectors; ++i) hn::Store(sum_[i], Tag(), walk_.sums + i * kLanes);
    walk_.at = at_;
  }

 private:
  // From the end of a list to the next one. That of zeros after the last comes again and again.
  HWY_INLINE void next() {
    const Tag d;
    const ColumnPlan& plan = walk_.tables->plan();
    if (walk_.waiting()) {
      float* out = walk_.gradient + walk_.row * walk_.stride + walk_.table * kTableColumns;
      hn::StoreU(sum_[0], d, out);
      const bool last = walk_.table + 1 == plan.tables;
      if (!last || plan.last_width == kTableColumns) hn::StoreU(sum_[1], d, out + kLanes);
      walk_.table = last ? 0 : walk_.table + 1;
      walk_.row += last ? 1 : 0;
    }
    for (auto& sum : sum_) sum = hn::Zero(d);
    at_ = walk_.lists + walk_.first[walk_.row];
    look_up();
  }
  HWY_INLINE void look_up() {
    end_ = walk_.lists + walk_.first[walk_.row + 1];
    table_ = walk_.tables->table(walk_.table);
  }

  static constexpr std::size_t kVectors = 2;
  WalkBeside& walk_;
  const std::uint16_t* at_;
  const std::uint16_t* end_;
  const float* table_;
  Vector sum_[kVectors];
};
// Registers: 24 of a tile, 4 of rows, 2 of sums, which are a table row, and a weight.
constexpr bool kWalksBeside = kLanes == 16;

template <std::size_t kUnits, std::size_t kLeftover, bool kWithParts>
HWY_INLINE void score_tile(const ScoreInputs& in, const ScoreOutputs& out, WalkBeside* beside, std::size_t u,
                           std::size_t row) {
  const Tag d;
  const float* weights = in.weights + u * in.features;
  Vector z[kUnits][kTile];
  if constexpr (kWalksBeside && kWithParts) {
    if (beside != nullptr && beside->waiting()) {
      BesideTile walk(*beside);
      hidden_tile<kUnits>(in.features, in.packed + row, weights, in.bias + u, z, walk);
      walk.leave();
    } else {
      hidden_tile<kUnits>(in.features, in.packed + row, weights, in.bias + u, z);
    }
  } else {
    hidden_tile<kUnits>(in.features, in.packed + row, weights, in.bias + u, z);
  }
  Chains<kLeftover> chains;
  const auto place = [&](std::size_t c, std::size_t t) {
    return (c == 0 ? out.score : out.leftover + (c - 1) * kRowsPerGroup) + row + t * kLanes;
  };
  HWY_UNROLL(3)
  for (std::size_t c = 0; c <= kLeftover; ++c) {
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTile; ++t) chains[c][t] = hn::LoadU(d, place(c, t));
  }
  add_active<kUnits, kLeftover, kWithParts>(in, out, u, row, z, chains);
  HWY_UNROLL(3)
  for (std::size_t c = 0; c <= kLeftover; ++c) {
    HWY_UNROLL(4)
    for (std::size_t t = 0; t < kTile; ++t) hn::StoreU(chains[c][t], d, place(c, t));
  }
}

// in and out are copies, which what is stored cannot change: they stay in registers.
template <std::size_t kLeftover, bool kWithParts>
void score_group(ScoreInputs in, ScoreOutputs out, WalkBeside* beside) {
  for (std::size_t row = 0; row < kRowsPerGroup; row += kTile * kLanes) {
    std::size_t u = 0;
    for (; u + kTileUnits <= in.units; u += kTileUnits) {
      score_tile<kTileUnits, kLeftover, kWithParts>(in, out, beside, u, row);
    }
    if constexpr (kTileUnits > 4) {
      for (; u + 4 <= in.units; u += 4) score_tile<4, kLeftover, kWithParts>(in, out, beside, u, row);
    }
    for (; u < in.units; ++u) score_tile<1, kLeftover, kWithParts>(in, out, beside, u, row);
  }
  if constexpr (kWithParts && kLanes < 8) cut_parts(in.units, out);
}

void scores(const ScoreInputs& in, const ScoreOutputs& out, WalkBeside* beside) {
  std::fill_n(out.score, kRowsPerGroup, in.constant);
  if (out.by_part == nullptr) return score_group<0, false>(in, out, beside);
  std::fill_n(out.leftover, out.leftover_columns * kRowsPerGroup, 0.0F);
  static_assert(kMaxLeftover == 2);
  if (out.leftover_columns == 0) return score_group<0, true>(in, out, beside);
  if (out.leftover_columns == 1) return score_group<1, true>(in, out, beside);
  score_group<2, true>(in, out, beside);
}

bool walks_beside() { return kWalksBeside; }

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perpend::kernels {

HWY_EXPORT(pack_group);
HWY_EXPORT(scores);
HWY_EXPORT(walks_beside);

void pack_group(std::size_t rows, std::size_t features, const PickedRows& x, float* packed) {
  HWY_DYNAMIC_DISPATCH(pack_group)(rows, features, x, packed);
}
void scores(const ScoreInputs& in, const ScoreOutputs& out, WalkBeside* beside) {
  HWY_DYNAMIC_DISPATCH(scores)(in, out, beside);
}

bool WalkBeside::serves(const ColumnPlan& plan) {
  // One table of 8 columns is walked faster alone.
  return plan.first_leftover() > 8 && HWY_DYNAMIC_DISPATCH(walks_beside)();
}

void WalkBeside::start(std::size_t row_count, const std::uint32_t* by_row, const WalkTables& u_tables,
                       float* first_gradient, std::size_t gradient_stride) {
  rows = row_count;
  row = 0;
  table = 0;
  bits = by_row;
  tables = &u_tables;
  gradient = first_gradient;
  stride = gradient_stride;
  join_lists(rows, bits, lists, first);
  const std::uint16_t last = first[rows];
  std::fill_n(lists + last, kNumbersPerLoad, kZeroRow);
  first[rows + 1] = static_cast<std::uint16_t>(last + kNumbersPerLoad);
  at = lists;
  std::fill_n(sums, kTableColumns, 0.0F);
}

void WalkBeside::finish(BitLists& scratch) {
  if (!waiting()) return;
  input_gradient(rows - row, bits + row * kWordsPerRow, *tables, scratch, false, gradient + row * stride, stride);
  row = rows;
}

}  // namespace perpend::kernels
#endif
