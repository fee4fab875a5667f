// Matrices whose axes have names.
//
// A view carries the meaning of its two axes in its type, so (rows, features) cannot be handed to a function that wants
// (features, units): it does not compile. Storage is row-major with a stride. Rows are padded, so each row starts on a
// cache line. The padding of an owned matrix is zero and stays zero.
#pragma once

#include <cstddef>
#include <type_traits>

#include "perpend/base/aligned.h"
#include "perpend/base/checked_size.h"
#include "perpend/base/error.h"

namespace perpend {

namespace axis {
struct Row;      // an example
struct Feature;  // an encoded input column
struct Unit;     // a hidden unit
struct Score;    // one log-odds (binary) or K logits
struct In;       // the input side of a layer
struct Out;      // the output side of a layer
struct Member;   // a member of an ensemble
}  // namespace axis

template <class T, class RowAxis, class ColumnAxis>
class MatrixView {
 public:
  MatrixView() = default;
  MatrixView(T* data, std::size_t rows, std::size_t cols, std::size_t stride)
      : data_(data), rows_(rows), cols_(cols), stride_(stride) {
    PERPEND_CHECK(stride >= cols);
  }
  // A view of mutable numbers is also a view of constant ones.
  operator MatrixView<const T, RowAxis, ColumnAxis>() const  // NOLINT(google-explicit-constructor)
      requires(!std::is_const_v<T>) {
    return {data_, rows_, cols_, stride_};
  }

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  std::size_t stride() const { return stride_; }
  T* data() const { return data_; }
  T* row(std::size_t r) const { return data_ + r * stride_; }
  T& operator()(std::size_t r, std::size_t c) const { return data_[r * stride_ + c]; }
  MatrixView middle_rows(std::size_t first, std::size_t count) const {
    PERPEND_CHECK(first + count <= rows_);
    return {row(first), count, cols_, stride_};
  }

 private:
  T* data_ = nullptr;
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  std::size_t stride_ = 0;
};

template <class T, class RowAxis, class ColumnAxis>
class Matrix {
 public:
  using View = MatrixView<T, RowAxis, ColumnAxis>;
  using ConstView = MatrixView<const T, RowAxis, ColumnAxis>;

  Matrix() = default;
  Matrix(std::size_t rows, std::size_t cols)
      : rows_(rows), cols_(cols), stride_(round_up(cols, 16)), data_(checked_product(rows, stride_), T{}) {}

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  std::size_t stride() const { return stride_; }
  T* data() { return data_.data(); }
  const T* data() const { return data_.data(); }
  T* row(std::size_t r) { return data_.data() + r * stride_; }
  const T* row(std::size_t r) const { return data_.data() + r * stride_; }
  T& operator()(std::size_t r, std::size_t c) { return data_[r * stride_ + c]; }
  const T& operator()(std::size_t r, std::size_t c) const { return data_[r * stride_ + c]; }
  View view() { return {data_.data(), rows_, cols_, stride_}; }
  ConstView view() const { return {data_.data(), rows_, cols_, stride_}; }
  operator View() { return view(); }             // NOLINT(google-explicit-constructor): a matrix is its view
  operator ConstView() const { return view(); }  // NOLINT(google-explicit-constructor)

 private:
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  std::size_t stride_ = 0;
  AlignedVector<T> data_;
};

// One matrix per member, all of one shape.
template <class T, class RowAxis, class ColumnAxis>
class Stack {
 public:
  using View = MatrixView<T, RowAxis, ColumnAxis>;
  using ConstView = MatrixView<const T, RowAxis, ColumnAxis>;

  Stack() = default;
  // Rows are padded to 16 columns. Single scores have no padding. At least 16 zeros follow the last row.
  Stack(std::size_t members, std::size_t rows, std::size_t cols)
      : members_(members),
        rows_(rows),
        cols_(cols),
        stride_(std::is_same_v<ColumnAxis, axis::Score> && cols == 1 ? 1 : round_up(cols, 16)),
        step_(round_up(checked_product(rows, stride_) + 16, 16)),
        data_(checked_product(members, step_), T{}) {}

  std::size_t members() const { return members_; }
  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  View operator[](std::size_t m) { return {data_.data() + m * step_, rows_, cols_, stride_}; }
  ConstView operator[](std::size_t m) const { return {data_.data() + m * step_, rows_, cols_, stride_}; }

 private:
  std::size_t members_ = 0;
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  std::size_t stride_ = 0;
  std::size_t step_ = 0;
  AlignedVector<T> data_;
};

using Inputs = Matrix<float, axis::Row, axis::Feature>;
using InputsView = MatrixView<const float, axis::Row, axis::Feature>;

}  // namespace perpend
