#include "perpend/kernels/tables.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "perpend/kernels/tables.cpp"
#include <hwy/foreach_target.h>

#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

// Units are done in tiles of 64, whose sums are in registers: of four rows at a time with AVX-512, of one elsewhere.
constexpr std::size_t kTileVectors = 4;
constexpr std::size_t kTile = 16 * kTileVectors;
static_assert(kTile == kTableTile);
constexpr std::size_t kTileRows = kLanes == 16 ? 4 : 1;
// Gradients are summed over twice as many units before they are folded.
constexpr std::size_t kGradientVectors = 8;
constexpr std::size_t kGradientTile = 16 * kGradientVectors;

HWY_INLINE std::size_t vectors_from(std::size_t unit, std::size_t end, std::size_t most) {
  return std::min(most, (end - unit) / 16);
}

// The words of a row that hold the bits of units from `unit` on.
HWY_INLINE std::uint32_t* words_at(std::uint32_t* bits, std::size_t row, std::size_t unit) {
  return bits + unit / kUnitsPerChunk * kWordsPerChunk + row * kWordsPerRow + unit % kUnitsPerChunk / 32;
}

// z of kR rows from `row` on and 16 kV units from `unit` on; their bits, and their part of the lanes of the scores.
template <std::size_t kR, std::size_t kV>
HWY_INLINE void forward_tile(const TableForward& a, std::size_t row, std::size_t unit, float* lanes) {
  const TableWeights& m = a.member;
  F16 z[kR][kV];
  for (std::size_t i = 0; i < kV; ++i) {
    const F16 bias = load16(m.bias + unit + 16 * i);
    for (std::size_t r = 0; r < kR; ++r) z[r][i] = bias;
  }
  const std::uint32_t* const cell = a.cells.row + row * a.cells.stride;
  const float* const places = a.cells.t + row * a.cells.stride;
  const float* const weights = m.weights + m.places.at(0, unit);
  const float* const constants = m.constants + m.places.at(0, unit);
  for (std::size_t d = 0; d < a.cells.columns; ++d) {
    if (m.kind[d] == TableKind::linear) {
      const float* w = weights + m.first[d] * m.places.stride;
      HWY_UNROLL(4)
      for (std::size_t i = 0; i < kV; ++i) {
        const F16 weight = load16(w + 16 * i);
        HWY_UNROLL(4)
        for (std::size_t r = 0; r < kR; ++r) {
          const Vector t = broadcast(places[r * a.cells.stride + d]);
          for (std::size_t p = 0; p < kF16Vectors; ++p) z[r][i].v[p] = fma(t, weight.v[p], z[r][i].v[p]);
        }
      }
      continue;
    }
    const bool ramps = m.kind[d] == TableKind::ramps;
    HWY_UNROLL(4)
    for (std::size_t r = 0; r < kR; ++r) {
      const std::size_t at = cell[r * a.cells.stride + d] * m.places.stride;
      HWY_UNROLL(4)
      for (std::size_t i = 0; i < kV; ++i) {
        const F16 constant = load16(constants + at + 16 * i);
        for (std::size_t p = 0; p < kF16Vectors; ++p) z[r][i].v[p] = hn::Add(z[r][i].v[p], constant.v[p]);
      }
      if (!ramps) continue;
      const Vector t = broadcast(places[r * a.cells.stride + d]);
      HWY_UNROLL(4)
      for (std::size_t i = 0; i < kV; ++i) {
        const F16 weight = load16(weights + at + 16 * i);
        for (std::size_t p = 0; p < kF16Vectors; ++p) z[r][i].v[p] = fma(t, weight.v[p], z[r][i].v[p]);
      }
    }
  }
  for (std::size_t r = 0; r < kR; ++r) {
    F16 lane = load16(lanes + (row + r) * 16);
    std::uint32_t* words = a.bits == nullptr ? nullptr : words_at(a.bits, row + r, unit);
    std::uint64_t active = 0;
    for (std::size_t i = 0; i < kV; ++i) {
      const F16 v = load16(m.v + unit + 16 * i);
      for (std::size_t p = 0; p < kF16Vectors; ++p) {
        // A NaN must reach the score and so the loss: not (z <= 0).
        Mask on = hn::Not(hn::Le(z[r][i].v[p], hn::Zero(Tag())));
        if (words != nullptr) {
          on = hn::And(on, load_mask(words, 16 * i + p * kLanes));
          active |= (mask_bits(on) & ((std::uint64_t{1} << kLanes) - 1)) << (16 * i + p * kLanes);
        }
        lane.v[p] = fma_where(on, z[r][i].v[p], v.v[p], lane.v[p]);
      }
    }
    store16(lane, lanes + (row + r) * 16);
    if (words == nullptr) continue;
    if constexpr (kV > 2) {
      words[0] = static_cast<std::uint32_t>(active);
      words[1] = static_cast<std::uint32_t>(active >> 32U);
    } else {
      words[0] = static_cast<std::uint32_t>(active);
    }
  }
}

template <std::size_t kV = kTileVectors>
HWY_INLINE void forward_units(const TableForward& a, std::size_t unit, std::size_t vectors, float* lanes) {
  if constexpr (kV > 1) {
    if (vectors < kV) return forward_units<kV - 1>(a, unit, vectors, lanes);
  }
  std::size_t row = 0;
  for (; row + kTileRows <= a.rows; row += kTileRows) forward_tile<kTileRows, kV>(a, row, unit, lanes);
  for (; row < a.rows; ++row) forward_tile<1, kV>(a, row, unit, lanes);
}

// Sums of S v W[k] (or A[k]) over 16 kV units from `unit` on, for all columns of all rows.
template <std::size_t kV = kGradientVectors>
HWY_INLINE void gradient_units(const TableForward& a, std::size_t unit, std::size_t vectors) {
  if constexpr (kV > 1) {
    if (vectors < kV) return gradient_units<kV - 1>(a, unit, vectors);
  }
  const TableWeights& m = a.member;
  alignas(64) float folded[16 * 4];
  for (std::size_t row = 0; row < a.rows; ++row) {
    F16 u[kV];
    HWY_UNROLL(8)
    for (std::size_t i = 0; i < kV; ++i) {
      u[i] = load16(m.v + unit + 16 * i);
      const std::uint32_t* words = words_at(a.bits, row, unit + 16 * i / 32 * 32);
      for (std::size_t p = 0; p < kF16Vectors; ++p) {
        u[i].v[p] = hn::IfThenElseZero(load_mask(words, 16 * i % 32 + p * kLanes), u[i].v[p]);
      }
    }
    float* gradient = a.gradient + row * a.gradient_stride;
    const std::uint32_t* cell = a.cells.row + row * a.cells.stride;
    for (std::size_t first = 0; first < a.cells.columns; first += 64) {
      const std::size_t count = std::min<std::size_t>(64, a.cells.columns - first);
      fold_each(count, folded, [&](std::size_t c) HWY_ATTR {
        const std::size_t d = first + c;
        const float* table = m.kind[d] == TableKind::category ? m.constants : m.weights;
        const float* w = table + m.places.at(cell[d], unit);
        F16 sum = zero16();
        HWY_UNROLL(8)
        for (std::size_t i = 0; i < kV; ++i) {
          if (i == kTileVectors) w += m.places.plane - kTile;
          sum = fma16(u[i], load16(w + 16 * i), sum);
        }
        return sum;
      });
      for (std::size_t c = 0; c < count; ++c) gradient[first + c] = (unit == 0 ? 0 : gradient[first + c]) + folded[c];
    }
  }
}

void table_forward(const TableForward& a) {
  const TableWeights& m = a.member;
  const std::size_t padded = (m.units + 15) / 16 * 16;
  alignas(64) float lanes[kRowsPerBlock * 16];
  std::fill_n(lanes, a.rows * 16, 0.0F);
  for (std::size_t unit = 0; unit < padded; unit += kTile) {
    forward_units(a, unit, vectors_from(unit, padded, kTileVectors), lanes);
  }
  fold_each(a.rows, a.scores, [&](std::size_t r) HWY_ATTR { return load16(lanes + r * 16); });
  for (std::size_t r = 0; r < a.rows; ++r) a.scores[r] += a.constant;
  if (a.gradient == nullptr) return;
  for (std::size_t unit = 0; unit < padded; unit += kGradientTile) {
    gradient_units(a, unit, vectors_from(unit, padded, kGradientVectors));
  }
  for (std::size_t r = 0; r < a.rows; ++r) {
    for (std::size_t d = 0; d < a.cells.columns; ++d) {
      a.gradient[r * a.gradient_stride + d] *= a.cells.slope[r * a.cells.stride + d];
    }
  }
}

// One run of rows and 16 kV units from `unit` on.
template <std::size_t kV, bool kQ, bool kE>
HWY_INLINE void sum_run(const TableSums& a, const TableRun& run, std::size_t unit) {
  F16 q[kV];
  F16 e[kV];
  for (std::size_t i = 0; i < kV; ++i) q[i] = e[i] = zero16();
  const std::uint32_t* words = a.bits + unit / kUnitsPerChunk * kWordsPerChunk + unit % kUnitsPerChunk / 32;
  const std::size_t block = (a.all_units + kUnitsPerChunk - 1) / kUnitsPerChunk * kWordsPerChunk;
  for (std::size_t j = run.begin; j < run.end; ++j) {
    const std::uint32_t row = a.order[j];
    const std::uint32_t* at = words + row / kRowsPerBlock * block + row % kRowsPerBlock * kWordsPerRow;
    HWY_UNROLL(4)
    for (std::size_t i = 0; i < kV; ++i) {
      for (std::size_t p = 0; p < kF16Vectors; ++p) {
        const Mask on = load_mask(at, 16 * i + p * kLanes);
        if constexpr (kQ) q[i].v[p] = add_where(on, q[i].v[p], broadcast(a.q[j]));
        if constexpr (kE) e[i].v[p] = add_where(on, e[i].v[p], broadcast(a.e[j]));
      }
    }
  }
  const std::size_t out = run.table_row * a.stride + (unit - a.first);
  for (std::size_t i = 0; i < kV; ++i) {
    if constexpr (kQ) store16(q[i], a.q_sums + out + 16 * i);
    if constexpr (kE) store16(e[i], a.e_sums + out + 16 * i);
  }
}

template <bool kQ, bool kE, std::size_t kV = kTileVectors>
HWY_INLINE void sum_tile(const TableSums& a, std::size_t unit, std::size_t vectors) {
  if constexpr (kV > 1) {
    if (vectors < kV) return sum_tile<kQ, kE, kV - 1>(a, unit, vectors);
  }
  for (std::size_t i = 0; i < a.run_count; ++i) sum_run<kV, kQ, kE>(a, a.runs[i], unit);
}

void table_sums(const TableSums& a) {
  const std::size_t end = a.first + (a.count + 15) / 16 * 16;
  for (std::size_t unit = a.first; unit < end; unit += kTile) {
    const std::size_t vectors = vectors_from(unit, end, kTileVectors);
    if (a.q != nullptr && a.e != nullptr) {
      sum_tile<true, true>(a, unit, vectors);
    } else if (a.q != nullptr) {
      sum_tile<true, false>(a, unit, vectors);
    } else {
      sum_tile<false, true>(a, unit, vectors);
    }
  }
}

void table_constants(const TableColumn& column, std::size_t units, std::size_t stride, const float* weights,
                     float* constants) {
  if (column.kind == TableKind::linear) return;
  const Tag d;
  const std::size_t ramps = column.rows - (column.has_gap ? 1 : 0);
  for (std::size_t u = 0; u < units; u += kLanes) {
    const auto w = [&](std::size_t k) HWY_ATTR { return hn::LoadU(d, weights + k * stride + u); };
    const auto store = [&](std::size_t k, Vector x) HWY_ATTR { hn::StoreU(x, d, constants + k * stride + u); };
    Vector base = hn::Zero(d);
    for (std::size_t k = 0; k < column.rows; ++k) base = fma(broadcast(-column.means[k]), w(k), base);
    if (column.kind == TableKind::category) {
      for (std::size_t k = 0; k < column.rows; ++k) store(k, hn::Add(w(k), base));
      continue;
    }
    for (std::size_t k = 0; k < ramps; ++k) {
      store(k, base);
      base = hn::Add(base, w(k));
    }
    if (column.has_gap) store(ramps, hn::Mul(broadcast(1 - column.means[ramps]), w(ramps)));
  }
}

void table_gradients(const TableGradients& a) {
  const Tag d;
  const TableColumn& column = a.column;
  const std::size_t ramps = column.rows - (column.has_gap ? 1 : 0);
  const bool category = column.kind == TableKind::category;
  for (std::size_t u = 0; u < a.units; u += kLanes) {
    const auto weight = [&](std::size_t k) HWY_ATTR { return hn::LoadU(d, a.weights + k * a.stride + u); };
    const auto constant = [&](std::size_t k) HWY_ATTR { return hn::LoadU(d, a.constants + k * a.stride + u); };
    const auto q = [&](std::size_t k) HWY_ATTR { return hn::LoadU(d, a.q_sums + k * a.sums_stride + u); };
    const auto e = [&](std::size_t k) HWY_ATTR { return hn::LoadU(d, a.e_sums + k * a.sums_stride + u); };
    const auto store = [&](std::size_t k, Vector x) HWY_ATTR { hn::StoreU(x, d, a.d_weights + k * a.sums_stride + u); };
    const Vector v = hn::LoadU(d, a.v + u);
    Vector dv = hn::LoadU(d, a.d_v + u);
    if (column.kind == TableKind::linear) {
      dv = fma(weight(0), q(0), dv);
      store(0, hn::Mul(v, q(0)));
      hn::StoreU(dv, d, a.d_v + u);
      continue;
    }
    Vector total = hn::Zero(d);
    for (std::size_t k = 0; k < (category ? column.rows : ramps); ++k) {
      const Vector sum = e(k);
      total = hn::Add(total, sum);
      dv = fma(constant(k), sum, dv);
      if (!category) dv = fma(weight(k), q(k), dv);
    }
    if (category) {
      for (std::size_t k = 0; k < column.rows; ++k) {
        store(k, hn::Mul(v, fma(broadcast(-column.means[k]), total, e(k))));
      }
      hn::StoreU(dv, d, a.d_v + u);
      continue;
    }
    if (column.has_gap) {
      const float share = column.means[ramps];
      dv = fma(constant(ramps), e(ramps), dv);
      store(ramps, hn::Mul(v, fma(broadcast(-share), total, hn::Mul(broadcast(1 - share), e(ramps)))));
    }
    Vector above = hn::Zero(d);
    for (std::size_t k = ramps; k-- > 0;) {
      store(k, hn::Mul(v, fma(broadcast(-column.means[k]), total, hn::Add(q(k), above))));
      above = hn::Add(above, e(k));
    }
    hn::StoreU(dv, d, a.d_v + u);
  }
}

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perpend::kernels {

HWY_EXPORT(table_forward);
HWY_EXPORT(table_sums);
HWY_EXPORT(table_constants);
HWY_EXPORT(table_gradients);

void table_forward(const TableForward& args) { HWY_DYNAMIC_DISPATCH(table_forward)(args); }
void table_sums(const TableSums& args) { HWY_DYNAMIC_DISPATCH(table_sums)(args); }
void table_constants(const TableColumn& column, std::size_t units, std::size_t stride, const float* weights,
                     float* constants) {
  HWY_DYNAMIC_DISPATCH(table_constants)(column, units, stride, weights, constants);
}
void table_gradients(const TableGradients& args) { HWY_DYNAMIC_DISPATCH(table_gradients)(args); }

}  // namespace perpend::kernels
#endif
