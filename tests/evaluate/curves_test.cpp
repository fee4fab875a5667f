#include "perpend/evaluate/curves.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "perpend/base/random.h"

namespace perpend {
namespace {

double area(const std::vector<CurvePoint>& curve) {
  double sum = 0;
  for (std::size_t i = 1; i < curve.size(); ++i) {
    sum += (curve[i].x - curve[i - 1].x) * (curve[i].y + curve[i - 1].y) / 2;
  }
  return sum;
}

struct Scored {
  std::vector<double> scores;
  std::vector<std::int32_t> labels;
};

// Scores lie on a coarse grid, so that many are tied.
Scored some_rows(std::size_t rows) {
  const Stream stream({.seed = 7, .purpose = Purpose::generate, .member = 0, .step = 0});
  Scored made;
  for (std::size_t r = 0; r < rows; ++r) {
    made.scores.push_back(std::floor(20 * stream.uniform_open(2 * r)) / 20);
    made.labels.push_back(stream.uniform_open(2 * r + 1) < made.scores.back() ? 1 : 0);
  }
  return made;
}

TEST(RocCurve, HasTheAucBelowIt) {
  const Scored rows = some_rows(500);
  const auto curve = roc_curve(rows.scores, rows.labels);
  EXPECT_EQ(curve.front(), (CurvePoint{0, 0}));
  EXPECT_EQ(curve.back(), (CurvePoint{1, 1}));
  EXPECT_NEAR(area(curve), auc(rows.scores, rows.labels).value(), 1e-12);
}

TEST(RocCurve, HasNoPointsForOneClass) {
  EXPECT_TRUE(roc_curve(std::vector{0.1, 0.2}, std::vector<std::int32_t>{1, 1}).empty());
}

TEST(Thinned, KeepsTheEndsAndInventsNothing) {
  std::vector<CurvePoint> curve;
  for (int i = 0; i <= 10000; ++i) curve.push_back({i / 10000.0, std::sqrt(i / 10000.0)});
  const auto few = thinned(curve, 100);
  EXPECT_LE(few.size(), 102U);
  EXPECT_GE(few.size(), 80U);
  EXPECT_EQ(few.front(), curve.front());
  EXPECT_EQ(few.back(), curve.back());
  for (const auto& p : few) EXPECT_NE(std::ranges::find(curve, p), curve.end());
  EXPECT_EQ(thinned(few, 200), few);
}

TEST(Histogram, CountsBothEndsAndLeavesOutTheRest) {
  const Histogram bins = histogram(std::vector{0.0, 0.24, 0.25, 0.5, 0.6, -0.1}, 0, 0.5, 2);
  EXPECT_EQ(bins.counts, (std::vector<std::size_t>{2, 2}));
}

TEST(KernelDensity, IsThatOfTheNormalDistributionForNormalNumbers) {
  const Stream stream({.seed = 1, .purpose = Purpose::generate, .member = 0, .step = 0});
  std::vector<double> values;
  for (std::size_t i = 0; i < 20000; ++i) values.push_back(3 + 2 * stream.normal(i));
  const auto density = kernel_density(values, 49);
  ASSERT_EQ(density.size(), 49U);
  for (const auto& p : density) {
    const double z = (p.x - 3) / 2;
    if (std::abs(z) > 2) continue;
    EXPECT_NEAR(p.y, std::exp(-z * z / 2) / (2 * std::sqrt(2 * 3.14159265358979)), 0.012) << p.x;
  }
  EXPECT_NEAR(area(density), 0.98, 0.015);
}

TEST(KernelDensity, OfEqualValuesIsOnePoint) {
  EXPECT_EQ(kernel_density({2, 2, 2}, 10), (std::vector<CurvePoint>{{2, 1}}));
}

}  // namespace
}  // namespace perpend
