// A change is found near the row where it happened, and steady rows have none.
#include "perpend/evaluate/change_points.h"

#include <gtest/gtest.h>

#include <vector>

#include "perpend/base/random.h"

namespace perpend {
namespace {

// Returns a 1 where a row is wrong, which happens with this chance.
std::vector<double> errors(std::size_t rows, double chance, std::uint32_t seed) {
  const Stream random({.seed = seed});
  std::vector<double> values;
  for (std::size_t r = 0; r < rows; ++r) values.push_back(random.uniform(r) < chance ? 1 : 0);
  return values;
}

std::vector<double> joined(std::vector<double> first, const std::vector<double>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

TEST(ChangePoints, SteadyRowsHaveNone) {
  int found = 0;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    found += change_points(errors(300, 0.1, 2 * seed), errors(2000, 0.1, 2 * seed + 1), 0.01).empty() ? 0 : 1;
  }
  EXPECT_LE(found, 1);
}

TEST(ChangePoints, AreFoundNearTheirRow) {
  const auto changes = change_points(errors(300, 0.1, 1), joined(errors(1000, 0.1, 2), errors(600, 0.4, 3)), 0.01);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_NEAR(static_cast<double>(changes[0].row), 1000, 64);
  EXPECT_NEAR(changes[0].before, 0.1, 0.03);
  EXPECT_NEAR(changes[0].after, 0.4, 0.15);
}

TEST(ChangePoints, TheFirstRowMayBeOne) {
  const auto changes = change_points(errors(500, 0.05, 4), errors(400, 0.5, 5), 0.01);
  ASSERT_FALSE(changes.empty());
  EXPECT_EQ(changes[0].row, 0U);
}

TEST(ChangePoints, AFallIsAChange) {
  EXPECT_EQ(change_points(errors(500, 0.5, 6), errors(500, 0.1, 7), 0.01).size(), 1U);
}

TEST(ChangePoints, NeedNoRowsAtHome) {
  const auto changes = change_points({}, joined(errors(500, 0.1, 8), errors(500, 0.6, 9)), 0.01);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_NEAR(static_cast<double>(changes[0].row), 500, 64);
  EXPECT_TRUE(change_points({}, {}, 0.01).empty());
}

}  // namespace
}  // namespace perpend
