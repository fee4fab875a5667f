#include "perpend/kernels/cosine.h"

#include <algorithm>
#include <vector>

#include "perpend/base/aligned.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "perpend/kernels/cosine.cpp"
#include <hwy/foreach_target.h>

#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

// Sixteen rows are computed at a time. In dots[pair][row], the arithmetic on pairs has rows along its lanes.
constexpr std::size_t kRows = 16;
// The dot products of up to kSide members with each other, or with kHalfSide others, are computed in registers. There
// are at most kFolds of them, which are folded at once.
constexpr std::size_t kSide = kLanes == 16 ? 5 : 2;
constexpr std::size_t kHalfSide = (kSide + 1) / 2;
static_assert(kSide * (kSide + 1) / 2 <= kFolds && kSide * kHalfSide <= kFolds);
// The adjoints of kSide members are summed over kMostVectors vectors of sixteen columns at a time. The registers hold
// these sums, one member's columns and one coefficient.
constexpr std::size_t kMostVectors = kLanes == 16 ? 3 : 1;
static_assert(kLanes == 1 || (kSide + 1) * kMostVectors * kF16Vectors + 1 <= kRegisters);

// Writes to `out`, for one row, the dot products of kA members g with kB others h (slot j kA + i). If there are no
// others, it writes those of the members with each other (slot by slot, i <= j).
template <std::size_t kA, std::size_t kB>
HWY_INLINE void row_dots(const float* const* g, std::size_t padded, const float* const* h, float* out) {
  F16 sum[kFolds];
  HWY_UNROLL(16)
  for (std::size_t k = 0; k < kFolds; ++k) sum[k] = zero16();
  for (std::size_t d = 0; d < padded; d += 16) {
    F16 x[kA];
    HWY_UNROLL(5)
    for (std::size_t i = 0; i < kA; ++i) x[i] = load16(g[i] + d);
    std::size_t slot = 0;
    HWY_UNROLL(3)
    for (std::size_t j = 0; j < kB; ++j) {
      const F16 y = load16(h[j] + d);
      HWY_UNROLL(5)
      for (std::size_t i = 0; i < kA; ++i, ++slot) sum[slot] = fma16(x[i], y, sum[slot]);
    }
    HWY_UNROLL(5)
    for (std::size_t i = 0; kB == 0 && i < kA; ++i) {
      HWY_UNROLL(5)
      for (std::size_t j = i; j < kA; ++j, ++slot) sum[slot] = fma16(x[i], x[j], sum[slot]);
    }
  }
  fold_all(sum, out);
}

// Pairs of members. If `others` is 0, they are those of members first .. first + count with each other. Else they are
// those of these members with the `others` members from `other` on. Slots are those of row_dots.
struct DotTile {
  std::size_t first, count, other, others;
};

// `count` rows, whose gradients start `at` floats into the gradients of each member.
struct DotRows {
  std::size_t count, padded, at, stride;
  const float* const* gradients;
};
// Computes the dot products of one tile. dots becomes (kFolds, kRows).
template <std::size_t kA, std::size_t kB>
HWY_INLINE void tile_dots(const DotTile& tile, const DotRows& rows, float* dots) {
  HWY_ALIGN float by_row[kRows * kFolds];
  std::fill(by_row + rows.count * kFolds, by_row + kRows * kFolds, 0.0F);
  const float* g[kA];
  const float* h[kB + 1];
  for (std::size_t r = 0; r < rows.count; ++r) {
    const std::size_t at = rows.at + r * rows.stride;
    for (std::size_t i = 0; i < kA; ++i) g[i] = rows.gradients[tile.first + i] + at;
    for (std::size_t j = 0; j < kB; ++j) h[j] = rows.gradients[tile.other + j] + at;
    row_dots<kA, kB>(g, rows.padded, h, by_row + r * kFolds);
  }
  for (std::size_t slot = 0; slot < kFolds; slot += 4) {
    for (std::size_t r = 0; r < kRows; r += 4) {
      const float* first = by_row + r * kFolds + slot;
      transpose_4x4({first, first + kFolds, first + 2 * kFolds, first + 3 * kFolds}, dots + slot * kRows + r, kRows);
    }
  }
}
// Chooses the template of the tile's size. Only the last tile is smaller than kSide, and it has no others.
template <std::size_t kA = kSide, std::size_t kB = kHalfSide>
HWY_INLINE void dots_of(const DotTile& tile, const DotRows& rows, float* dots) {
  if constexpr (kB > 0) {
    if (tile.others < kB) return dots_of<kA, kB - 1>(tile, rows, dots);
  } else if constexpr (kA > 1) {
    if (tile.count < kA) return dots_of<kA - 1, 0>(tile, rows, dots);
  }
  tile_dots<kA, kB>(tile, rows, dots);
}

struct Workspace {
  explicit Workspace(const CosineAdjoint& args)
      : members(args.members),
        padded(round_up(args.features, 16)),
        place(members * members),
        coefficients(members * members * kRows),
        in(members),
        copy(members * kMostVectors * 16) {
    for (std::size_t first = 0; first < members; first += kSide) {
      const std::size_t side = std::min(kSide, members - first);
      std::size_t slot = tiles.size() * kFolds;
      tiles.push_back({first, side, 0, 0});
      for (std::size_t i = first; i < first + side; ++i) {
        for (std::size_t j = i; j < first + side; ++j) set_place(i, j, slot++);
      }
      for (std::size_t other = first + side; other < members; other += kHalfSide) {
        slot = tiles.size() * kFolds;
        tiles.push_back({first, side, other, std::min(kHalfSide, members - other)});
        for (std::size_t j = other; j < other + tiles.back().others; ++j) {
          for (std::size_t i = first; i < first + side; ++i) set_place(i, j, slot++);
        }
      }
    }
    dots.resize(tiles.size() * kFolds * kRows);
  }
  void set_place(std::size_t i, std::size_t j, std::size_t slot) {
    place[i * members + j] = place[j * members + i] = slot * kRows;
  }
  float* dot_of(std::size_t i, std::size_t j) { return dots.data() + place[i * members + j]; }
  float* coefficient_of(std::size_t i, std::size_t j) { return coefficients.data() + (i * members + j) * kRows; }

  std::size_t members, padded;
  std::vector<DotTile> tiles;
  std::vector<std::size_t> place;   // (members, members): where dots holds each pair
  std::vector<float> dots;          // (tiles, kFolds, kRows)
  std::vector<float> coefficients;  // (members, members, kRows): adjoint_i = sum_j coefficient_ij g_j
  std::vector<const float*> in;     // where a row's columns of each member are read:
  AlignedVector<float> copy;        // (members, kMostVectors, 16)
};

// Computes the coefficients and the penalty of rows first .. first + kRows from their dot products. d_ij / q_ij
// replaces d_ij. args is taken by value, so no store can change it.
HWY_INLINE void pair_terms(Workspace& w, CosineAdjoint args, std::size_t first) {
  const Tag d;
  const Vector two = broadcast(2.0F);
  for (std::size_t r = 0; r < kRows; r += kLanes) {
    const Vector row_weight = hn::LoadU(d, args.weights + first + r);
    const Vector factor = hn::Mul(broadcast(args.scale), row_weight);
    const auto norm = [&](std::size_t i) HWY_ATTR { return hn::LoadU(d, w.dot_of(i, i) + r); };
    Vector total = hn::Zero(d);
    for (std::size_t i = 0; i < w.members; ++i) {
      for (std::size_t j = i + 1; j < w.members; ++j) {
        const Vector dot = hn::LoadU(d, w.dot_of(i, j) + r);
        const Vector ratio = hn::Div(dot, fma(norm(i), norm(j), broadcast(args.eps)));
        total = hn::Add(total, hn::Mul(ratio, dot));
        const Vector toward = hn::Mul(factor, hn::Mul(two, ratio));
        hn::StoreU(toward, d, w.coefficient_of(i, j) + r);
        hn::StoreU(toward, d, w.coefficient_of(j, i) + r);
        hn::StoreU(ratio, d, w.dot_of(i, j) + r);
      }
    }
    for (std::size_t i = 0; i < w.members; ++i) {
      Vector own = hn::Zero(d);
      for (std::size_t j = 0; j < w.members; ++j) {
        if (j == i) continue;
        const Vector ratio = hn::LoadU(d, w.dot_of(i, j) + r);
        own = fma(hn::Mul(hn::Mul(two, ratio), ratio), norm(j), own);
      }
      hn::StoreU(hn::Neg(hn::Mul(factor, own)), d, w.coefficient_of(i, i) + r);
    }
    hn::StoreU(hn::Mul(row_weight, total), d, args.penalty + first + r);
  }
}

// Computes g_i <- sum over j ascending of coefficient_ij g_j in one row, for members first .. first + kA and for
// kVectors times sixteen columns from `at` on. in[j] points to the columns of member j.
template <std::size_t kA, std::size_t kVectors>
HWY_INLINE void combine_members(Workspace& w, std::size_t row, std::size_t first, float* const* out, std::size_t at) {
  F16 sum[kA][kVectors];
  HWY_UNROLL(5)
  for (std::size_t i = 0; i < kA; ++i) {
    HWY_UNROLL(3)
    for (std::size_t v = 0; v < kVectors; ++v) sum[i][v] = zero16();
  }
  for (std::size_t j = 0; j < w.members; ++j) {
    F16 x[kVectors];
    HWY_UNROLL(3)
    for (std::size_t v = 0; v < kVectors; ++v) x[v] = load16(w.in[j] + 16 * v);
    HWY_UNROLL(5)
    for (std::size_t i = 0; i < kA; ++i) {
      const Vector coefficient = broadcast(w.coefficient_of(first + i, j)[row]);
      HWY_UNROLL(3)
      for (std::size_t v = 0; v < kVectors; ++v) {
        for (std::size_t p = 0; p < kF16Vectors; ++p) sum[i][v].v[p] = fma(coefficient, x[v].v[p], sum[i][v].v[p]);
      }
    }
  }
  HWY_UNROLL(5)
  for (std::size_t i = 0; i < kA; ++i) {
    HWY_UNROLL(3)
    for (std::size_t v = 0; v < kVectors; ++v) store16(sum[i][v], out[first + i] + at + 16 * v);
  }
}
template <std::size_t kVectors, std::size_t kA = kSide>
HWY_INLINE void combine_some(Workspace& w, std::size_t row, std::size_t first, float* const* out, std::size_t at) {
  if constexpr (kA > 1) {
    if (w.members - first < kA) return combine_some<kVectors, kA - 1>(w, row, first, out, at);
  }
  combine_members<kA, kVectors>(w, row, first, out, at);
}
template <std::size_t kVectors>
HWY_INLINE void combine_columns(Workspace& w, std::size_t row, float* const* gradients, std::size_t at) {
  for (std::size_t j = 0; j < w.members; ++j) {
    w.in[j] = gradients[j] + at;
    if (w.members <= kSide) continue;  // all are read before the first is written
    float* copy = w.copy.data() + 16 * kVectors * j;
    for (std::size_t v = 0; v < kVectors; ++v) store16(load16(w.in[j] + 16 * v), copy + 16 * v);
    w.in[j] = copy;
  }
  for (std::size_t i = 0; i < w.members; i += kSide) combine_some<kVectors>(w, row, i, gradients, at);
}

HWY_INLINE void combine(Workspace& w, std::size_t row, float* const* gradients, std::size_t at) {
  const std::size_t end = at + w.padded;
  for (; at + 16 * kMostVectors <= end; at += 16 * kMostVectors) combine_columns<kMostVectors>(w, row, gradients, at);
  for (; at < end; at += 16) combine_columns<1>(w, row, gradients, at);
}

void cosine_adjoint(const CosineAdjoint& args) {
  Workspace w(args);
  for (std::size_t first = 0; first < args.rows; first += kRows) {
    const DotRows some{.count = std::min(kRows, args.rows - first),
                       .padded = w.padded,
                       .at = first * args.stride,
                       .stride = args.stride,
                       .gradients = args.gradients};
    for (std::size_t t = 0; t < w.tiles.size(); ++t) dots_of(w.tiles[t], some, w.dots.data() + t * kFolds * kRows);
    pair_terms(w, args, first);
    for (std::size_t r = 0; r < some.count; ++r) combine(w, r, args.gradients, some.at + r * args.stride);
  }
}

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perpend::kernels {

HWY_EXPORT(cosine_adjoint);

void cosine_adjoint(const CosineAdjoint& args) { HWY_DYNAMIC_DISPATCH(cosine_adjoint)(args); }

}  // namespace perpend::kernels
#endif
