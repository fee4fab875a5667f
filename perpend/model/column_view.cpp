#include "perpend/model/column_view.h"

#include <algorithm>
#include <cmath>
#include <complex>

namespace perpend {

ViewLayout::ViewLayout(const std::vector<ColumnTable>& columns, View view) : tables_(columns) {
  for (const ColumnTable& table : tables_) {
    ViewColumn column{.first = rows_, .has_gap = table.missing > 0};
    const bool ramps = view == View::piecewise && table.has_ramps();
    if (table.is_category) {
      column.kind = ViewColumn::Kind::category;
      for (const float share : table.means) {
        places_.push_back({});
        means_.push_back(share);
      }
    } else if (ramps) {
      column.kind = ViewColumn::Kind::ramps;
      for (std::size_t k = 0; k + 1 < table.edges.size(); ++k) {
        places_.push_back({table.edges[k], 1.0F / (table.edges[k + 1] - table.edges[k])});
        means_.push_back(table.means[k]);
      }
    } else {
      column.kind = column.has_gap ? ViewColumn::Kind::ramps : ViewColumn::Kind::linear;
      places_.push_back({0, 1});
      means_.push_back(0);
    }
    if (column.has_gap) {
      places_.push_back({});
      means_.push_back(table.missing);
    }
    column.rows = places_.size() - column.first;
    rows_ += column.rows;
    columns_.push_back(column);
  }
}

std::uint32_t ViewLayout::find_row(std::size_t column, float x) const {
  const ViewColumn& c = columns_[column];
  const ColumnTable& table = tables_[column];
  const auto gap = static_cast<std::uint32_t>(c.has_gap ? c.gap() : rows_);
  const auto first = static_cast<std::uint32_t>(c.first);
  if (table.is_category) {
    if (!(x >= 0)) return static_cast<std::uint32_t>(rows_);
    const auto level = static_cast<std::uint32_t>(x);
    return level < table.means.size() ? first + level : gap;
  }
  if (std::isnan(x)) return gap;
  if (c.known() == 1) return first;
  const auto inner_begin = table.edges.begin() + 1;
  const auto above = std::upper_bound(inner_begin, table.edges.end() - 1, x);
  return first + static_cast<std::uint32_t>(above - inner_begin);
}

ViewCell ViewLayout::cell(std::size_t column, std::uint32_t row, float x) const {
  const ViewColumn& c = columns_[column];
  if (row == rows_) return {row, 0, 0};
  if (c.kind == ViewColumn::Kind::category) return {row, 0, 1};
  if (c.has_gap && row == c.gap()) return {row, 0, 0};
  const Place& place = places_[row];
  if (c.known() == 1) return {row, x, 1};
  const float t = (x - place.start) * place.scale;
  if (t < 0) return {row, 0, 0};
  const ColumnTable& table = tables_[column];
  if (x > table.edges.back()) return {row, 1, 0};
  return {row, std::min(t, 1.0F), place.scale};
}

template <class T>
void ViewLayout::expand(MatrixView<const float, axis::Row, axis::Feature> x,
                        MatrixView<T, axis::Row, axis::Feature> out) const {
  for (std::size_t r = 0; r < x.rows(); ++r) {
    T* to = out.row(r);
    for (std::size_t d = 0; d < columns_.size(); ++d) {
      const ViewColumn& c = columns_[d];
      const ViewCell at = cell(d, x(r, d));
      const bool is_gap = c.has_gap && at.row == c.gap();
      for (std::size_t i = c.first; i < c.first + c.rows; ++i) {
        const bool number = c.kind != ViewColumn::Kind::category;
        const bool gap = c.has_gap && i == c.gap();
        if (at.row == rows_ || (number && is_gap && !gap)) {
          to[i] = T(0);
          continue;
        }
        T value = T(0);
        if (i == at.row) value = number && !gap ? T(at.t) : T(1);
        if (number && !gap && i < at.row) value = T(1);
        to[i] = value - T(means_[i]);
      }
    }
  }
}

template <class T>
void ViewLayout::contract(MatrixView<const float, axis::Row, axis::Feature> x,
                          MatrixView<const T, axis::Row, axis::Feature> by_input,
                          MatrixView<T, axis::Row, axis::Feature> by_column) const {
  for (std::size_t r = 0; r < x.rows(); ++r) {
    for (std::size_t d = 0; d < columns_.size(); ++d) {
      const ViewColumn& c = columns_[d];
      const ViewCell at = cell(d, x(r, d));
      T sum = at.slope == 0 ? T(0) : T(at.slope) * by_input(r, at.row);
      for (std::size_t i = c.first; c.kind == ViewColumn::Kind::category && at.slope != 0 && i < c.first + c.rows;
           ++i) {
        sum -= T(means_[i]) * by_input(r, i);
      }
      by_column(r, d) = sum;
    }
  }
}

template <class T>
void ViewLayout::spread(MatrixView<const float, axis::Row, axis::Feature> x,
                        MatrixView<const T, axis::Row, axis::Feature> by_column,
                        MatrixView<T, axis::Row, axis::Feature> by_input) const {
  for (std::size_t r = 0; r < x.rows(); ++r) {
    std::fill_n(by_input.row(r), rows_, T(0));
    for (std::size_t d = 0; d < columns_.size(); ++d) {
      const ViewColumn& c = columns_[d];
      const ViewCell at = cell(d, x(r, d));
      if (at.slope == 0) continue;
      by_input(r, at.row) += T(at.slope) * by_column(r, d);
      for (std::size_t i = c.first; c.kind == ViewColumn::Kind::category && i < c.first + c.rows; ++i) {
        by_input(r, i) -= T(means_[i]) * by_column(r, d);
      }
    }
  }
}

#define PERPEND_VIEW_OF(T)                                                                      \
  template void ViewLayout::expand(InputsView, MatrixView<T, axis::Row, axis::Feature>) const;  \
  template void ViewLayout::contract(InputsView, MatrixView<const T, axis::Row, axis::Feature>, \
                                     MatrixView<T, axis::Row, axis::Feature>) const;            \
  template void ViewLayout::spread(InputsView, MatrixView<const T, axis::Row, axis::Feature>,   \
                                   MatrixView<T, axis::Row, axis::Feature>) const;
PERPEND_VIEW_OF(float)
PERPEND_VIEW_OF(double)
PERPEND_VIEW_OF(std::complex<double>)
#undef PERPEND_VIEW_OF

}  // namespace perpend
