#include "perpend/kernels/tables.h"

#include <hwy/cache_control.h>

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "perpend/kernels/tables.cpp"
#include <hwy/foreach_target.h>

#include "perpend/kernels/adam-inl.h"
#include "perpend/kernels/vector-inl.h"

#ifndef PERPEND_KERNELS_TABLES_SHARED_
#define PERPEND_KERNELS_TABLES_SHARED_
namespace perpend::kernels {

// The tables of this many columns are in the first-level cache together. The tables of a column are (rows + 1, A and W
// of a plane). Their last row is zero, for cells that add nothing.
constexpr std::size_t kColumnsTogether = 4;
constexpr std::size_t kTableStride = 2 * kTableTile;
inline std::size_t most_rows(std::span<const TableColumn> columns) {
  std::size_t most = 1;
  for (const TableColumn& column : columns) most = std::max<std::size_t>(most, column.rows);
  return most;
}
// Units whose sums are in registers together.
constexpr std::size_t kSumTile = 128;

}  // namespace perpend::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

constexpr std::size_t kPlaneVectors = kTableTile / kLanes;

// The words of a row of a block that hold the bits of units from `unit` on.
template <class Word>
HWY_INLINE Word* words_at(Word* bits, std::size_t row, std::size_t unit) {
  return bits + unit / kUnitsPerChunk * kWordsPerChunk + row * kWordsPerRow + unit % kUnitsPerChunk / 32;
}

HWY_INLINE void prefetch(const float* floats, std::size_t count) {
  for (std::size_t i = 0; i < count; i += 64 / sizeof(float)) hwy::Prefetch(floats + i);
}

struct Plane {
  Vector v[kPlaneVectors];
};
HWY_INLINE Plane load_plane(const float* p) {
  Plane out;
  HWY_UNROLL(8)
  for (std::size_t i = 0; i < kPlaneVectors; ++i) out.v[i] = hn::LoadU(Tag(), p + i * kLanes);
  return out;
}
HWY_INLINE void store_plane(const Plane& x, float* p) {
  HWY_UNROLL(8)
  for (std::size_t i = 0; i < kPlaneVectors; ++i) hn::StoreU(x.v[i], Tag(), p + i * kLanes);
}
HWY_INLINE void add_to(Plane& z, const Plane& x) {
  HWY_UNROLL(8)
  for (std::size_t i = 0; i < kPlaneVectors; ++i) z.v[i] = hn::Add(z.v[i], x.v[i]);
}
HWY_INLINE void fma_to(Plane& z, Vector t, const Plane& w) {
  HWY_UNROLL(8)
  for (std::size_t i = 0; i < kPlaneVectors; ++i) z.v[i] = fma(t, w.v[i], z.v[i]);
}

// -sum_j m_j W[j] of a plane; w is at the plane.
HWY_INLINE Plane centre(const TableColumn& column, const float* w) {
  Plane sum;
  for (Vector& vector : sum.v) vector = hn::Zero(Tag());
  for (std::size_t k = 0; k < column.rows; ++k) {
    fma_to(sum, broadcast(-column.means[k]), load_plane(w + k * kTableTile));
  }
  return sum;
}

// A and W of one plane of a column.
HWY_INLINE void derive_table(const TableColumn& column, const float* w, float* table) {
  const bool category = column.kind == TableKind::category;
  const std::size_t ramps = column.rows - (column.has_gap ? 1 : 0);
  Plane base = centre(column, w);
  for (std::size_t k = 0; k < column.rows; ++k, w += kTableTile, table += kTableStride) {
    const Plane weight = load_plane(w);
    store_plane(weight, table + kTableTile);
    if (category) {
      Plane constant = weight;
      add_to(constant, base);
      store_plane(constant, table);
    } else if (k == ramps) {
      Plane constant;
      for (std::size_t i = 0; i < kPlaneVectors; ++i) {
        constant.v[i] = hn::Mul(broadcast(1 - column.means[k]), weight.v[i]);
      }
      store_plane(constant, table);
    } else {
      store_plane(base, table);
      add_to(base, weight);
    }
  }
  std::fill_n(table, kTableStride, 0.0F);
}

// What kC columns of one kind add to z, (rows, kTableTile), of the plane from `unit` on.
template <TableKind kKind, std::size_t kC>
HWY_INLINE void add_columns(const TableForward& a, const TableColumn* columns, std::size_t unit, float* z,
                            float* tables) {
  const std::size_t padded = pad_units(a.member.units);
  const TableCell* cells[kC];
  const float* table[kC];
  Plane weights[kC];
  for (std::size_t c = 0; c < kC; ++c) {
    const float* w = a.member.weights + columns[c].at(0, unit, padded);
    cells[c] = a.cells.of(columns[c].column);
    table[c] = tables;
    if constexpr (kKind == TableKind::linear) {
      weights[c] = load_plane(w);
    } else {
      derive_table(columns[c], w, tables);
      tables += (columns[c].rows + 1) * kTableStride;
    }
  }
  for (std::size_t r = 0; r < a.rows; ++r) {
    Plane sum = load_plane(z + r * kTableTile);
    HWY_UNROLL(8)
    for (std::size_t c = 0; c < kC; ++c) {
      if constexpr (kKind == TableKind::linear) {
        fma_to(sum, broadcast(cells[c][r].t), weights[c]);
      } else {
        const float* row = table[c] + cells[c][r].row * kTableStride;
        add_to(sum, load_plane(row));
        if constexpr (kKind == TableKind::ramps) fma_to(sum, broadcast(cells[c][r].t), load_plane(row + kTableTile));
      }
    }
    store_plane(sum, z + r * kTableTile);
  }
}

// Prefetches the weights of the next columns. They are far apart, so no processor guesses where.
HWY_INLINE void prefetch_columns(const TableWeights& m, const TableColumn* columns, const TableColumn* end,
                                 std::size_t unit) {
  for (const TableColumn* c = columns; c < std::min(columns + kColumnsTogether, end); ++c) {
    prefetch(m.weights + c->at(0, unit, pad_units(m.units)), c->rows * kTableTile);
  }
}

// Adds all columns of one kind, from `columns` on. Returns the first column of another kind.
template <TableKind kKind, std::size_t kC = kKind == TableKind::linear ? 2 * kColumnsTogether : kColumnsTogether>
HWY_INLINE const TableColumn* add_kind(const TableForward& a, const TableColumn* columns, const TableColumn* end,
                                       std::size_t unit, float* z, float* tables) {
  const auto fits = [&](std::size_t n) {
    return static_cast<std::size_t>(end - columns) >= n && columns[n - 1].kind == kKind;
  };
  for (; fits(kC); columns += kC) {
    prefetch_columns(a.member, columns + kC, end, unit);
    add_columns<kKind, kC>(a, columns, unit, z, tables);
  }
  if constexpr (kC > 1) return add_kind<kKind, kC / 2>(a, columns, end, unit, z, tables);
  return columns;
}

// Computes S of a plane, and adds its part to the lanes of the scores.
HWY_INLINE void score_plane(const TableForward& a, std::size_t unit, const float* z, float* lanes) {
  const Plane v = load_plane(a.member.v + unit);
  for (std::size_t r = 0; r < a.rows; ++r) {
    const Plane hidden = load_plane(z + r * kTableTile);
    F16 lane = load16(lanes + r * 16);
    std::uint32_t* word = a.bits == nullptr ? nullptr : words_at(a.bits, r, unit);
    std::uint32_t active = 0;
    HWY_UNROLL(8)
    for (std::size_t i = 0; i < kPlaneVectors; ++i) {
      // A NaN must reach the score and so the loss: not (z <= 0).
      Mask on = hn::Not(hn::Le(hidden.v[i], hn::Zero(Tag())));
      if (word != nullptr) {
        on = hn::And(on, load_mask(word, i * kLanes));
        active |= static_cast<std::uint32_t>(mask_bits(on) & ((std::uint64_t{1} << kLanes) - 1)) << (i * kLanes);
      }
      lane.v[i % kF16Vectors] = fma_where(on, hidden.v[i], v.v[i], lane.v[i % kF16Vectors]);
    }
    store16(lane, lanes + r * 16);
    if (word != nullptr) *word = active;
  }
}

void table_forward(const TableForward& a) {
  const TableWeights& m = a.member;
  alignas(64) float lanes[kRowsPerBlock * 16];
  std::fill_n(lanes, a.rows * 16, 0.0F);
  float* z = a.scratch;
  float* tables = a.scratch + kRowsPerBlock * kTableTile;
  for (std::size_t unit = 0; unit < m.units; unit += kTableTile) {
    const Plane bias = load_plane(m.bias + unit);
    for (std::size_t r = 0; r < a.rows; ++r) store_plane(bias, z + r * kTableTile);
    const TableColumn* const end = m.columns.data() + m.columns.size();
    const TableColumn* columns = add_kind<TableKind::linear>(a, m.columns.data(), end, unit, z, tables);
    columns = add_kind<TableKind::ramps>(a, columns, end, unit, z, tables);
    add_kind<TableKind::category>(a, columns, end, unit, z, tables);
    score_plane(a, unit, z, lanes);
  }
  fold_each(a.rows, a.scores, [&](std::size_t r) HWY_ATTR { return load16(lanes + r * 16); });
  for (std::size_t r = 0; r < a.rows; ++r) a.scores[r] += a.constant;
}

// ---- input gradients

// Units whose products v W[k] are in registers.
constexpr std::size_t kGradientVectors = kLanes == 16 ? 16 : 4;

// Adds S v W[k] (or A[k]) over 16 kV units from `unit` on to the lanes of the rows order[0 .. count).
template <std::size_t kV>
HWY_INLINE void add_run(const TableInputGradient& a, std::size_t k, std::size_t unit, const float* base,
                        const std::uint32_t* order, std::size_t count, float* lanes) {
  const std::size_t padded = pad_units(a.units);
  F16 u[kV];
  HWY_UNROLL(16)
  for (std::size_t i = 0; i < kV; ++i) {
    const std::size_t at = unit + 16 * i;
    u[i] = load16(a.weights + a.column.at(k, at, padded));
    const F16 v = load16(a.v + at);
    for (std::size_t p = 0; p < kF16Vectors; ++p) {
      if (base != nullptr) u[i].v[p] = hn::Add(u[i].v[p], hn::LoadU(Tag(), base + 16 * i + p * kLanes));
      u[i].v[p] = hn::Mul(u[i].v[p], v.v[p]);
    }
  }
  for (std::size_t j = 0; j < count; ++j) {
    const std::size_t row = order[j] - a.first;
    const std::uint32_t* words = words_at(a.bits, row, unit);
    F16 sum = unit == 0 ? zero16() : load16(lanes + row * 16);
    HWY_UNROLL(16)
    for (std::size_t i = 0; i < kV; ++i) {
      for (std::size_t p = 0; p < kF16Vectors; ++p) {
        sum.v[p] = add_where(load_mask(words + i / 2, 16 * (i % 2) + p * kLanes), sum.v[p], u[i].v[p]);
      }
    }
    store16(sum, lanes + row * 16);
  }
}

template <std::size_t kV = kGradientVectors>
HWY_INLINE void add_run_units(const TableInputGradient& a, std::size_t k, std::size_t unit, const float* base,
                              const std::uint32_t* order, std::size_t count, float* lanes) {
  if constexpr (kV > 2) {
    if (unit + 16 * kV > pad_units(a.units)) return add_run_units<kV - 2>(a, k, unit, base, order, count, lanes);
  }
  add_run<kV>(a, k, unit, base, order, count, lanes);
}

void table_input_gradient(const TableInputGradient& a) {
  alignas(64) float lanes[kRowsPerBlock * 16];
  const auto is_before = [](std::uint32_t row, std::size_t limit) { return row < limit; };
  const std::size_t padded = pad_units(a.units);
  alignas(64) float base[16 * kGradientVectors];
  const bool category = a.column.kind == TableKind::category;
  for (std::size_t unit = 0; unit < padded; unit += 16 * kGradientVectors) {
    const std::size_t end = std::min(padded, unit + 16 * kGradientVectors);
    for (std::size_t u = unit; category && u < end; u += kTableTile) {
      store_plane(centre(a.column, a.weights + a.column.at(0, u, padded)), base + u - unit);
    }
    for (const TableRun& run : a.order.runs) {
      const std::uint32_t* begin = a.order.rows.data() + run.begin;
      const std::uint32_t* stop = a.order.rows.data() + run.end;
      if (a.first > 0) begin = std::lower_bound(begin, stop, a.first, is_before);
      stop = std::lower_bound(begin, stop, a.first + a.count, is_before);
      if (begin == stop) continue;
      add_run_units(a, run.table_row, unit, category ? base : nullptr, begin, static_cast<std::size_t>(stop - begin),
                    lanes);
    }
  }
  for (std::size_t j = a.order.runs.empty() ? 0 : a.order.runs.back().end; j < a.order.rows.size(); ++j) {
    const std::size_t row = a.order.rows[j] - a.first;
    if (row < a.count) store16(zero16(), lanes + row * 16);
  }
  alignas(64) float folded[kRowsPerBlock];
  fold_each(a.count, folded, [&](std::size_t r) HWY_ATTR { return load16(lanes + r * 16); });
  for (std::size_t r = 0; r < a.count; ++r) {
    a.gradient[(a.first + r) * a.stride] = folded[r] * a.slope[a.first + r];
  }
}

// ---- the backward pass

constexpr std::size_t kSumVectors = kLanes == 16 ? kSumTile / 16 : 2;

// Sums one run over 16 kV units from `unit` on. `q_out` and `e_out` point to the table row in the first of these units'
// planes.
template <bool kQ, bool kE, std::size_t kV>
HWY_INLINE void sum_run(const TableUpdate& a, const TableRun& run, std::size_t unit, const float* q, const float* e,
                        float* q_out, float* e_out) {
  F16 q_sum[kV];
  F16 e_sum[kV];
  for (std::size_t i = 0; i < kV; ++i) q_sum[i] = e_sum[i] = zero16();
  const std::size_t block = count_chunks(a.units) * kWordsPerChunk;
  const std::uint32_t* const bits = words_at(a.bits, 0, unit);
  const Vector one = broadcast(1.0F);
  for (std::size_t j = run.begin; j < run.end; ++j) {
    const std::size_t row = a.order.rows[j];
    const std::uint32_t* words = bits + row / kRowsPerBlock * block + row % kRowsPerBlock * kWordsPerRow;
    const Vector q_row = broadcast(kQ ? q[row] : 0.0F);
    const Vector e_row = broadcast(kE ? e[row] : 0.0F);
    HWY_UNROLL(8)
    for (std::size_t i = 0; i < kV; ++i) {
      for (std::size_t p = 0; p < kF16Vectors; ++p) {
        const Mask on = load_mask(words + i / 2, 16 * (i % 2) + p * kLanes);
        if constexpr (kQ) q_sum[i].v[p] = add_where(on, q_sum[i].v[p], q_row);
        // This is the same sum, but it uses the multipliers, because the adders are busy.
        if constexpr (kE) e_sum[i].v[p] = fma_where(on, e_row, one, e_sum[i].v[p]);
      }
    }
  }
  for (std::size_t i = 0; i < kV; ++i) {
    const std::size_t at = i / 2 * a.column.rows * kTableTile + 16 * (i % 2);
    if constexpr (kQ) store16(q_sum[i], q_out + at);
    if constexpr (kE) store16(e_sum[i], e_out + at);
  }
}

// Sums all rows of the table over 16 kV units. Rows without a run become zero.
template <bool kQ, bool kE, std::size_t kV = kSumVectors>
HWY_INLINE void sum_units(const TableUpdate& a, std::size_t unit, std::size_t count, const float* q, const float* e,
                          float* q_sums, float* e_sums) {
  if constexpr (kV > 2) {
    if (count < 16 * kV) return sum_units<kQ, kE, kV - 2>(a, unit, count, q, e, q_sums, e_sums);
  }
  const TableRun* run = a.order.runs.data();
  const TableRun* const end = run + a.order.runs.size();
  for (std::uint32_t k = 0; k < a.column.rows; ++k) {
    // Adam needs the weights as soon as the sums are known.
    for (std::size_t u = 0; u < 16 * kV; u += kTableTile) {
      const std::size_t at = a.column.at(k, unit + u, pad_units(a.units));
      for (const float* array : {a.weights, a.m, a.moment}) prefetch(array + at, kTableTile);
    }
    const bool has_run = run != end && run->table_row == k;
    sum_run<kQ, kE, kV>(a, has_run ? *run : TableRun{}, unit, q, e, q_sums + k * kTableTile, e_sums + k * kTableTile);
    run += has_run ? 1 : 0;
  }
}

// The gradient of one plane, and the step. All arrays over table rows start at the plane.
struct PlaneUpdate {
  const float* q_sums;
  const float* e_sums;
  float* weights;
  float* m;
  float* moment;
  const float* v;
  float* d_v;
};
HWY_INLINE void update_plane(const TableColumn& column, const PlaneUpdate& a, AdamVector& adam) {
  const Tag d;
  const std::size_t ramps = column.rows - (column.has_gap ? 1 : 0);
  const bool category = column.kind == TableKind::category;
  for (std::size_t u = 0; u < kTableTile; u += kLanes) {
    const auto q = [&](std::size_t k) HWY_ATTR { return hn::LoadU(d, a.q_sums + k * kTableTile + u); };
    const auto e = [&](std::size_t k) HWY_ATTR { return hn::LoadU(d, a.e_sums + k * kTableTile + u); };
    const Vector v = hn::LoadU(d, a.v + u);
    Vector d_v = hn::LoadU(d, a.d_v + u);
    const auto step = [&](std::size_t k, Vector adjoint) HWY_ATTR {
      const std::size_t at = k * kTableTile + u;
      const Vector w = hn::LoadU(d, a.weights + at);
      d_v = fma(w, adjoint, d_v);
      adam.step(hn::Mul(v, adjoint), w, a.weights + at, a.m + at, a.moment + at);
    };
    if (column.kind == TableKind::linear) {
      step(0, q(0));
      hn::StoreU(d_v, d, a.d_v + u);
      continue;
    }
    Vector total = hn::Zero(d);
    for (std::size_t k = 0; k < (category ? column.rows : ramps); ++k) total = hn::Add(total, e(k));
    Vector above = hn::Zero(d);
    for (std::size_t k = column.rows; k-- > 0;) {
      const Vector mean = broadcast(-column.means[k]);
      if (category) {
        step(k, fma(mean, total, e(k)));
      } else if (k == ramps) {
        step(k, fma(mean, total, hn::Mul(broadcast(1 - column.means[k]), e(k))));
      } else {
        step(k, fma(mean, total, hn::Add(q(k), above)));
        above = hn::Add(above, e(k));
      }
    }
    hn::StoreU(d_v, d, a.d_v + u);
  }
}

bool table_update(const TableUpdate& a) {
  const bool category = a.column.kind == TableKind::category;
  // The coefficients of S are e t + R slope in Q. In E they are e, or e + R slope for a category.
  float* const coefficients = a.scratch;
  float* const q_sums = a.scratch + (a.rows + 15) / 16 * 16;
  float* const e_sums = q_sums + a.column.rows * kSumTile;
  for (std::size_t r = 0; r < a.rows; ++r) {
    const float moved = a.d_gradient == nullptr ? 0.0F : a.d_gradient[r * a.gradient_stride] * a.slope[r];
    coefficients[r] = (category || a.cells == nullptr ? a.e[r] : a.e[r] * a.cells[r].t) + moved;
  }
  AdamVector adam(a.step);
  const std::size_t padded = pad_units(a.units);
  for (std::size_t unit = a.first; unit < a.first + a.count; unit += 16 * kSumVectors) {
    const std::size_t count = std::min(16 * kSumVectors, a.first + a.count - unit);
    if (a.column.kind == TableKind::linear) {
      sum_units<true, false>(a, unit, count, coefficients, nullptr, q_sums, e_sums);
    } else if (category) {
      sum_units<false, true>(a, unit, count, nullptr, coefficients, q_sums, e_sums);
    } else {
      sum_units<true, true>(a, unit, count, coefficients, a.e, q_sums, e_sums);
    }
    for (std::size_t u = 0; u < count; u += kTableTile) {
      const std::size_t at = a.column.at(0, unit + u, padded);
      update_plane(a.column,
                   {.q_sums = q_sums + u * a.column.rows,
                    .e_sums = e_sums + u * a.column.rows,
                    .weights = a.weights + at,
                    .m = a.m + at,
                    .moment = a.moment + at,
                    .v = a.v + unit + u,
                    .d_v = a.d_v + (unit - a.first) + u},
                   adam);
    }
  }
  return adam.is_finite();
}

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perpend::kernels {

HWY_EXPORT(table_forward);
HWY_EXPORT(table_input_gradient);
HWY_EXPORT(table_update);

std::size_t forward_scratch(std::span<const TableColumn> columns) {
  return kRowsPerBlock * kTableTile + kColumnsTogether * (most_rows(columns) + 1) * kTableStride;
}
std::size_t update_scratch(std::size_t rows, std::span<const TableColumn> columns) {
  return (rows + 15) / 16 * 16 + 2 * most_rows(columns) * kSumTile;
}
void table_forward(const TableForward& args) { HWY_DYNAMIC_DISPATCH(table_forward)(args); }
void table_input_gradient(const TableInputGradient& args) { HWY_DYNAMIC_DISPATCH(table_input_gradient)(args); }
bool table_update(const TableUpdate& args) { return HWY_DYNAMIC_DISPATCH(table_update)(args); }

}  // namespace perpend::kernels
#endif
