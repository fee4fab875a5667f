#include "perpend/trees/contributions.h"

#include <gtest/gtest.h>

#include <bit>
#include <functional>

#include "tests/trees/made_rows.h"

namespace perpend {
namespace {

// The value of the game that contributions.h describes, computed by its definition.
double game_value(const Tree& tree, const float* row, unsigned known) {
  const std::function<double(std::int32_t)> weight = [&](std::int32_t at) -> double {
    if (at < 0) return tree.weight[static_cast<std::size_t>(~at)];
    return weight(tree.left[static_cast<std::size_t>(at)]) + weight(tree.right[static_cast<std::size_t>(at)]);
  };
  const std::function<double(std::int32_t)> below = [&](std::int32_t at) -> double {
    if (at < 0) return tree.value[static_cast<std::size_t>(~at)];
    const auto node = static_cast<std::size_t>(at);
    const std::int32_t left = tree.left[node];
    const std::int32_t right = tree.right[node];
    if ((known >> tree.column[node] & 1U) != 0)
      return below(tree.goes_left(node, row[tree.column[node]]) ? left : right);
    return (weight(left) * below(left) + weight(right) * below(right)) / weight(at);
  };
  return below(tree.nodes() == 0 ? ~0 : 0);
}

double factorial(unsigned n) { return n < 2 ? 1 : n * factorial(n - 1); }

// The mean over all orders of what each column adds.
std::vector<double> shapley(const Tree& tree, const float* row) {
  constexpr unsigned kSets = 1U << test::kMadeColumns;
  std::vector<double> values;
  for (unsigned known = 0; known < kSets; ++known) values.push_back(game_value(tree, row, known));
  std::vector<double> sums(test::kMadeColumns, 0.0);
  for (unsigned c = 0; c < test::kMadeColumns; ++c) {
    for (unsigned known = 0; known < kSets; ++known) {
      if ((known >> c & 1U) != 0) continue;
      const auto before = static_cast<unsigned>(std::popcount(known));
      const double orders = factorial(before) * factorial(test::kMadeColumns - 1 - before);
      sums[c] += orders / factorial(test::kMadeColumns) * (values[known | 1U << c] - values[known]);
    }
  }
  return sums;
}

BoostedTrees boosted(const test::MadeRows& made, std::size_t classes, std::size_t rounds, std::size_t leaves) {
  const auto tables = test::made_tables();
  const BoostOptions options{.rounds = rounds, .tree = {.leaves = leaves}};
  return boost({.classes = classes, .columns = tables, .training = made.view()}, options, Threads(1)).trees;
}

TEST(Contributions, AreTheShapleyValuesByTheirDefinition) {
  const auto made = test::made_rows(1500, 1);
  const BoostedTrees trees = boosted(made, 2, 2, 12);
  const auto found = contributions(trees, 0, made.inputs.view().middle_rows(0, 3), Threads(1));
  for (std::size_t r = 0; r < 3; ++r) {
    const auto first = shapley(trees.trees[0], made.inputs.row(r));
    const auto second = shapley(trees.trees[1], made.inputs.row(r));
    for (std::size_t c = 0; c < test::kMadeColumns; ++c) EXPECT_NEAR(found(r, c), first[c] + second[c], 1e-7) << r << c;
  }
}

TEST(Contributions, SumUpToTheScoreLessTheMean) {
  for (const std::size_t classes : {2, 3}) {
    const auto made = test::made_rows(2000, 2, static_cast<std::int32_t>(classes));
    const BoostedTrees trees = boosted(made, classes, 15, 31);
    const InputsView rows = made.inputs.view().middle_rows(0, 50);
    const TreeScores scores = score(trees, rows, Threads(1));
    for (std::size_t k = 0; k < trees.outputs(); ++k) {
      const auto found = contributions(trees, k, rows, Threads(3));
      for (std::size_t r = 0; r < rows.rows(); ++r) {
        double sum = mean_score(trees, k);
        for (std::size_t c = 0; c < test::kMadeColumns; ++c) sum += found(r, c);
        EXPECT_NEAR(sum, scores(r, k), 1e-5);
      }
    }
  }
}

TEST(Contributions, MeanScoreIsThatOfTheTrainingRows) {
  const auto made = test::made_rows(2000, 3);
  const BoostedTrees trees = boosted(made, 2, 10, 31);
  const TreeScores scores = score(trees, made.inputs.view(), Threads(1));
  double sum = 0;
  for (std::size_t r = 0; r < 2000; ++r) sum += scores(r, 0);
  EXPECT_NEAR(mean_score(trees, 0), sum / 2000, 1e-6);
}

TEST(Contributions, ColumnThatIsNeverAskedAddsNothing) {
  auto made = test::made_rows(500, 4);
  for (std::size_t r = 0; r < 500; ++r) made.inputs(r, 7) = 1;
  const auto found = contributions(boosted(made, 2, 5, 31), 0, made.inputs.view().middle_rows(0, 9), Threads(1));
  for (std::size_t r = 0; r < 9; ++r) EXPECT_EQ(found(r, 7), 0);
}

}  // namespace
}  // namespace perpend
