// Scores in blocks must equal walks from root to leaf, on every instruction set.
#include <gtest/gtest.h>

#include "perpend/trees/masked_trees.h"
#include "tests/support/targets.h"
#include "tests/trees/made_rows.h"

namespace perpend {
namespace {

BoostedTrees boosted(const test::MadeRows& made, std::size_t leaves, std::size_t classes) {
  const auto tables = test::made_tables();
  const BoostOptions options{.rounds = 12, .tree = {.leaves = leaves, .min_rows = 2}};
  return boost({.classes = classes, .columns = tables, .training = made.view()}, options, Threads(1)).trees;
}

std::vector<float> walked(const BoostedTrees& trees, InputsView rows) {
  std::vector<float> scores;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t k = 0; k < trees.outputs(); ++k) {
      double sum = trees.start[k];
      for (std::size_t t = k; t < trees.trees.size(); t += trees.outputs()) {
        sum += trees.trees[t].value[trees.trees[t].leaf_of(rows.row(r))];
      }
      scores.push_back(static_cast<float>(sum));
    }
  }
  return scores;
}

std::vector<float> flat(const TreeScores& scores) {
  std::vector<float> out;
  for (std::size_t r = 0; r < scores.rows(); ++r) out.insert(out.end(), scores.row(r), scores.row(r) + scores.cols());
  return out;
}

// New rows that contain things which training never saw: a gap in any number, an unseen level.
Inputs strange_rows(std::size_t rows) {
  Inputs x = test::made_rows(rows, 99).inputs;
  for (std::size_t r = 0; r < rows; ++r) {
    if (r % 7 == 0) x(r, r % 3) = NAN;
    if (r % 5 == 0) x(r, test::kManyLevelsColumn) = r % 2 == 0 ? -1.0F : 40.0F;
  }
  return x;
}

TEST(Score, EqualsTheWalkOnEveryTargetAndThread) {
  for (const std::size_t classes : {2, 3}) {
    const auto made = test::made_rows(2000, 1, static_cast<std::int32_t>(classes));
    for (const std::size_t leaves : {2, 7, 31, 32, 33, 64}) {  // above 32 leaves there are no masks
      const BoostedTrees trees = boosted(made, leaves, classes);
      ASSERT_EQ(problem_of(trees, test::made_tables()), "");
      ASSERT_EQ(trees.trees[0].leaves(), leaves);
      for (const std::size_t rows : {1, 15, 16, 63, 64, 65, 300}) {
        const Inputs x = strange_rows(rows);
        const auto expected = walked(trees, x.view());
        test::on_every_target([&] {
          for (const int threads : {1, 3}) {
            EXPECT_TRUE(test::same_bits(flat(score(trees, x.view(), Threads(threads))), expected));
          }
        });
      }
    }
  }
}

TEST(Score, TreeOfOneLeafAddsItsValue) {
  Tree leaf;
  leaf.value = {2};
  leaf.weight = {1};
  const BoostedTrees trees{.start = {1}, .trees = {leaf, leaf}};
  const Inputs x(100, 3);
  const TreeScores scores = score(trees, x.view(), Threads(1));
  for (std::size_t r = 0; r < 100; ++r) EXPECT_EQ(scores(r, 0), 5);
}

TEST(Score, KernelEqualsItsTwin) {
  const auto made = test::made_rows(64, 5);
  const RowBlock block(made.inputs.view());
  const std::uint32_t words[] = {0x5a5a5a5aU, 0x3U};
  const kernels::NumberNode right[] = {{0, 0.1F, 0xfffffffeU}, {test::kGapsColumn, 0.2F, 0xffff00ffU}};
  const kernels::NumberNode left[] = {{test::kGapsColumn, -0.3F, 0xfffffff1U}};
  const kernels::LevelNode levels[] = {{test::kManyLevelsColumn, 0x0fffffffU, words, 2},
                                       {test::kFewLevelsColumn, 0xf0ffffffU, words, 1}};
  const kernels::MaskedTree tree{right, 2, left, 1, levels, 2};
  test::on_every_target([&] {
    std::uint32_t reachable[kernels::kTreeRows];
    kernels::reachable_leaves(tree, block.cells(), reachable);
    for (std::size_t r = 0; r < kernels::kTreeRows; ++r) {
      EXPECT_EQ(reachable[r], kernels::reference::reachable_leaves(tree, block.cells() + r)) << r;
    }
  });
}

}  // namespace
}  // namespace perpend
