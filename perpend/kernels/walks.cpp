#include "perpend/kernels/collapsed.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "perpend/kernels/walks.cpp"
#include <hwy/foreach_target.h>

#include "perpend/kernels/mask-inl.h"
#include "perpend/kernels/table-inl.h"
#include "perpend/kernels/tile-inl.h"
#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

// ---- walks: sums of table rows over lists.

// kTogether lists by kColumns columns stay in registers over the whole walk.
template <std::size_t kColumns, std::size_t kTogether>
HWY_INLINE void walk_lists(const BitLists& lists, std::size_t first, std::size_t longest, const float* table,
                           bool accumulate, float* out, std::size_t stride) {
  using D = hn::CappedTag<float, kColumns>;
  const D d;
  constexpr std::size_t kWidth = hn::MaxLanes(D());
  constexpr std::size_t kVectors = kColumns / kWidth;
  const std::uint16_t* list[kTogether];
  hn::Vec<D> sum[kTogether][kVectors];
  HWY_UNROLL(8)
  for (std::size_t k = 0; k < kTogether; ++k) {
    const std::size_t item = lists.item[first + k];
    list[k] = lists.list + item * kListStride;
    HWY_UNROLL(4)
    for (std::size_t v = 0; v < kVectors; ++v) {
      sum[k][v] = accumulate && item < kMaxItems ? hn::LoadU(d, out + item * stride + v * kWidth) : hn::Zero(d);
    }
  }
  for (std::size_t s = 0; s < longest; s += kNumbersPerLoad) {
    HWY_UNROLL(8)
    for (std::size_t k = 0; k < kTogether; ++k) {
      TableRows rows(table, list[k] + s);
      HWY_UNROLL(4)
      for (std::size_t i = 0; i < kNumbersPerLoad; ++i) {
        const float* row = rows.next();
        HWY_UNROLL(4)
        for (std::size_t v = 0; v < kVectors; ++v) sum[k][v] = hn::Add(sum[k][v], hn::Load(d, row + v * kWidth));
      }
    }
  }
  HWY_UNROLL(8)
  for (std::size_t k = 0; k < kTogether; ++k) {
    const std::size_t item = lists.item[first + k];
    if (item == kMaxItems) continue;
    HWY_UNROLL(4)
    for (std::size_t v = 0; v < kVectors; ++v) hn::StoreU(sum[k][v], d, out + item * stride + v * kWidth);
  }
}

template <std::size_t kColumns>
void walk_table(const BitLists& lists, const float* table, bool accumulate, float* out, std::size_t stride) {
  constexpr std::size_t kTogether = kLanes == 16 ? 8 : 4;
  for (std::size_t w = 0; w < lists.walks; ++w) {
    for (std::size_t k = 0; k < kWalkers; k += kTogether) {
      walk_lists<kColumns, kTogether>(lists, w * kWalkers + k, lists.longest[w], table, accumulate, out, stride);
    }
  }
}

// A table of `width` columns, as wide at a time as the registers hold.
void walk_width(std::size_t width, const BitLists& lists, const float* table, bool accumulate, float* out,
                std::size_t stride) {
  constexpr std::size_t kWidest = kLanes == 16 ? 32 : 16;
  std::size_t column = 0;
  for (; column + kWidest <= width; column += kWidest) {
    walk_table<kWidest>(lists, table + column, accumulate, out + column, stride);
  }
  if (column + 16 <= width) {
    walk_table<16>(lists, table + column, accumulate, out + column, stride);
    column += 16;
  }
  if (column < width) walk_table<8>(lists, table + column, accumulate, out + column, stride);
}

void walk_all(const BitLists& lists, const WalkTables& tables, bool accumulate, float* out, std::size_t stride) {
  const ColumnPlan& plan = tables.plan();
  for (std::size_t t = 0; t < plan.tables; ++t) {
    const std::size_t width = t + 1 == plan.tables ? plan.last_width : kTableColumns;
    walk_width(width, lists, tables.table(t), accumulate, out + t * kTableColumns, stride);
  }
}

// ---- left-over columns: kChains chains a column, each adding value[k] where its bit of mask k is set.

constexpr std::size_t kChains = 128;
struct MaskedSums {
  std::size_t count;      // how many masks and values
  const char* masks;      // kChains bits each,
  std::size_t mask_step;  // bytes apart
  const float* values;    // value k of column c at values[c * kBitsPerList + k]
  float* sums;            // chain i of column c at sums[c * kChains + i]
};

// kColumns columns and kVectors vectors of chains stay in registers.
template <std::size_t kColumns, std::size_t kVectors>
HWY_INLINE void masked_columns(const MaskedSums& a) {
  const Tag d;
  for (std::size_t first = 0; first < kChains; first += kVectors * kLanes) {
    float* sums = a.sums + first;
    const Vector one = broadcast(1.0F);
    Vector sum[kColumns][kVectors];
    HWY_UNROLL(8)
    for (std::size_t c = 0; c < kColumns; ++c) {
      HWY_UNROLL(8)
      for (std::size_t v = 0; v < kVectors; ++v) sum[c][v] = hn::LoadU(d, sums + c * kChains + v * kLanes);
    }
    for (std::size_t k = 0; k < a.count; ++k) {
      Vector x[kColumns];
      HWY_UNROLL(8)
      for (std::size_t c = 0; c < kColumns; ++c) x[c] = broadcast(a.values[c * kBitsPerList + k]);
      HWY_UNROLL(8)
      for (std::size_t v = 0; v < kVectors; ++v) {
        const Mask mask = load_mask(a.masks + k * a.mask_step, first + v * kLanes);
        HWY_UNROLL(8)
        for (std::size_t c = 0; c < kColumns; ++c) {
          // 1 x + sum is the same sum, from another unit of the processor where it has several.
          sum[c][v] =
              kLanes == 1 || v % 2 == 0 ? add_where(mask, sum[c][v], x[c]) : fma_where(mask, x[c], one, sum[c][v]);
        }
      }
    }
    HWY_UNROLL(8)
    for (std::size_t c = 0; c < kColumns; ++c) {
      HWY_UNROLL(8)
      for (std::size_t v = 0; v < kVectors; ++v) hn::StoreU(sum[c][v], d, sums + c * kChains + v * kLanes);
    }
  }
}

void masked_sums(std::size_t columns, const MaskedSums& a) {
  // As many chains at a time as the registers hold: they hide the latency of an addition.
  constexpr std::size_t kVectors = kLanes == 16 ? 8 : 4;
  if (columns == 2) {
    masked_columns<2, kVectors>(a);
  } else {
    masked_columns<1, kVectors>(a);
  }
}

// The left-over columns of up to kChains rows of a matrix as chains, and back.
struct LeftoverSums {
  LeftoverSums(const ColumnPlan& plan, float* first_row, std::size_t count, std::size_t stride)
      : columns(plan.leftover), rows(count), step(stride), first(first_row + plan.first_leftover()) {}
  void load() {
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t k = 0; k < columns; ++k) chains[k * kChains + r] = first[r * step + k];
    }
  }
  void store() const {
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t k = 0; k < columns; ++k) first[r * step + k] = chains[k * kChains + r];
    }
  }
  std::size_t columns, rows, step;
  float* first;
  HWY_ALIGN float chains[kMaxLeftover * kChains] = {};
};

void input_gradient(std::size_t rows, const std::uint32_t* by_row, const WalkTables& u_tables, BitLists& lists,
                    bool accumulate, float* gradient, std::size_t stride) {
  if (u_tables.plan().tables == 0) return;
  build_lists(rows, by_row, lists);
  walk_all(lists, u_tables, accumulate, gradient, stride);
}

void unit_sums(std::size_t rows, std::size_t first_unit, std::size_t units, const std::uint64_t* by_unit,
               const std::uint32_t* by_row, const WalkTables& t_tables, BitLists& lists, bool accumulate, float* sums,
               std::size_t stride) {
  const ColumnPlan& plan = t_tables.plan();
  if (plan.tables > 0) {
    build_lists(units, by_unit + first_unit * kGroupsPerBlock, lists);
    walk_all(lists, t_tables, accumulate, sums, stride);
  }
  if (plan.leftover == 0) return;
  for (std::size_t first = 0; first < units; first += kChains) {
    LeftoverSums left(plan, sums + first * stride, std::min(kChains, units - first), stride);
    if (accumulate) left.load();
    const std::size_t unit = first_unit + first;
    const auto* masks = by_row + unit / kUnitsPerChunk * kWordsPerChunk + unit % kUnitsPerChunk / 32;
    masked_sums(plan.leftover, {rows, reinterpret_cast<const char*>(masks), kWordsPerRow * sizeof(*masks),
                                t_tables.leftover(0), left.chains});
    left.store();
  }
}

void unit_gradients(std::size_t features, std::size_t units, const float* sums, std::size_t stride,
                    const float* weights, const float* bias, const float* v, float inverse_keep, float* d_weights,
                    float* d_bias, float* d_v) {
  for (std::size_t u = 0; u < units; ++u) {
    const float* q = sums + u * stride;
    const Vector factor = broadcast(v[u]);
    F16 dot = zero16();
    for (std::size_t f = 0; f < features; f += 16) {
      const F16 sum = load16(q + f);
      dot = fma16(load_first(weights + u * features + f, features - f), sum, dot);
      F16 scaled;
      for (std::size_t i = 0; i < kParts; ++i) scaled.part[i] = hn::Mul(sum.part[i], factor);
      const std::size_t at = u * features + f;
      if (at + 16 <= units * features) {
        // May run over into the next units' places, which are written next.
        store16(scaled, d_weights + at);
      } else {
        // What follows the last unit may belong to another thread.
        HWY_ALIGN float last[16];
        store16(scaled, last);
        std::memcpy(d_weights + at, last, std::min<std::size_t>(16, features - f) * sizeof(float));
      }
    }
    const float q_e = q[features];
    d_bias[u] = q_e * v[u];
    d_v[u] = std::fma(bias[u], q_e, fold16(dot)) * inverse_keep;
  }
}

// Columns column .. column + 16 of a table row, also beyond a narrow table's width.
HWY_INLINE void store_columns(const F16& x, std::size_t row, std::size_t column, WalkTables& tables) {
  store16(x, tables.table(column / kTableColumns) + row * kTableColumns + column % kTableColumns);
}
HWY_INLINE std::size_t walked_columns(const ColumnPlan& plan) {
  return plan.tables == 0 ? 0 : (plan.tables - 1) * kTableColumns + plan.last_width;
}
HWY_INLINE void store_column(float x, std::size_t row, std::size_t column, WalkTables& tables) {
  const ColumnPlan& plan = tables.plan();
  if (column >= plan.first_leftover()) {
    tables.leftover(column - plan.first_leftover())[row] = x;
  } else {
    tables.table(column / kTableColumns)[row * kTableColumns + column % kTableColumns] = x;
  }
}

void fill_u(std::size_t features, std::size_t units, const float* weights, const float* v, WalkTables& tables) {
  const std::size_t walked = walked_columns(tables.plan());
  for (std::size_t u = 0; u < units; ++u) {
    const float* w = weights + u * features;
    for (std::size_t f = 0; f < walked; f += 16) {
      F16 x = load_first(w + f, features - f);
      for (std::size_t i = 0; i < kParts; ++i) x.part[i] = hn::Mul(x.part[i], broadcast(v[u]));
      store_columns(x, u, f, tables);
    }
  }
}

void fill_t(std::size_t features, std::size_t rows, const float* e, const PickedRows& x, const float* gradient,
            std::size_t gradient_stride, WalkTables& tables) {
  const std::size_t walked = std::min(walked_columns(tables.plan()), x.stride);
  const std::size_t from = std::min(tables.plan().first_leftover(), features);
  for (std::size_t r = 0; r < rows; ++r) {
    const float* x_row = x.row(r);
    const float* g_row = gradient == nullptr ? nullptr : gradient + r * gradient_stride;
    const Vector factor = broadcast(e[r]);
    for (std::size_t f = 0; f < walked; f += 16) {
      const F16 input = load16(x_row + f);
      F16 sum = g_row == nullptr ? zero16() : load16(g_row + f);
      for (std::size_t i = 0; i < kParts; ++i) sum.part[i] = fma(factor, input.part[i], sum.part[i]);
      store_columns(sum, r, f, tables);
    }
    for (std::size_t f = from; f < features; ++f) {
      store_column(std::fma(e[r], x_row[f], g_row == nullptr ? 0.0F : g_row[f]), r, f, tables);
    }
    store_column(e[r], r, features, tables);
  }
}

bool walks_beside() { return kWalksBeside; }

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perpend::kernels {

HWY_EXPORT(input_gradient);
HWY_EXPORT(unit_sums);
HWY_EXPORT(unit_gradients);
HWY_EXPORT(fill_u);
HWY_EXPORT(fill_t);
HWY_EXPORT(walks_beside);

ColumnPlan::ColumnPlan(std::size_t n) : columns(n), tables(n / kTableColumns), last_width(kTableColumns), leftover(0) {
  const std::size_t rest = n % kTableColumns;
  for (const std::size_t width : {0, 8, 16}) {
    if (rest > width + 2) continue;
    leftover = rest > width ? rest - width : 0;
    if (width > 0) {
      ++tables;
      last_width = width;
    }
    return;
  }
  ++tables;
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

void input_gradient(std::size_t rows, const std::uint32_t* by_row, const WalkTables& u_tables, BitLists& lists,
                    bool accumulate, float* gradient, std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(input_gradient)(rows, by_row, u_tables, lists, accumulate, gradient, stride);
}
void unit_sums(std::size_t rows, std::size_t first_unit, std::size_t units, const std::uint64_t* by_unit,
               const std::uint32_t* by_row, const WalkTables& t_tables, BitLists& lists, bool accumulate, float* sums,
               std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(unit_sums)
  (rows, first_unit, units, by_unit, by_row, t_tables, lists, accumulate, sums, stride);
}
void unit_gradients(std::size_t features, std::size_t units, const float* sums, std::size_t stride,
                    const float* weights, const float* bias, const float* v, float inverse_keep, float* d_weights,
                    float* d_bias, float* d_v) {
  HWY_DYNAMIC_DISPATCH(unit_gradients)
  (features, units, sums, stride, weights, bias, v, inverse_keep, d_weights, d_bias, d_v);
}
void fill_u(std::size_t features, std::size_t units, const float* weights, const float* v, WalkTables& tables) {
  HWY_DYNAMIC_DISPATCH(fill_u)(features, units, weights, v, tables);
}
void fill_t(std::size_t features, std::size_t rows, const float* e, const PickedRows& x, const float* gradient,
            std::size_t gradient_stride, WalkTables& tables) {
  HWY_DYNAMIC_DISPATCH(fill_t)(features, rows, e, x, gradient, gradient_stride, tables);
}

}  // namespace perpend::kernels
#endif
