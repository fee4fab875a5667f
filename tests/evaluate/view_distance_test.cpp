#include "perpend/evaluate/view_distance.h"

#include <gtest/gtest.h>

#include "perpend/base/random.h"
#include "perpend/evaluate/finite.h"

namespace perpend {
namespace {

Inputs rows_around_zero(std::size_t rows) {
  const Stream stream({.seed = 3, .purpose = Purpose::test});
  Inputs inputs(rows, 3);
  for (std::size_t i = 0; i < rows * 3; ++i) inputs(i / 3, i % 3) = static_cast<float>(stream.normal(i));
  return inputs;
}

Ensemble ensemble_of(std::vector<std::size_t> hidden) {
  return initial_ensemble({.features = 3, .hidden = std::move(hidden), .classes = 2}, 2, 5);
}

TEST(ViewDistance, IsIndepErrAtEachEpsilonInAscendingOrder) {
  const Ensemble ensemble = ensemble_of({8});
  const Inputs rows = rows_around_zero(40);
  for (const Norm norm : {Norm::l2, Norm::linf}) {
    const DistanceView view = view_distance(ensemble, rows.view(), {{1, 0.1, 1}, norm}, Threads(2));
    EXPECT_EQ(view.norm, norm == Norm::l2 ? "l2" : "linf");
    EXPECT_EQ(view.rows, 40U);
    ASSERT_EQ(view.epsilons.size(), 2U);
    for (const std::size_t i : {0U, 1U}) {
      const double epsilon = i == 0 ? 0.1 : 1;
      const auto exact = finite_independence(ensemble, rows.view(),
                                             {.epsilon = epsilon, .norm = norm, .steps = view.steps}, Threads(1));
      EXPECT_EQ(view.epsilons[i].epsilon, epsilon);
      EXPECT_EQ(view.epsilons[i].indep_err, exact.indep_err);
      EXPECT_EQ(view.epsilons[i].relative, exact.relative);
    }
  }
}

// There are two copies of one member. What one does on the other's way up equals what it does on its own, and the
// gradients' cos^2 is 1.
TEST(ViewDistance, OfCopiesSaysThatTheyMoveTogether) {
  Ensemble ensemble = ensemble_of({8});
  ensemble.members[1] = ensemble.members[0];
  const DistanceView view = view_distance(ensemble, rows_around_zero(20).view(), {}, Threads(1));
  EXPECT_NEAR(*view.cos2, 1, 1e-6);
  for (const auto& at : view.epsilons) {
    EXPECT_EQ(at.relative, 1) << at.epsilon;
    EXPECT_EQ(at.own, (std::vector<double>{*at.indep_err, *at.indep_err}));
  }
}

TEST(ViewDistance, TakesRowsEvenlyAndFewerOfThemForLargeNetworks) {
  Inputs rows = rows_around_zero(2 * kMostDistanceRows);
  // Every second row is far away, and rows taken evenly are the others.
  Inputs even(kMostDistanceRows, 3);
  for (std::size_t i = 0; i < kMostDistanceRows; ++i) {
    std::copy_n(rows.row(2 * i), 3, even.row(i));
    rows(2 * i + 1, 0) = 1000;
  }
  const Ensemble small = ensemble_of({8});
  const DistanceView view = view_distance(small, rows.view(), {{0.5}}, Threads(2));
  EXPECT_EQ(view.rows, kMostDistanceRows);
  EXPECT_EQ(view.epsilons[0].indep_err, view_distance(small, even.view(), {{0.5}}, Threads(2)).epsilons[0].indep_err);
  EXPECT_EQ(view_distance(ensemble_of({2048, 2048}), rows.view(), {{0.5}}, Threads(2)).rows, kFewestDistanceRows);
}

}  // namespace
}  // namespace perpend
