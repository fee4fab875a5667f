#include "perpend/kernels/sparse_row_sum.h"

#include <algorithm>

#include "perpend/base/error.h"
#include "perpend/kernels/fast_path.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "perpend/kernels/sparse_row_sum.cpp"
#include <hwy/foreach_target.h>

#include "perpend/kernels/table_rows-inl.h"
#include "perpend/kernels/tile-inl.h"
#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

// ---- sums over lists of indices

// Sums `kTogether` lists of one bundle, starting at list number `first`, over kColumns columns of a table. All sums
// stay in registers until the lists end.
template <std::size_t kColumns, std::size_t kTogether>
HWY_INLINE void sum_lists(const IndexLists& lists, std::size_t first, const float* table, const SumRows& out) {
  using D = hn::CappedTag<float, kColumns>;
  const D d;
  constexpr std::size_t kWidth = hn::MaxLanes(D());
  constexpr std::size_t kVectors = kColumns / kWidth;
  static_assert(kLanes == 1 || kTogether * kVectors <= kRegisters / 2, "the sums fit into registers");
  const std::uint16_t* list[kTogether];
  hn::Vec<D> sum[kTogether][kVectors];
  HWY_UNROLL(8)
  for (std::size_t k = 0; k < kTogether; ++k) {
    const std::size_t item = lists.item[first + k];
    list[k] = lists.list + item * kListStride;
    HWY_UNROLL(4)
    for (std::size_t v = 0; v < kVectors; ++v) {
      sum[k][v] =
          out.accumulate && item < kMaxItems ? hn::LoadU(d, out.data + item * out.stride + v * kWidth) : hn::Zero(d);
    }
  }
  const std::size_t longest = lists.longest[first / kListsPerBundle];
  for (std::size_t s = 0; s < longest; s += kIndicesPerLoad) {
    HWY_UNROLL(8)
    for (std::size_t k = 0; k < kTogether; ++k) {
      TableRows rows(table, list[k] + s);
      HWY_UNROLL(4)
      for (std::size_t i = 0; i < kIndicesPerLoad; ++i) {
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
    for (std::size_t v = 0; v < kVectors; ++v) hn::StoreU(sum[k][v], d, out.data + item * out.stride + v * kWidth);
  }
}

template <std::size_t kColumns>
void sum_columns(const IndexLists& lists, const float* table, const SumRows& out) {
  // 8 lists of 2 registers with AVX-512; 4 lists of 2 registers with AVX2 and of 4 with NEON.
  constexpr std::size_t kTogether = kLanes == 16 ? 8 : 4;
  for (std::size_t first = 0; first < lists.bundles * kListsPerBundle; first += kTogether) {
    sum_lists<kColumns, kTogether>(lists, first, table, out);
  }
}

// Sums a table of `width` columns, as many columns at a time as the registers hold.
void sum_table(std::size_t width, const IndexLists& lists, const float* table, const SumRows& out) {
  constexpr std::size_t kWidest = kLanes == 16 ? 32 : 16;
  const auto at = [&](std::size_t column) { return SumRows{out.data + column, out.stride, out.accumulate}; };
  std::size_t column = 0;
  for (; column + kWidest <= width; column += kWidest) sum_columns<kWidest>(lists, table + column, at(column));
  if (column + 16 <= width) {
    sum_columns<16>(lists, table + column, at(column));
    column += 16;
  }
  if (column < width) sum_columns<8>(lists, table + column, at(column));
}

void sum_tables(const IndexLists& lists, const RowTables& tables, const SumRows& out) {
  const ColumnPlan& plan = tables.plan();
  for (std::size_t t = 0; t < plan.tables; ++t) {
    const std::size_t width = t + 1 == plan.tables ? plan.last_width : kTableColumns;
    sum_table(width, lists, tables.table(t), {out.data + t * kTableColumns, out.stride, out.accumulate});
  }
}

// ---- the two products

void input_gradient(std::size_t rows, const std::uint32_t* by_row, const RowTables& u_tables, IndexLists& lists,
                    const SumRows& gradient) {
  if (u_tables.plan().tables == 0) return;
  build_lists(rows, bits_of_rows(by_row), lists);
  sum_tables(lists, u_tables, gradient);
}

void unit_sums(const BlockBits& bits, const UnitRange& units, const RowTables& t_tables, IndexLists& lists,
               const SumRows& sums) {
  build_lists(units.count, bits_of_units(bits.by_unit + units.first, bits.all_units), lists);
  sum_tables(lists, t_tables, sums);
}

// ---- tables

// Stores columns column .. column + 16 of a table row, even those beyond a narrow table's width.
HWY_INLINE void store_columns(const F16& x, std::size_t row, std::size_t column, RowTables& tables) {
  store16(x, tables.table(column / kTableColumns) + row * kTableColumns + column % kTableColumns);
}
HWY_INLINE std::size_t table_columns(const ColumnPlan& plan) {
  return plan.tables == 0 ? 0 : (plan.tables - 1) * kTableColumns + plan.last_width;
}
void fill_u(const HiddenUnits& hidden, RowTables& tables) {
  const std::size_t columns = table_columns(tables.plan());
  for (std::size_t u = 0; u < hidden.units; ++u) {
    const float* w = hidden.weights + u * hidden.features;
    for (std::size_t f = 0; f < columns; f += 16) {
      F16 x = load_first(w + f, hidden.features - f);
      for (auto& vector : x.v) vector = hn::Mul(vector, broadcast(hidden.v[u]));
      store_columns(x, u, f, tables);
    }
  }
}

void fill_t(const Adjoints& a, RowTables& tables) {
  const std::size_t columns = std::min(table_columns(tables.plan()), a.x.stride);
  float* const e_column = tables.table(a.features / kTableColumns) + a.features % kTableColumns;
  for (std::size_t r = 0; r < a.rows; ++r) {
    const float* x = a.x.row(r);
    const float* gradient = a.gradient == nullptr ? nullptr : a.gradient + r * a.gradient_stride;
    const Vector factor = broadcast(a.e[r]);
    for (std::size_t f = 0; f < columns; f += 16) {
      const F16 input = load16(x + f);
      F16 sum = gradient == nullptr ? zero16() : load16(gradient + f);
      for (std::size_t i = 0; i < kF16Vectors; ++i) sum.v[i] = fma(factor, input.v[i], sum.v[i]);
      store_columns(sum, r, f, tables);
    }
    e_column[r * kTableColumns] = a.e[r];
  }
}

bool can_interleave() { return kCanInterleave; }

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perpend::kernels {

HWY_EXPORT(input_gradient);
HWY_EXPORT(unit_sums);
HWY_EXPORT(fill_u);
HWY_EXPORT(fill_t);
HWY_EXPORT(can_interleave);

ColumnPlan ColumnPlan::of_u(std::size_t features) { return {features, is_on(FastPath::remainder_columns)}; }
ColumnPlan ColumnPlan::of_t(std::size_t features) { return {features + 1, false}; }

ColumnPlan::ColumnPlan(std::size_t n, bool with_remainder)
    : columns(n), tables(n / kTableColumns), last_width(kTableColumns), remainder(0) {
  const std::size_t rest = n % kTableColumns;
  for (const std::size_t width : {0, 8, 16}) {
    if (rest > width + (with_remainder ? kMaxRemainder : 0)) continue;
    remainder = rest > width ? rest - width : 0;
    if (width > 0) {
      ++tables;
      last_width = width;
    }
    return;
  }
  ++tables;
}

bool InterleavedSum::is_faster(const ColumnPlan& plan) {
  // Measured: one table of 8 columns is summed faster alone.
  return plan.first_remainder() > 8 && is_on(FastPath::interleaved_sums) && HWY_DYNAMIC_DISPATCH(can_interleave)();
}

void InterleavedSum::start(const Group& next) {
  PERPEND_CHECK(!is_pending() && next.rows <= kRowsPerGroup);
  group = next;
  row = 0;
  table = 0;
  join_lists(group.rows, bits_of_rows(group.by_row), lists, first);
  const std::uint16_t last = first[group.rows];
  std::fill_n(lists + last, kIndicesPerLoad, kZeroRow);
  first[group.rows + 1] = static_cast<std::uint16_t>(last + kIndicesPerLoad);
  at = lists;
  std::fill_n(sums, kTableColumns, 0.0F);
}

void InterleavedSum::finish(IndexLists& scratch) {
  if (!is_pending()) return;
  input_gradient(group.rows - row, group.by_row + row * kWordsPerRow, *group.u_tables, scratch,
                 {.data = group.gradient + row * group.stride, .stride = group.stride});
  row = group.rows;
}

void input_gradient(std::size_t rows, const std::uint32_t* by_row, const RowTables& u_tables, IndexLists& scratch,
                    const SumRows& gradient) {
  HWY_DYNAMIC_DISPATCH(input_gradient)(rows, by_row, u_tables, scratch, gradient);
}
void unit_sums(const BlockBits& bits, const UnitRange& units, const RowTables& t_tables, IndexLists& scratch,
               const SumRows& sums) {
  PERPEND_CHECK(units.first + units.count <= bits.all_units && t_tables.plan().remainder == 0);
  HWY_DYNAMIC_DISPATCH(unit_sums)(bits, units, t_tables, scratch, sums);
}
void fill_u(const HiddenUnits& hidden, RowTables& tables) {
  PERPEND_CHECK(hidden.units <= kUnitsPerChunk && hidden.features == tables.plan().columns);
  HWY_DYNAMIC_DISPATCH(fill_u)(hidden, tables);
}
void fill_t(const Adjoints& adjoints, RowTables& tables) {
  PERPEND_CHECK(adjoints.rows <= kRowsPerBlock && tables.plan() == ColumnPlan::of_t(adjoints.features));
  HWY_DYNAMIC_DISPATCH(fill_t)(adjoints, tables);
}

}  // namespace perpend::kernels
#endif
