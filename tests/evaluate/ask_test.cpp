#include "perpend/evaluate/ask.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/support/data.h"

namespace perpend {
namespace {

Ensemble untrained_ensemble() {
  return initial_ensemble({.features = 3, .hidden = {8}, .classes = 2, .activation = Activation::tanh}, 4, 7);
}

TEST(RowsToLabel, AreEachChosenOnceAndTheSameOnAnyNumberOfThreads) {
  const Dataset data = test::normal_data(50, 3, 1);
  const auto chosen = rows_to_label(untrained_ensemble(), equal_mean(4), data.inputs.view(), 20, Threads(1));
  EXPECT_EQ(chosen.size(), 20U);
  EXPECT_EQ(std::set<std::size_t>(chosen.begin(), chosen.end()).size(), 20U);
  EXPECT_EQ(rows_to_label(untrained_ensemble(), equal_mean(4), data.inputs.view(), 20, Threads(3)), chosen);
  // The first rows of a long list are the rows of a short one.
  const auto few = rows_to_label(untrained_ensemble(), equal_mean(4), data.inputs.view(), 5, Threads(1));
  EXPECT_TRUE(std::ranges::equal(few, std::vector(chosen.begin(), chosen.begin() + 5)));
}

// On inputs that are all 0, untrained members have the same answer.
TEST(RowsToLabel, AreMostlyThoseOnWhichMembersDiffer) {
  Dataset data = test::normal_data(1000, 3, 2);
  for (std::size_t r = 0; r < 500; ++r) std::fill_n(data.inputs.row(r), 3, 0.0F);
  const auto chosen = rows_to_label(untrained_ensemble(), equal_mean(4), data.inputs.view(), 100, Threads(1));
  const auto alike = std::ranges::count_if(chosen, [](std::size_t r) { return r < 500; });
  EXPECT_LT(alike, 20);  // about 9 are expected: each has a tenth of the mean distance
  EXPECT_GT(alike, 0);
}

TEST(RowsToLabel, AreAnyWhereMembersAreAllAlike) {
  const Inputs zeros(10, 3);
  EXPECT_EQ(rows_to_label(untrained_ensemble(), equal_mean(4), zeros.view(), 20, Threads(1)).size(), 10U);
}

}  // namespace
}  // namespace perpend
