// One ReLU layer and a log-odds over columns that are tables (model/column_view.h). The cost of a row depends on the
// number of columns, not on the size of their tables.
//
// A cell (row k of its column's table, place t, slope) adds A[k] + t W[k] to the hidden layer. With S_h = [z_h > 0]
// [unit h not dropped] and v as in collapsed.h:
//     z = b + sum_d (A[k_d] + t_d W[k_d]),   s = c + sum_h S_h v_h z_h                        (table_forward)
//     G[d] = slope_d sum_h S_h v_h W[k_d][h], of a category sum_h S_h v_h A[k_d][h]           (table_input_gradient)
// Backward, with e and R the adjoints of score and input gradient, for each row k of a table:
//     Q[k] = sum over the rows that pick k of S (e t + R slope)                               (table_update)
//     E[k] = the same sum of S e, of a category S (e + R slope)
// They are the adjoints of W[k] and A[k], divided by v. A follows from W, with m the means of the column's inputs:
//     numbers      A[0] = -sum_j m_j W[j],  A[k + 1] = A[k] + W[k],  A[gap] = (1 - m_gap) W[gap]
//     categories   A[k] = W[k] - sum_j m_j W[j]
// With T the sum of all E[k] except the gap's, the adjoint of W, divided by v, is therefore:
//     numbers      P[j] = Q[j] + sum_{k>j} E[k] - m_j T,  P[gap] = (1 - m_gap) E[gap] - m_gap T
//     categories   P[j] = E[j] - m_j T
// and dW = v P. As A is linear in W, this column's part of dv is sum_j W[j] P[j]. A linear column has no A.
//
// A is derived where it is needed and never stored, so a step moves only weights and the state of Adam. Units lie along
// vectors. Rows that pick the same k lie next to each other, as in a histogram, so the values that belong to k stay in
// registers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "perpend/kernels/adam.h"
#include "perpend/kernels/bits.h"

namespace perpend::kernels {

// The weights of a column lie in planes of kTableTile units, each (table rows, kTableTile). Four columns of 16 bins, W
// and A, then fit into half of a first-level cache.
constexpr std::size_t kTableTile = 32;
constexpr std::size_t pad_units(std::size_t units) { return (units + kTableTile - 1) / kTableTile * kTableTile; }

// What a column adds: see ViewColumn::Kind.
enum class TableKind : std::uint8_t { linear, ramps, category };

struct TableColumn {
  TableKind kind = TableKind::linear;
  std::uint32_t column = 0;  // of the cells and of the input gradient
  std::uint32_t first = 0;   // where its rows of W begin; W holds one column after the other
  std::uint32_t rows = 0;    // including the gap's row, which is the last
  bool has_gap = false;
  const float* means = nullptr;

  // Where the weight of a table row and a unit lies in W.
  std::size_t at(std::size_t row, std::size_t unit, std::size_t padded_units) const {
    return first * padded_units + unit / kTableTile * rows * kTableTile + row * kTableTile + unit % kTableTile;
  }
};

// The cells of a batch, (columns, rows).
struct TableCell {
  std::uint32_t row = 0;  // of the column's table; TableColumn::rows where the cell adds nothing
  float t = 0;
};
struct TableCells {
  std::size_t stride = 0;  // from column to column
  const TableCell* cells = nullptr;
  const TableCell* of(std::size_t column) const { return cells + column * stride; }
};
// All arrays over units are padded with zeros to a multiple of kTableTile.
struct TableWeights {
  std::size_t units = 0;
  std::span<const TableColumn> columns = {};  // linear ones, then ramps, then categories: the order of the chain z
  const float* weights = nullptr;
  const float* bias = nullptr;
  const float* v = nullptr;
};

// Up to kRowsPerBlock rows. bits is the drop-out mask by row (bits.h) and becomes S. If it is null, nothing is dropped
// and S is not kept.
struct TableForward {
  std::size_t rows = 0;
  TableCells cells = {};
  TableWeights member = {};
  std::uint32_t* bits = nullptr;
  float constant = 0;        // c
  float* scores = nullptr;   // sums over sixteen lanes of units, folded in halves, plus c
  float* scratch = nullptr;  // forward_scratch() floats
};
std::size_t forward_scratch(std::span<const TableColumn> columns);
void table_forward(const TableForward& args);

// The rows of a batch, sorted by the table row that they pick, and in ascending order within a run. Rows that add
// nothing follow the last run.
struct TableRun {
  std::uint32_t table_row = 0;  // within the column
  std::uint32_t begin = 0, end = 0;
};
struct TableOrder {
  std::span<const TableRun> runs = {};
  std::span<const std::uint32_t> rows = {};
};

// Computes one column of the input gradient for rows first .. first + count of a batch, within one block. Each entry is
// a sum over sixteen lanes of units, folded in halves, times the slope.
struct TableInputGradient {
  std::size_t first = 0, count = 0;
  TableOrder order = {};
  const float* slope = nullptr;  // by row of the batch
  std::size_t units = 0;
  TableColumn column = {};
  const float* weights = nullptr;  // W
  const float* v = nullptr;
  const std::uint32_t* bits = nullptr;  // S of the block
  float* gradient = nullptr;            // of the batch, at this column
  std::size_t stride = 0;               // from row to row
};
void table_input_gradient(const TableInputGradient& args);

// Computes sums and gradient and takes a step of Adam, for one column and for units first .. first + count. Both are
// multiples of kTableTile, within a chunk of 256. Rows are summed in the order of the runs.
struct TableUpdate {
  std::size_t rows = 0;
  TableOrder order = {};
  const float* e = nullptr;             // adjoints of the scores
  const TableCell* cells = nullptr;     // by row; null: t is 1, which makes a linear column a bias
  const float* slope = nullptr;         // by row
  const float* d_gradient = nullptr;    // adjoints of the input gradient at this column; null: all zero
  std::size_t gradient_stride = 0;      // from row to row
  std::size_t units = 0;                // of the member
  std::size_t first = 0, count = 0;     // units
  const std::uint32_t* bits = nullptr;  // S, block after block
  TableColumn column = {};
  AdamStep step = {};
  float* weights = nullptr;  // W
  float* m = nullptr;        // the first moment of Adam, laid out as W
  float* moment = nullptr;
  const float* v = nullptr;
  float* d_v = nullptr;      // from unit `first` on: a chain that continues what is there
  float* scratch = nullptr;  // update_scratch() floats
};
std::size_t update_scratch(std::size_t rows, std::span<const TableColumn> columns);
// Returns false when a weight is no longer finite or too large (see adam.h).
bool table_update(const TableUpdate& args);

}  // namespace perpend::kernels
