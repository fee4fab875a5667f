// Sparse row sums: for each row of a bit matrix, the sum of those rows of a table whose bits are set.
//
// Both sparse products of a collapsed step (collapsed.h) are such sums:
//   G = S U^T        the item is an example, the table rows are those of U, one per hidden unit    (input_gradient)
//   Q = [T, e]^T S   the item is a hidden unit, the table rows are those of [T, e], one per example (unit_sums)
// A sum adds the table rows in ascending order, so it has the bits of the dense product: a zero adds nothing to a
// chain.
//
// Columns are cut into tables of 32 floats per row. Such a row fills two registers of AVX-512, and 257 such rows fill a
// first-level cache. The last table may be 16 or 8 wide. One or two columns of U that are left over (33 = 32 + 1) would
// waste most of a table. They are called remainder columns, and the sign kernels sum them under a mask.
#pragma once

#include <cstddef>
#include <cstdint>

#include "perpend/base/aligned.h"
#include "perpend/kernels/bits.h"
#include "perpend/kernels/indexed_rows.h"

namespace perpend::kernels {

constexpr std::size_t kMaxRemainder = 2;
constexpr std::size_t kTableColumns = 32;
constexpr std::size_t kTableRows = kBitsPerItem + 1;  // the last row stays zero: kZeroRow
constexpr std::size_t kTableFloats = kTableRows * kTableColumns;

// How columns are cut into tables and a remainder.
struct ColumnPlan {
  static ColumnPlan of_u(std::size_t features);  // U, with a remainder
  static ColumnPlan of_t(std::size_t features);  // [T, e], features + 1 columns, all of them in tables
  ColumnPlan(std::size_t n, bool with_remainder);
  std::size_t columns;
  std::size_t tables;      // each kTableFloats long
  std::size_t last_width;  // columns of the last table: 8, 16 or 32
  std::size_t remainder;   // the last columns, at most kMaxRemainder
  std::size_t first_remainder() const { return columns - remainder; }
  bool operator==(const ColumnPlan&) const = default;
};

// The numbers to be summed: up to 256 rows, cut by a ColumnPlan.
class RowTables {
 public:
  explicit RowTables(const ColumnPlan& plan) : plan_(plan), tables_(plan.tables * kTableFloats, 0.0F) {}
  const ColumnPlan& plan() const { return plan_; }
  const float* table(std::size_t t) const { return tables_.data() + t * kTableFloats; }
  float* table(std::size_t t) { return tables_.data() + t * kTableFloats; }

 private:
  ColumnPlan plan_;
  AlignedVector<float> tables_;
};

// Row r of a result is at data + r * stride.
struct SumRows {
  float* data = nullptr;
  std::size_t stride = 0;
  bool accumulate = false;  // adds to what is there, instead of replacing it
};

// U of one chunk: row u is weights[u] * v[u]. weights is (units, features) without padding. The sign kernels sum the
// remainder columns (collapsed.h). The tables hold them only where they share the last 16 columns, because
// InterleavedSum needs them there.
struct HiddenUnits {
  std::size_t features = 0;
  std::size_t units = 0;  // at most kUnitsPerChunk
  const float* weights = nullptr;
  const float* v = nullptr;
};
void fill_u(const HiddenUnits& hidden, RowTables& tables);

// [T, e] of one block: row r is e[r] x_r + gradient_r, then e[r].
struct Adjoints {
  std::size_t features = 0;
  std::size_t rows = 0;  // at most kRowsPerBlock
  const float* e = nullptr;
  IndexedRows x;
  const float* gradient = nullptr;  // null: zero; rows are padded as those of x
  std::size_t gradient_stride = 0;
};
void fill_t(const Adjoints& adjoints, RowTables& tables);

// Computes G of up to 256 rows over one chunk of units. by_row points at the first row's words of the chunk. Columns
// beyond the last one, up to the table's width, become zero. Remainder columns are left alone: the sign kernels sum
// them.
void input_gradient(std::size_t rows, const std::uint32_t* by_row, const RowTables& u_tables, IndexLists& scratch,
                    const SumRows& gradient);

// Computes Q of at most 256 units over one block of rows. sums starts at the first of these units.
struct BlockBits {
  std::size_t rows = 0;                    // of the block; bits beyond them are zero
  std::size_t all_units = 0;               // of the member
  const std::uint64_t* by_unit = nullptr;  // (kGroupsPerBlock, all_units)
};
struct UnitRange {
  std::size_t first = 0;
  std::size_t count = 0;
};
void unit_sums(const BlockBits& bits, const UnitRange& units, const RowTables& t_tables, IndexLists& scratch,
               const SumRows& sums);

// The input gradients of one group of 64 rows, summed while the signs of the next group are found.
//
// Finding signs is limited by multiplications, and a sparse row sum by loads and additions. A processor does both at
// once. So the tile of the sign kernel takes one step of this sum per feature, which adds kIndicesPerLoad table rows.
// (With integers it takes three steps per two pairs.) Lists are summed one after the other, so that two registers of
// sums suffice.
//
//   sum.start(group)            the pointed-to data must not change until finish()
//   float_signs(..., &sum)      of the next group; sums as much as there is time for
//   sum.finish(scratch)         sums the rest; must come before the next start()
struct InterleavedSum {
  struct Group {
    std::size_t rows = 0;                   // at most 64
    const std::uint32_t* by_row = nullptr;  // as for input_gradient; the member must have one chunk of units only
    const RowTables* u_tables = nullptr;
    // Remainder columns that share the last 16 columns of the tables are written too, with the same bits as the signs'.
    float* gradient = nullptr;
    std::size_t stride = 0;
  };
  // Whether the target has two registers to spare, and the plan enough columns to make this pay.
  static bool is_faster(const ColumnPlan& plan);
  void start(const Group& next);
  void finish(IndexLists& scratch);
  bool is_pending() const { return row < group.rows; }

  Group group;
  std::size_t row = 0;                     // the row that is being summed
  std::size_t table = 0;                   // the table that is being summed
  const std::uint16_t* at = nullptr;       // the next index in the row's list
  alignas(64) float sums[kTableColumns];   // the sums so far
  std::uint16_t first[kRowsPerGroup + 2];  // from join_lists; a list of zero rows follows the last row's list
  alignas(64) std::uint16_t lists[kRowsPerGroup * kBitsPerItem + kIndicesPerLoad + kOverrun];
};

}  // namespace perpend::kernels
