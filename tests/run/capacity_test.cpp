#include "perpend/run/capacity.h"

#include <gtest/gtest.h>

namespace perpend {
namespace {

using Cosines = Matrix<double, axis::Row, axis::Row>;

// Returns the matrix for pairs of members with these cos^2: (0, 1), (0, 2), ..., (1, 2), ...
Cosines cosines(std::size_t members, const std::vector<double>& pairs) {
  Cosines all(members, members);
  std::size_t at = 0;
  for (std::size_t a = 0; a < members; ++a) {
    for (std::size_t b = a + 1; b < members; ++b) all(a, b) = all(b, a) = pairs[at++];
  }
  return all;
}

TEST(LargestIndependent, LeavesOutMembersThatAreNotGood) {
  EXPECT_EQ(largest_independent({true, false, true}, cosines(3, {0, 0, 0}), 0.05), 2U);
  EXPECT_EQ(largest_independent({false, false}, cosines(2, {0}), 0.05), 0U);
}

TEST(LargestIndependent, NeedsEveryPairOfTheSet) {
  // A chain: 0 is like 1, and 1 is like 2. The ends are independent.
  EXPECT_EQ(largest_independent({true, true, true}, cosines(3, {0.5, 0.01, 0.5}), 0.05), 2U);
  EXPECT_EQ(largest_independent({true, true, true}, cosines(3, {0.5, 0.5, 0.5}), 0.05), 1U);
  EXPECT_EQ(largest_independent({true, true, true}, cosines(3, {0.05, 0.05, 0.05}), 0.05), 3U);
}

TEST(CapacityCount, AGoodMemberKeepsItsShareOfWhatOneHasAboveAGuess) {
  const CapacitySettings settings{.keep = 0.9, .bound = 0.05};
  CapacityTrial trial{.ok = true, .measures = {0.85, 0.87}, .cos2 = cosines(2, {0}), .loss = 0};
  // One network alone has 0.9 and a guess 0.5, so 0.86 is good enough.
  EXPECT_EQ(counted_in(trial, 0.9, 0.5, settings), 1U);
  trial.measures[0] = 0.861;
  EXPECT_EQ(counted_in(trial, 0.9, 0.5, settings), 2U);
  trial.ok = false;
  EXPECT_EQ(counted_in(trial, 0.9, 0.5, settings), 0U);
}

TEST(CapacitySettings, AreRefusedWhereTheyMeanNothing) {
  EXPECT_TRUE(validate(CapacitySettings()).empty());
  EXPECT_EQ(validate({.most = 0, .restarts = 0, .lambda = 0, .keep = 0, .bound = 1}).size(), 5U);
}

TEST(RidgeLambdas, HaveTheStrongOneOnce) {
  EXPECT_EQ(ridge_lambdas({.lambda = 5}), (std::vector<double>{0, 0.03, 0.1, 0.3, 1, 5}));
  EXPECT_EQ(ridge_lambdas({.lambda = 0.1}), (std::vector<double>{0, 0.03, 0.1, 0.3, 1}));
}

}  // namespace
}  // namespace perpend
