// The inputs that a view makes of a column, and its gradient by the column.
#include "perpend/model/column_view.h"

#include <gtest/gtest.h>

#include <cmath>

#include "perpend/base/random.h"

namespace perpend {
namespace {

// One column of 200 numbers between -2 and 2, every tenth of them missing.
Inputs numbers_with_gaps() {
  Inputs x(200, 1);
  for (std::size_t r = 0; r < 200; ++r) x(r, 0) = r % 10 == 9 ? NAN : static_cast<float>(r) / 50 - 2;
  return x;
}

std::vector<double> expanded(const ViewLayout& layout, float z) {
  Inputs x(1, 1);
  x(0, 0) = z;
  Matrix<double, axis::Row, axis::Feature> out(1, layout.rows());
  layout.expand(x.view(), out.view());
  return {out.row(0), out.row(0) + layout.rows()};
}

TEST(ColumnView, EveryInputHasMeanZeroOverTheTrainingRows) {
  const Inputs x = numbers_with_gaps();
  const std::size_t number[] = {0};
  for (const View view : {View::linear, View::piecewise}) {
    const ViewLayout layout(fit_columns(x.view(), number, 8), view);
    std::vector<double> sums(layout.rows(), 0);
    double z = 0;
    for (std::size_t r = 0; r < x.rows(); ++r) {
      const auto inputs = expanded(layout, x(r, 0));
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += inputs[i];
      if (!std::isnan(x(r, 0))) z += x(r, 0);
    }
    if (view == View::linear) sums[0] -= z;  // z itself is centred by the encoding, not by the view
    for (const double sum : sums) EXPECT_NEAR(sum, 0, 1e-4);
  }
}

TEST(ColumnView, PiecewiseInputsStayAsTheyAreBeyondTheOuterEdges) {
  const Inputs x = numbers_with_gaps();
  const std::size_t number[] = {0};
  const ViewLayout layout(fit_columns(x.view(), number, 8), View::piecewise);
  EXPECT_EQ(expanded(layout, 5.0F), expanded(layout, 500.0F));
  EXPECT_EQ(expanded(layout, -5.0F), expanded(layout, -500.0F));
  EXPECT_EQ(layout.cell(0, 500.0F).slope, 0);
  EXPECT_EQ(layout.cell(0, -500.0F).slope, 0);
  EXPECT_GT(layout.cell(0, 0.3F).slope, 0);
}

TEST(ColumnView, SlopeIsTheDerivativeByTheColumn) {
  const Inputs x = numbers_with_gaps();
  const std::size_t number[] = {0};
  for (const View view : {View::linear, View::piecewise}) {
    const ViewLayout layout(fit_columns(x.view(), number, 8), view);
    for (const float z : {-1.7F, -0.31F, 0.05F, 1.2F}) {
      const ViewCell cell = layout.cell(0, z);
      const auto low = expanded(layout, z - 0.005F);
      const auto high = expanded(layout, z + 0.005F);
      for (std::size_t i = 0; i < layout.rows(); ++i) {
        EXPECT_NEAR((high[i] - low[i]) / 0.01, i == cell.row ? cell.slope : 0, 1e-2) << z << ' ' << i;
      }
    }
  }
}

TEST(ColumnView, WhatTrainingNeverSawAddsNothing) {
  Inputs x(40, 2);
  for (std::size_t r = 0; r < 40; ++r) {
    x(r, 0) = static_cast<float>(r) / 20 - 1;
    x(r, 1) = static_cast<float>(r % 3);
  }
  const std::size_t levels[] = {0, 3};
  const ViewLayout layout(fit_columns(x.view(), levels, 8), View::piecewise);
  EXPECT_EQ(layout.cell(0, NAN).row, layout.rows());
  EXPECT_EQ(layout.cell(1, -1.0F).row, layout.rows());
  EXPECT_EQ(layout.cell(1, 3.0F).row, layout.rows());  // a missing cell; training had none
  EXPECT_EQ(layout.cell(1, 2.0F).row, layout.columns()[1].first + 2);
}

TEST(FitColumns, ColumnsWithTwoValuesAreLinearAndNarrowBinsAreMerged) {
  Inputs x(100, 3);
  for (std::size_t r = 0; r < 100; ++r) {
    x(r, 0) = r % 2 == 0 ? -1.0F : 1.0F;
    x(r, 1) = r < 90 ? 0.0001F * static_cast<float>(r) : static_cast<float>(r);
    x(r, 2) = static_cast<float>(r % 4);
  }
  const std::size_t numbers[] = {0, 0, 0};
  const auto columns = fit_columns(x.view(), numbers, 16);
  EXPECT_FALSE(columns[0].has_ramps());
  for (std::size_t k = 0; k + 1 < columns[1].edges.size(); ++k) {
    EXPECT_GE(columns[1].edges[k + 1] - columns[1].edges[k], 0.99 * kNarrowestBin);
  }
  EXPECT_EQ(columns[2].edges, (std::vector<float>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace perpend
