// One view of the columns (data/column_table.h), laid out as the rows of a first layer, and the algebra of its cells.
//
// The first layer's weights W have one row per input of the view, column after column. A cell picks one of its column's
// rows, k, and a place t in it. Because all inputs are centred, the column adds to the hidden layer
//     A[k] + t W[k]
// where A is derived from W (TableMember). For a number in bin k of a piecewise column, A[k] = sum_{j<k} W[j] - sum_j
// mean_j W[j] - missing W[gap], and t is its place in the bin, from 0 to 1. For a linear number, A = -missing W[gap]
// and t = z. For a category, A[k] = W[k] - sum_j share_j W[j] and t = 0. So the cost of a row depends on the number of
// its columns, not on the number of inputs.
//
// The input gradient of a number is slope W[k] with slope = dt/dz: 1 / (width of the bin), and 0 outside the edges and
// for a missing cell. The "gradient" of a category is its contrast A[k]: by how much this level moves the score,
// compared with the mean over levels. The mean square of A[k] over rows is the variance of the level's effect. In the
// same way, the square of a number's gradient per standard deviation is the variance of a linear effect. So columns
// count alike, however many levels they have.
//
// The templates below are the same algebra with dense matrices. They check the engine, and deep networks use them.
// expand() gives the view's inputs, and `contract` and `spread` take gradients from inputs to columns and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/data/column_table.h"

namespace perpend {

struct ViewColumn {
  enum class Kind {
    linear,    // adds t W[k] only: for a linear number without missing cells
    ramps,     // adds A[k] + t W[k]: for all other numbers
    category,  // adds A[k]
  };
  Kind kind = Kind::linear;
  std::size_t first = 0;  // its rows of W
  std::size_t rows = 0;   // including the row of the missing cell, which is the last
  bool has_gap = false;   // there is a row for the missing cell

  std::size_t gap() const { return first + rows - 1; }
  std::size_t known() const { return rows - (has_gap ? 1 : 0); }  // rows of known cells
};

struct ViewCell {
  std::uint32_t row = 0;  // of W; ViewLayout::rows() where the cell adds nothing
  float t = 0;
  float slope = 0;  // categories: 1 where there is a contrast
};

class ViewLayout {
 public:
  struct Place {
    float start = 0;  // the start of the bin
    float scale = 0;  // 1 / width; 1 for linear numbers
  };

  ViewLayout() = default;
  ViewLayout(const std::vector<ColumnTable>& columns, View view);

  std::size_t rows() const { return rows_; }  // inputs of the first layer
  const std::vector<ViewColumn>& columns() const { return columns_; }
  const ColumnTable& table(std::size_t column) const { return tables_[column]; }

  // Finds the row of W that the number of a column picks.
  std::uint32_t find_row(std::size_t column, float x) const;
  // Makes the whole cell once its row is known.
  ViewCell cell(std::size_t column, std::uint32_t row, float x) const;
  ViewCell cell(std::size_t column, float x) const { return cell(column, find_row(column, x), x); }

  // The mean of every ramp, level and gap, one per row of W. A[k] is made with them.
  const std::vector<float>& means() const { return means_; }
  // The place of the bin of each row of W.
  const std::vector<Place>& places() const { return places_; }

  // (rows, columns) -> (rows, inputs)
  template <class T>
  void expand(MatrixView<const float, axis::Row, axis::Feature> x, MatrixView<T, axis::Row, axis::Feature> out) const;
  // Turns gradients by inputs into gradients by columns.
  template <class T>
  void contract(MatrixView<const float, axis::Row, axis::Feature> x,
                MatrixView<const T, axis::Row, axis::Feature> by_input,
                MatrixView<T, axis::Row, axis::Feature> by_column) const;
  // The transpose of `contract`: turns adjoints of gradients by columns into those by inputs.
  template <class T>
  void spread(MatrixView<const float, axis::Row, axis::Feature> x,
              MatrixView<const T, axis::Row, axis::Feature> by_column,
              MatrixView<T, axis::Row, axis::Feature> by_input) const;

 private:
  std::vector<ColumnTable> tables_;
  std::vector<ViewColumn> columns_;
  std::vector<Place> places_;  // per row of W
  std::vector<float> means_;
  std::size_t rows_ = 0;
};

}  // namespace perpend
