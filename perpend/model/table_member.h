// The seam for one hidden ReLU layer and two classes whose columns are tables: kernels/tables.h has the algebra.
//
// It has the same meaning, the same random masks and, within rounding, the same numbers as GeneralMember behind
// ViewLayout::expand. Rows do not depend on each other in forward, nor do hidden units in update_units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perpend/base/aligned.h"
#include "perpend/base/direction.h"
#include "perpend/base/matrix.h"
#include "perpend/kernels/adam.h"
#include "perpend/kernels/indexed_rows.h"
#include "perpend/kernels/tables.h"
#include "perpend/model/column_view.h"
#include "perpend/model/dropout.h"
#include "perpend/model/ensemble.h"

namespace perpend {

// The cells of some rows in one view. For the backward pass, the rows of each column are also sorted by the table row
// that they pick. All members of the view share a batch.
class TableBatch {
 public:
  TableBatch(const ViewLayout& layout, std::size_t max_rows);
  // `found` holds the table rows of the cells of all rows that x can reach, (rows, columns), as find_rows gives them.
  // If it is null, they are found here. Input gradients and update_units need `sorted`.
  void gather(const ViewLayout& layout, const kernels::IndexedRows& x, std::size_t rows, const std::uint32_t* found,
              bool sorted);
  std::size_t rows() const { return rows_; }
  kernels::TableCells cells(std::size_t first) const { return {.stride = stride_, .cells = cells_.data() + first}; }
  const float* slope(std::size_t column) const { return slope_.data() + column * stride_; }
  kernels::TableOrder order(std::size_t column) const;
  kernels::TableOrder all_rows() const;  // one run

 private:
  void sort_column(std::size_t table_rows, std::size_t column);

  std::size_t max_rows_, columns_, stride_;
  std::size_t rows_ = 0;
  std::vector<kernels::TableCell> cells_;  // (columns, stride)
  std::vector<float> slope_;               // likewise
  std::vector<std::uint32_t> order_;       // (columns, max_rows)
  std::vector<std::uint32_t> in_order_;
  kernels::TableRun whole_;
  std::vector<std::vector<kernels::TableRun>> runs_;
  std::vector<std::uint32_t> counts_;
};

// The table row of every cell, (rows, columns).
std::vector<std::uint32_t> find_rows(const ViewLayout& layout, InputsView x);

class TableMember {
 public:
  struct Options {
    double keep = 1;
    std::size_t max_rows = 256;
    Directions directions = {};  // of the columns: each update keeps their signs (monotone.h)
  };
  static bool serves(const Architecture& architecture);

  // The layout must outlive the member.
  TableMember(const ViewLayout& layout, const Network<float>& network, const Options& options);
  Network<float> network() const;

  // Scores and, unless the view is empty, input gradients of rows first .. first + count of the batch; first is a
  // multiple of 64, and the rows are within one block of 256.
  struct ForwardRows {
    const TableBatch* batch = nullptr;
    std::size_t first = 0, count = 0;
    Dropout dropout;
    std::size_t member = 0;                                // in the names of random streams
    float* scores = nullptr;                               // of the whole batch
    MatrixView<float, axis::Row, axis::Feature> gradient;  // of the whole batch, or an empty view
  };
  void forward(const ForwardRows& rows);

  // Computes the gradient of units first .. first + count by both adjoints (d_gradient may be an empty view), and takes
  // a step of Adam for them. The units are within one chunk of 256, and first is a multiple of 64. Returns false when a
  // weight is no longer finite or too large.
  struct Adjoints {
    const TableBatch* batch = nullptr;
    const float* d_scores = nullptr;
    MatrixView<const float, axis::Row, axis::Feature> d_gradient;
  };
  bool update_units(const Adjoints& adjoints, const kernels::AdamStep& step, std::size_t first, std::size_t count);
  // Updates the output biases, by the sum of the adjoints of the scores.
  bool update_output(const Adjoints& adjoints, const kernels::AdamStep& step);

 private:
  // Where the parameters lie in one flat array: W, column by column, then the biases, w2[:,0] and w2[:,1], each padded
  // to whole planes, then b2. Adam's state has the same layout.
  struct Places {
    std::size_t bias, out0, out1, out_bias, size;
  };
  void drop_units(const ForwardRows& rows, std::uint32_t* bits) const;
  std::uint32_t* bits_of_block(std::size_t row);
  void refresh_outputs(std::size_t first, std::size_t count);
  void keep_directions(std::size_t first, std::size_t count);
  bool adam(const kernels::AdamStep& step, std::size_t n, float* gradient, std::size_t at);

  const ViewLayout* layout_;
  Directions directions_;
  double keep_;
  float inverse_keep_;
  std::size_t units_;
  Places at_;
  std::vector<kernels::TableColumn> columns_;  // sorted by kind
  AlignedVector<float> parameters_;
  AlignedVector<float> m_, moment_;  // of Adam
  AlignedVector<float> v_;
  float constant_ = 0;
  AlignedVector<std::uint32_t> bits_;  // S by row, block after block
};

}  // namespace perpend
