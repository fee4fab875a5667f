#include "perpend/base/matrix.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace perpend {
namespace {

using RowsByFeatures = MatrixView<const float, axis::Row, axis::Feature>;
using InByOut = MatrixView<const float, axis::In, axis::Out>;

TEST(Matrix, AxesCannotBeConfused) {
  static_assert(!std::is_convertible_v<RowsByFeatures, InByOut>);
  static_assert(!std::is_convertible_v<RowsByFeatures, MatrixView<float, axis::Row, axis::Feature>>);
  static_assert(std::is_convertible_v<MatrixView<float, axis::Row, axis::Feature>, RowsByFeatures>);
}

TEST(Matrix, RowsStartOnCacheLinesAndPaddingIsZero) {
  Matrix<float, axis::Row, axis::Feature> matrix(3, 17);
  EXPECT_EQ(matrix.stride(), 32U);
  for (std::size_t r = 0; r < 3; ++r) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(matrix.row(r)) % 64, 0U);
    for (std::size_t c = 0; c < 32; ++c) EXPECT_EQ(matrix.row(r)[c], 0.0F);
  }
}

TEST(Matrix, MiddleRowsSeesTheSameNumbers) {
  Matrix<float, axis::Row, axis::Feature> matrix(5, 2);
  matrix(3, 1) = 7;
  const auto middle = matrix.view().middle_rows(2, 2);
  EXPECT_EQ(middle.rows(), 2U);
  EXPECT_EQ(middle(1, 1), 7.0F);
  EXPECT_THROW(matrix.view().middle_rows(4, 2), Error);
}

}  // namespace
}  // namespace perpend
