#include "perpend/data/grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>

namespace perpend {
namespace {

using Points = std::set<std::pair<float, float>>;

// The rules of the paper's figure on the same grid, written with the math library.
bool belongs(int which, double x, double y) {
  const double c = std::cos(std::numbers::pi / 3);
  const double s = std::sin(std::numbers::pi / 3);
  if (which == 1) return (x > 0) != (y > 0);
  if (which == 2) return (c * x - s * y > 0) != (s * x + c * y > 0);
  if (which == 3) return ((c - 0.4) * x - s * y > 0) != (s * x + c * y > 0);
  return std::abs(x) == std::abs(y) || (std::abs(x) > std::abs(y)) != (x * y > 0);
}

bool is_red(int which, double x, double y) {
  const double c = std::cos(std::numbers::pi / 3);
  const double s = std::sin(std::numbers::pi / 3);
  if (which == 1) return x < 0;
  if (which == 2) return c * x < s * y;
  if (which == 3) return (c - 0.4) * x < s * y;
  return x * y < 0;
}

class ToySet : public testing::TestWithParam<int> {};

TEST_P(ToySet, HoldsExactlyTheGridPointsOfItsRule) {
  Points expected;
  for (int i = 0; i < 100; ++i) {
    for (int j = 0; j < 100; ++j) {
      const double x = 10.0 * (2 * i - 99) / 99;
      const double y = 10.0 * (2 * j - 99) / 99;
      if (belongs(GetParam(), x, y)) expected.emplace(static_cast<float>(x), static_cast<float>(y));
    }
  }
  const Dataset set = toy_set(GetParam(), 0);
  Points found;
  for (std::size_t r = 0; r < set.rows(); ++r) {
    found.emplace(set.inputs(r, 0), set.inputs(r, 1));
    EXPECT_EQ(set.labels[r] == 1, is_red(GetParam(), set.inputs(r, 0), set.inputs(r, 1)));
  }
  EXPECT_EQ(found.size(), set.rows());
  EXPECT_EQ(found, expected);
}

TEST_P(ToySet, SeedChangesTheOrderOnly) {
  const Dataset a = toy_set(GetParam(), 0);
  const Dataset b = toy_set(GetParam(), 1);
  Points in_a;
  Points in_b;
  bool same_order = true;
  for (std::size_t r = 0; r < a.rows(); ++r) {
    in_a.emplace(a.inputs(r, 0), a.inputs(r, 1));
    in_b.emplace(b.inputs(r, 0), b.inputs(r, 1));
    same_order = same_order && a.inputs(r, 0) == b.inputs(r, 0);
  }
  EXPECT_EQ(in_a, in_b);
  EXPECT_FALSE(same_order);
}

INSTANTIATE_TEST_SUITE_P(All, ToySet, testing::Values(1, 2, 3, 4));

TEST(ToySets, OneToThreeAreAlsoExplainedByTheOtherAxis) {
  for (const int which : {1, 2, 3}) {
    const Dataset set = toy_set(which, 0);
    const double s = which == 1 ? 0 : std::sqrt(3) / 2;
    const double c = which == 1 ? 1 : 0.5;
    for (std::size_t r = 0; r < set.rows(); ++r) {
      EXPECT_EQ(set.labels[r] == 1, s * set.inputs(r, 0) + c * set.inputs(r, 1) > 0);
    }
  }
}

TEST(ManifoldSet, HoldsTheTwoEqualSignQuadrants) {
  const ManifoldSet set = manifold_set(5);
  ASSERT_EQ(set.dataset.rows(), 5000U);
  Points charts;
  for (std::size_t r = 0; r < set.dataset.rows(); ++r) {
    const float x = set.chart(r, 0);
    EXPECT_GT(x * set.chart(r, 1), 0);
    EXPECT_LE(std::abs(x), 3);
    EXPECT_EQ(set.dataset.labels[r] == 1, x > 0);
    charts.emplace(x, set.chart(r, 1));
  }
  EXPECT_EQ(charts.size(), 5000U);
}

TEST(ManifoldSet, PointsAreTheLogisticMapOfTheChart) {
  const Manifold m = random_manifold(5);
  const ManifoldSet set = manifold_set(5);
  for (std::size_t r = 0; r < 20; ++r) {
    for (std::size_t i = 0; i < 3; ++i) {
      double sum = 0;
      for (std::size_t h = 0; h < Manifold::kUnits; ++h) {
        const double z = set.chart(r, 0) * m.a[0][h] + set.chart(r, 1) * m.a[1][h] + m.a[2][h];
        sum += m.b[h][i] / (1 + std::exp(-z));
      }
      EXPECT_NEAR(set.dataset.inputs(r, i), sum, 1e-5);
    }
  }
}

TEST(ManifoldSet, TangentsAreTheDerivativesOfThePoint) {
  const Manifold m = random_manifold(5);
  const ManifoldSet set = manifold_set(5);
  const double h = 1e-5;
  for (std::size_t r = 0; r < 20; ++r) {
    const double x = set.chart(r, 0);
    const double y = set.chart(r, 1);
    for (std::size_t i = 0; i < 3; ++i) {
      const double dx = (manifold_point(m, x + h, y).point[i] - manifold_point(m, x - h, y).point[i]) / (2 * h);
      const double dy = (manifold_point(m, x, y + h).point[i] - manifold_point(m, x, y - h).point[i]) / (2 * h);
      EXPECT_NEAR(set.tangents[0](r, i), dx, 1e-5);
      EXPECT_NEAR(set.tangents[1](r, i), dy, 1e-5);
    }
  }
}

TEST(ManifoldSet, WeightsHaveStandardDeviationOneHalf) {
  double squares = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Manifold m = random_manifold(seed);
    for (const auto& row : m.a) {
      for (const double w : row) squares += w * w;
    }
    for (const auto& row : m.b) {
      for (const double w : row) squares += w * w;
    }
  }
  EXPECT_NEAR(std::sqrt(squares / (20 * 600)), 0.5, 0.01);
}

}  // namespace
}  // namespace perpend
