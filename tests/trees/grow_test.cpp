// The split that is found must be the best of all possible ones, tried one by one.
#include "perpend/trees/grow.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/trees/made_rows.h"

namespace perpend {
namespace {

struct Case {
  explicit Case(std::size_t rows, std::uint64_t seed, std::size_t bins)
      : made(test::made_rows(rows, seed)),
        binned(bin_rows(made.inputs.view(), test::made_tables(), {}, bins, Threads(1))),
        all(rows) {
    std::iota(all.begin(), all.end(), 0);
    columns.resize(test::kMadeColumns);
    std::iota(columns.begin(), columns.end(), 0);
    const Stream stream({.seed = seed, .purpose = Purpose::test, .member = 1, .step = 0});
    for (std::size_t r = 0; r < rows; ++r) {
      const auto gradient = static_cast<std::int32_t>(1000 * made.targets[r]);
      gradients.words.push_back(pack(-gradient, 100 + static_cast<std::uint32_t>(stream.below(r, 400))));
    }
  }
  std::size_t bin(std::size_t row, std::size_t column) const {
    return binned.block(column / kBlockColumns)[row] >> 8 * (column % kBlockColumns) & 255U;
  }
  // The sums over the rows for which `goes_left` is true of the column's bin.
  template <class GoesLeft>
  std::pair<double, double> sums(std::size_t column, const GoesLeft& goes_left) const {
    std::pair<double, double> sum{0, 0};
    for (const std::uint32_t row : all) {
      if (!goes_left(bin(row, column))) continue;
      sum.first += gradient_of(gradients.words[row]);
      sum.second += hessian_of(gradients.words[row]);
    }
    return sum;
  }
  // The gain of the split, or 0 if a side has too little.
  template <class GoesLeft>
  double gain(std::size_t column, double least, double l2, const GoesLeft& goes_left) const {
    const auto [g, h] = sums(column, [](std::size_t) { return true; });
    const auto [gl, hl] = sums(column, goes_left);
    if (hl < least || h - hl < least) return 0;
    return gl * gl / (hl + l2) + (g - gl) * (g - gl) / (h - hl + l2) - g * g / (h + l2);
  }

  test::MadeRows made;
  BinnedRows binned;
  std::vector<std::uint32_t> all;
  std::vector<std::size_t> columns;
  PackedGradients gradients;
};

std::vector<std::int64_t> histogram(const Case& c, std::size_t column) {
  std::vector<std::int64_t> bins(kMostTreeBins, 0);
  for (const std::uint32_t row : c.all) bins[c.bin(row, column)] += c.gradients.words[row];
  return bins;
}
std::int64_t total(const Case& c) {
  return std::accumulate(c.gradients.words.begin(), c.gradients.words.end(), std::int64_t{0});
}

TEST(Split, OfNumbersIsTheBestOfAllThresholdsAndSidesOfMissingCells) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Case c(60, seed, 12);
    const LeafLimits limits{.l2 = 50, .least_hessian = 1500};
    for (const std::size_t column : {0, 1, 2, 5}) {
      const std::size_t missing = c.binned.columns[column].count - 1;
      double best = 0;
      for (std::size_t last = 0; last < missing; ++last) {
        for (const bool left : {false, true}) {
          best =
              std::max(best, c.gain(column, 1500, 50, [&](std::size_t b) { return b == missing ? left : b <= last; }));
        }
      }
      const Split found = best_split(c.binned.columns[column], histogram(c, column).data(), total(c), limits);
      EXPECT_NEAR(found.gain, best, 1e-9 * best) << seed << " " << column;
      // The gain must be that of its bins.
      EXPECT_NEAR(c.gain(column, 1500, 50, [&](std::size_t b) { return found.left[b]; }), best, 1e-9 * best);
    }
  }
}

TEST(Split, OfFewLevelsIsTheBestOneAgainstTheRest) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Case c(60, seed, 12);
    const LeafLimits limits{.l2 = 50, .smoothing = 1000, .least_hessian = 1500};
    const std::size_t column = test::kFewLevelsColumn;
    double best = 0;
    for (std::size_t one = 0; one < c.binned.columns[column].count; ++one) {
      best = std::max(best, c.gain(column, 1500, 50, [&](std::size_t b) { return b == one; }));
    }
    const Split found = best_split(c.binned.columns[column], histogram(c, column).data(), total(c), limits);
    EXPECT_NEAR(found.gain, best, 1e-9 * best) << seed;
    EXPECT_NEAR(c.gain(column, 1500, 50, [&](std::size_t b) { return found.left[b]; }), best, 1e-9 * best);
  }
}

// Without smoothing, the best of all subsets is among the cuts of the order by mean gradient (Fisher 1958).
TEST(Split, OfManyLevelsIsTheBestOfAllSubsets) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Case c(200, seed, 12);
    const std::size_t column = test::kManyLevelsColumn;
    for (std::size_t r = 0; r < 200; ++r) {  // nine levels
      c.made.inputs(r, column) = static_cast<float>(static_cast<int>(c.made.inputs(r, column)) % 9);
    }
    c.binned = bin_rows(c.made.inputs.view(), test::made_tables(), {}, 12, Threads(1));
    double best = 0;
    for (unsigned subset = 0; subset < 1U << 9U; ++subset) {
      best = std::max(best, c.gain(column, 1, 0, [&](std::size_t b) { return (subset >> (b - 1) & 1U) != 0; }));
    }
    const Split found = best_split(c.binned.columns[column], histogram(c, column).data(), total(c), {});
    EXPECT_NEAR(found.gain, best, 1e-9 * best) << seed;
  }
}

TEST(Split, OfRowsThatAreAllAlikeIsNone) {
  const ColumnBins column{.thresholds = {0.0F, 1.0F}, .count = 4};
  const std::int64_t bins[] = {pack(-21, 7), pack(-6, 2), pack(-9, 3), 0};  // the same mean gradient in each
  EXPECT_EQ(best_split(column, bins, pack(-36, 12), {}).gain, 0);
}

// A tree of two leaves has the best split over all columns, with its leaves' values and rows.
TEST(Grow, FirstSplitIsTheBestOfAllColumns) {
  const Case c(500, 3, 30);
  const GrowOptions options{.leaves = 2, .min_rows = 0, .min_hessian = 1, .l2 = 3, .level_smoothing = 0, .rate = 1};
  const Threads threads(1);
  Grower grower(c.binned, {}, options, threads);
  const Tree tree = grower.grow(c.gradients, c.all, c.columns);
  ASSERT_EQ(tree.leaves(), 2);
  double best = 0;
  for (std::size_t column = 0; column < test::kMadeColumns; ++column) {
    const LeafLimits limits{.l2 = 3};
    best = std::max(best, best_split(c.binned.columns[column], histogram(c, column).data(), total(c), limits).gain);
  }
  const auto column = static_cast<std::size_t>(tree.column[0]);
  std::pair<double, double> left{0, 0};
  std::pair<double, double> right{0, 0};
  for (std::size_t r = 0; r < 500; ++r) {
    auto& side = tree.goes_left(0, c.made.inputs(r, column)) ? left : right;
    side.first += gradient_of(c.gradients.words[r]);
    side.second += hessian_of(c.gradients.words[r]);
  }
  const double all = left.first + right.first;
  const double gain = left.first * left.first / (left.second + 3) + right.first * right.first / (right.second + 3) -
                      all * all / (left.second + right.second + 3);
  EXPECT_NEAR(gain, best, 1e-9 * best);
  EXPECT_FLOAT_EQ(tree.value[0], static_cast<float>(-left.first / (left.second + 3)));
  EXPECT_FLOAT_EQ(tree.value[1], static_cast<float>(-right.first / (right.second + 3)));
}

TEST(Grow, RowsOfALeafAreThoseThatComeToIt) {
  const Case c(3000, 4, 255);
  const Threads threads(2);
  Grower grower(c.binned, {}, {.leaves = 20, .min_rows = 10}, threads);
  const Tree tree = grower.grow(c.gradients, c.all, c.columns);
  ASSERT_EQ(tree.leaves(), 20);
  std::size_t rows = 0;
  for (std::size_t leaf = 0; leaf < 20; ++leaf) {
    EXPECT_EQ(tree.weight[leaf], static_cast<float>(grower.rows_of(leaf).size()));
    for (const std::uint32_t row : grower.rows_of(leaf)) ASSERT_EQ(tree.leaf_of(c.made.inputs.row(row)), leaf);
    rows += grower.rows_of(leaf).size();
  }
  EXPECT_EQ(rows, 3000);
}

TEST(Grow, LeavesHaveTheLeastRowsWhereHessiansAreEqual) {
  Case c(3000, 5, 255);
  for (auto& word : c.gradients.words) word = pack(static_cast<std::int32_t>(word >> 32), 64);
  const Threads threads(1);
  Grower grower(c.binned, {}, {.leaves = 200, .min_rows = 37}, threads);
  const Tree tree = grower.grow(c.gradients, c.all, c.columns);
  EXPECT_GT(tree.leaves(), 30);
  for (const float weight : tree.weight) EXPECT_GE(weight, 37);
}

// Each row's gradient outweighs those of all rows before it, so every split takes off the last row of those left.
TEST(Grow, TreesAreNoDeeperThanTheyMayBe) {
  constexpr std::size_t kRows = 38;
  Case c(kRows, 5, 255);
  double gradient = 1, hessian = 4e8;
  for (std::size_t r = 0; r < kRows; ++r, gradient *= 1.7, hessian /= 1.7) {
    c.made.inputs(r, 0) = static_cast<float>(r);
    c.gradients.words[r] = pack(-static_cast<std::int32_t>(gradient), static_cast<std::uint32_t>(hessian));
  }
  c.binned = bin_rows(c.made.inputs.view(), test::made_tables(), {}, 255, Threads(1));
  const std::size_t first[] = {0};
  const Threads threads(1);
  Grower grower(c.binned, {}, {.leaves = kRows, .min_rows = 0, .min_hessian = 0}, threads);
  const Tree tree = grower.grow(c.gradients, c.all, first);
  EXPECT_GE(tree.nodes(), kMostTreeDepth);
  EXPECT_EQ(problem_of({.start = {0}, .trees = {tree}}, test::made_tables()), "");
}

TEST(Grow, AsksOnlyTheColumnsGiven) {
  const Case c(1000, 6, 255);
  const Threads threads(1);
  Grower grower(c.binned, {}, {.leaves = 20}, threads);
  const std::size_t some[] = {1, 9};
  const Tree tree = grower.grow(c.gradients, c.all, some);
  ASSERT_GT(tree.nodes(), 0);
  for (const std::int32_t column : tree.column) EXPECT_TRUE(column == 1 || column == 9) << column;
}

TEST(Grow, MissingCellsAndUnseenLevelsGoToTheLargerSideWhereTrainingHadNone) {
  Case c(600, 7, 255);
  const Threads threads(1);
  Grower grower(c.binned, {}, {.leaves = 2}, threads);
  const std::size_t number[] = {0};
  const std::size_t category[] = {test::kManyLevelsColumn};
  const Tree by_number = grower.grow(c.gradients, c.all, number);
  ASSERT_EQ(by_number.nodes(), 1);
  EXPECT_EQ(by_number.goes_left(0, NAN), grower.rows_of(0).size() > grower.rows_of(1).size());
  const Tree by_level = grower.grow(c.gradients, c.all, category);
  ASSERT_EQ(by_level.nodes(), 1);
  EXPECT_EQ(by_level.goes_left(0, -1.0F), grower.rows_of(0).size() > grower.rows_of(1).size());
}

}  // namespace
}  // namespace perpend
