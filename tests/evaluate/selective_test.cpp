#include "perpend/evaluate/selective.h"

#include <gtest/gtest.h>

#include <cmath>

namespace perpend {
namespace {

using Values = std::vector<double>;

TEST(RowDisagreement, IsTheStandardDeviationOverMembers) {
  Matrix<double, axis::Member, axis::Row> members(3, 2);
  members(0, 0) = .2;
  members(1, 0) = .5;
  members(2, 0) = .8;
  for (std::size_t m = 0; m < 3; ++m) members(m, 1) = .25;
  const auto sd = row_disagreement(members.view());
  EXPECT_DOUBLE_EQ(sd[0], std::sqrt(.06));
  EXPECT_EQ(sd[1], 0);
}

TEST(RowDisagreement, OfTwoColumnsEqualsThatOfOne) {
  Matrix<double, axis::Row, axis::Out> a(1, 2);
  auto b = a;
  a(0, 0) = .25;
  a(0, 1) = .75;
  b(0, 0) = .5;
  b(0, 1) = .5;
  const std::vector<ClassProbabilities> members = {a, b};
  EXPECT_DOUBLE_EQ(row_disagreement(members)[0], .125);
}

TEST(RowDisagreement, IsTheSameForWhatNetworksGive) {
  for (const std::size_t classes : {2, 3}) {
    Stack<float, axis::Row, axis::Out> networks(2, 1, classes);
    std::vector<Matrix<double, axis::Row, axis::Out>> tables(2, Matrix<double, axis::Row, axis::Out>(1, classes));
    for (std::size_t m = 0; m < 2; ++m) {
      for (std::size_t k = 0; k < 2; ++k) {
        networks[m](0, k) = k == m ? .75F : .25F;
        tables[m](0, k) = networks[m](0, k);
      }
    }
    const std::vector<ClassProbabilities> views(tables.begin(), tables.end());
    EXPECT_EQ(row_disagreement(networks), row_disagreement(views));
    EXPECT_EQ(row_disagreement(networks), (Values{.25}));
  }
}

TEST(RowDoubt, IsTheDistanceFromCertainty) {
  EXPECT_EQ(row_doubt(Values{.25, .75, 1, .5}), (Values{.25, .25, 0, .5}));
  Matrix<double, axis::Row, axis::Out> p(1, 3);
  p(0, 1) = .75;
  p(0, 2) = .25;
  EXPECT_EQ(row_doubt(p.view()), (Values{.25}));
}

TEST(RiskCoverage, ByHand) {
  // In order of uncertainty the rows are right, wrong, right, wrong: risks 0, 1/2, 1/3, 1/2.
  const RiskCoverage curve = risk_coverage(Values{.1, .4, .2, .3}, ErrorFlags{0, 1, 1, 0});
  ASSERT_EQ(curve.points.size(), 4U);
  EXPECT_EQ(curve.points[0].coverage, .25);
  EXPECT_EQ(curve.points[0].risk, 0);
  EXPECT_EQ(curve.points[1].risk, .5);
  EXPECT_DOUBLE_EQ(curve.points[2].risk, 1.0 / 3);
  EXPECT_EQ(curve.points[3].risk, .5);
  EXPECT_DOUBLE_EQ(*curve.area, (0 + .5 + 1.0 / 3 + .5) / 4);
}

TEST(RiskCoverage, OfABlindUncertaintyIsTheErrorRate) {
  const RiskCoverage curve = risk_coverage(Values{1, 1, 1, 1}, ErrorFlags{0, 0, 0, 1});
  ASSERT_EQ(curve.points.size(), 1U);
  EXPECT_EQ(curve.points[0].coverage, 1);
  EXPECT_EQ(curve.area, .25);
}

TEST(RiskCoverage, WithoutRowsIsUndefined) { EXPECT_EQ(risk_coverage(Values{}, ErrorFlags{}).area, std::nullopt); }

TEST(ShiftAuroc, IsOneWhenEveryShiftedRowStandsOut) {
  EXPECT_EQ(shift_auroc(Values{.1, .2}, Values{.3, .4, .5}), 1.0);
  EXPECT_EQ(shift_auroc(Values{.1, .2}, Values{.2, .1}), .5);
  EXPECT_EQ(shift_auroc(Values{.1, .2}, Values{}), std::nullopt);
}

}  // namespace
}  // namespace perpend
