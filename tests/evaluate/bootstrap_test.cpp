#include "perpend/evaluate/bootstrap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "perpend/base/random.h"

namespace perpend {
namespace {

using Rows = std::span<const std::uint32_t>;

TEST(BootstrapInterval, OfAMeanIsAboutTwoStandardErrors) {
  const Stream stream({.seed = 9, .purpose = Purpose::test});
  std::vector<double> values;
  double sum = 0;
  for (int i = 0; i < 400; ++i) sum += values.emplace_back(stream.normal(i));
  const auto mean = [&](Rows rows) -> Metric {
    double total = 0;
    for (const auto r : rows) total += values[r];
    return total / static_cast<double>(rows.size());
  };
  const auto interval = bootstrap_interval(400, mean, {.replicates = 2000});
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low, sum / 400 - 1.96 / 20, 0.012);
  EXPECT_NEAR(interval->high, sum / 400 + 1.96 / 20, 0.012);
}

TEST(BootstrapInterval, SameSeedGivesTheSameBytes) {
  const auto first_row = [](Rows rows) -> Metric { return rows[0]; };
  const auto a = bootstrap_interval(1000, first_row, {.seed = 5});
  const auto b = bootstrap_interval(1000, first_row, {.seed = 5});
  const auto c = bootstrap_interval(1000, first_row, {.seed = 6});
  EXPECT_EQ(a->low, b->low);
  EXPECT_EQ(a->high, b->high);
  EXPECT_NE(a->low, c->low);
}

TEST(BootstrapInterval, DrawsTheRowsItsHeaderPromises) {
  std::vector<std::uint32_t> drawn;
  bootstrap_interval(4,
                     [&](Rows rows) -> Metric {
                       drawn.insert(drawn.end(), rows.begin(), rows.end());
                       return 0.0;
                     },
                     {.seed = 3, .replicates = 2});
  ASSERT_EQ(drawn.size(), 8U);
  for (std::uint32_t b = 0; b < 2; ++b) {
    const Stream stream({.seed = 3, .purpose = Purpose::interval, .member = 0, .step = b});
    for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(drawn[4 * b + i], stream.below(i, 4));
  }
}

TEST(BootstrapInterval, CountsUndefinedReplicates) {
  std::size_t calls = 0;
  const auto sometimes = [&](Rows) -> Metric { return ++calls % 4 == 0 ? Metric() : Metric(1.0); };
  const auto interval = bootstrap_interval(3, sometimes, {.replicates = 100});
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->undefined, 25U);
  EXPECT_EQ(interval->low, 1.0);
}

TEST(BootstrapInterval, IsUndefinedWhenNothingIsDefined) {
  EXPECT_FALSE(bootstrap_interval(3, [](Rows) { return Metric(); }));
  EXPECT_FALSE(bootstrap_interval(0, [](Rows) { return Metric(1.0); }));
}

}  // namespace
}  // namespace perpend
