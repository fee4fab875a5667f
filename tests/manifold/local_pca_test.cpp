#include "perpend/manifold/local_pca.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "perpend/data/grid.h"
#include "tests/support/data.h"

namespace perpend {
namespace {

double dot(const float* a, const float* b, std::size_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

// The share of the length of a true tangent that lies in the span of the orthonormal local basis.
double share_within(const Tangents& found, std::size_t row, const float* tangent) {
  double squares = 0;
  for (std::size_t k = 0; k < found.directions(); ++k) {
    const double along = dot(found.direction(row, k), tangent, found.features());
    squares += along * along;
  }
  return std::sqrt(squares / dot(tangent, tangent, found.features()));
}

TEST(LocalPca, FindsTheTangentPlanesOfACurvedSurface) {
  const ManifoldSet set = manifold_set(0);
  const InputsView rows = set.dataset.inputs.view().middle_rows(0, 300);
  const Tangents found = local_tangents(rows, set.dataset.inputs.view(), 2, Threads(2));
  double mean = 0;
  for (std::size_t r = 0; r < 300; ++r) {
    for (const auto& tangents : set.tangents) mean += share_within(found, r, tangents.row(r)) / 600;
    EXPECT_NEAR(dot(found.direction(r, 0), found.direction(r, 0), 3), 1, 1e-6);
    EXPECT_NEAR(dot(found.direction(r, 0), found.direction(r, 1), 3), 0, 1e-6);
  }
  EXPECT_GT(mean, 0.95);
}

TEST(LocalPca, FollowsACurveThatNoSingleDirectionFits) {
  Inputs circle(1000, 2);
  for (std::size_t r = 0; r < 1000; ++r) {
    const double angle = 2 * M_PI * static_cast<double>(r) / 1000;
    circle(r, 0) = static_cast<float>(std::cos(angle));
    circle(r, 1) = static_cast<float>(std::sin(angle));
  }
  const Tangents found = local_tangents(circle.view(), circle.view(), 1, Threads(1));
  for (std::size_t r = 0; r < 1000; ++r) {
    const float radius[2] = {circle(r, 0), circle(r, 1)};
    EXPECT_NEAR(dot(found.direction(r, 0), radius, 2), 0, 0.01);
  }
}

// With more columns than neighbours, the smaller eigenproblem gives the same directions.
TEST(LocalPca, OfManyColumnsIsThatOfTheSpanOfTheNeighbours) {
  const auto data = test::normal_data(40, 50, 1);
  const Tangents found = local_tangents(data.inputs.view(), data.inputs.view(), 3, Threads(1));
  for (std::size_t r = 0; r < 40; ++r) {
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t l = 0; l <= k; ++l) {
        EXPECT_NEAR(dot(found.direction(r, k), found.direction(r, l), 50), k == l ? 1 : 0, 1e-5);
      }
    }
  }
}

TEST(LocalPca, LeavesDirectionsZeroThatNeighboursDoNotSpan) {
  Inputs line(100, 3);
  for (std::size_t r = 0; r < 100; ++r) line(r, 1) = static_cast<float>(r);
  const Tangents found = local_tangents(line.view(), line.view(), 2, Threads(1));
  EXPECT_EQ(std::abs(found.direction(7, 0)[1]), 1);
  for (std::size_t f = 0; f < 3; ++f) EXPECT_EQ(found.direction(7, 1)[f], 0);
}

TEST(LocalPca, DoesNotDependOnThreads) {
  const auto data = test::normal_data(200, 6, 2);
  const Tangents one = local_tangents(data.inputs.view(), data.inputs.view(), 2, Threads(1));
  const Tangents three = local_tangents(data.inputs.view(), data.inputs.view(), 2, Threads(3));
  EXPECT_EQ(std::memcmp(one.at(0), three.at(0), 200 * 2 * one.stride() * sizeof(float)), 0);
}

}  // namespace
}  // namespace perpend
