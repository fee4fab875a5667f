// One ReLU layer and a log-odds over columns that are tables (model/column_view.h): a row costs by its columns.
//
// A cell (row k of its column's table, place t, slope) adds A[k] + t W[k] to the hidden layer. With S_h = [z_h > 0]
// [unit h not dropped] and v as in collapsed.h:
//     z = b + sum_d (A[k_d] + t_d W[k_d]),   s = c + sum_h S_h v_h z_h                       (table_forward)
//     G[d] = slope_d sum_h S_h v_h W[k_d][h], of a category sum_h S_h v_h A[k_d][h]           (table_forward)
// Backward, with e and R the adjoints of score and input gradient, per row k of a table:
//     Q[k] = sum over the rows that pick k of S (e t + R slope)                               (table_sums)
//     E[k] = the same sum of S e, of a category S (e + R)                                     (table_sums)
// Everything else follows from Q and E (TableMember): they are the adjoints of W[k] and A[k], divided by v.
//
// Units lie along vectors. Rows that pick the same k lie next to each other, as in a histogram, so sums stay in
// registers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "perpend/kernels/bits.h"

namespace perpend::kernels {

// W and A are laid out in planes of kTableTile units, which are read together: unit u of row k lies at u / kTableTile *
// plane + k * stride + u % kTableTile. With stride kTableTile all rows of a plane lie next to each other, so that those
// of a batch stay in the second-level cache; with plane kTableTile each row lies in one piece.
constexpr std::size_t kTableTile = 64;
struct TablePlaces {
  std::size_t plane = kTableTile;
  std::size_t stride = kTableTile;
  std::size_t at(std::size_t row, std::size_t unit) const {
    return unit / kTableTile * plane + row * stride + unit % kTableTile;
  }
};

// What a column adds: see ViewColumn::Kind.
enum class TableKind : std::uint8_t { linear, ramps, category };

// The cells of a batch, (rows, columns), and where the weights lie. W and A have one row more than there are inputs:
// all zeros, which cells that add nothing pick.
struct TableCells {
  std::size_t columns = 0;
  std::size_t stride = 0;              // of the three arrays below
  const std::uint32_t* row = nullptr;  // of W and A
  const float* t = nullptr;
  const float* slope = nullptr;
};
struct TableWeights {
  std::size_t units = 0;                 // what follows the last one, up to a multiple of 16, is zero
  TablePlaces places;                    // of W and A
  const TableKind* kind = nullptr;       // per column
  const std::uint32_t* first = nullptr;  // per column: its first row of W
  const float* weights = nullptr;        // W
  const float* constants = nullptr;      // A
  const float* bias = nullptr;
  const float* v = nullptr;
};

// Up to kRowsPerBlock rows. bits is the drop-out mask by row (bits.h) and becomes S; null: nothing is dropped and S is
// not kept.
struct TableForward {
  std::size_t rows = 0;
  TableCells cells;
  TableWeights member;
  std::uint32_t* bits = nullptr;
  float constant = 0;         // c
  float* scores = nullptr;    // sums over sixteen lanes of units, folded in halves, plus c
  float* gradient = nullptr;  // (rows, columns); null: not wanted. Sums per 128 units, as above, are added up in order.
  std::size_t gradient_stride = 0;
};
void table_forward(const TableForward& args);

// The rows of a batch that pick the same table row lie next to each other.
struct TableRun {
  std::uint32_t table_row = 0;  // within the column
  std::uint32_t begin = 0, end = 0;
};
// The sums of one column over units first .. first + count, which lie within a chunk of 256 units; first is a multiple
// of
// 64. Rows are summed in the order of `order`. q or e may be null: that sum is not wanted.
struct TableSums {
  std::size_t first = 0, count = 0;  // units
  std::size_t all_units = 0;
  const TableRun* runs = nullptr;
  std::size_t run_count = 0;
  const std::uint32_t* order = nullptr;  // row numbers in the batch
  const std::uint32_t* bits = nullptr;   // S by row, block after block of kRowsPerBlock rows
  const float* q = nullptr;              // e t + R slope, in the order of `order`
  const float* e = nullptr;              // e, or e + R
  float* q_sums = nullptr;               // (table rows, stride); only rows with a run are written
  float* e_sums = nullptr;
  std::size_t stride = 0;
};
void table_sums(const TableSums& args);

// A column's part of A, W and their gradients, for `units` units; pointers are at the first of them. K is the number of
// rows without the gap's, and m the means of the inputs, the gap's last.
struct TableColumn {
  TableKind kind = TableKind::linear;
  std::size_t rows = 0;  // with the gap's
  bool has_gap = false;
  const float* means = nullptr;
};
// Numbers:     A[0] = -sum_j m_j W[j] (over all rows, as a chain), A[k + 1] = A[k] + W[k], A[gap] = (1 - m_gap) W[gap].
// Categories:  A[k] = W[k] - sum_j m_j W[j].
// A linear column has no A.
void table_constants(const TableColumn& column, std::size_t units, std::size_t stride, const float* weights,
                     float* constants);

// The transpose of it, with E and Q the adjoints of A and W divided by v:
// Numbers:     dW[j] = v (Q[j] + sum_{k>j} E[k] - m_j sum_k E[k]),  dW[gap] = v ((1 - m_gap) E[gap] - m_gap sum_k E[k])
// Categories:  dW[j] = v (E[j] - m_j sum_k E[k])
// and this column's part of dv, sum_k A[k] E[k] + W[k] Q[k], as a chain that goes on from what is there.
struct TableGradients {
  TableColumn column;
  std::size_t units = 0;
  std::size_t stride = 0;  // of weights and constants
  const float* weights = nullptr;
  const float* constants = nullptr;
  const float* v = nullptr;
  std::size_t sums_stride = 0;  // of the arrays below
  const float* q_sums = nullptr;
  const float* e_sums = nullptr;
  float* d_weights = nullptr;
  float* d_v = nullptr;  // times 1 / keep in the end: v carries it
};
void table_gradients(const TableGradients& args);

}  // namespace perpend::kernels
