// Tests what a user of boosted trees relies on.
#include "perpend/trees/boost.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "perpend/base/error.h"
#include "tests/support/targets.h"
#include "tests/trees/made_rows.h"

namespace perpend {
namespace {

const std::vector<ColumnTable> kTables = test::made_tables();

TEST(Boost, SameTreesOnAnyNumberOfThreadsAndTarget) {
  const auto made = test::made_rows(12'000, 1);
  const auto validation = test::made_rows(700, 2);
  const BoostTask task{.columns = kTables, .training = made.view(), .validation = validation.view()};
  const BoostOptions options{.rounds = 8, .row_share = 0.8, .column_share = 0.7, .seed = 5};
  const BoostResult one = boost(task, options, Threads(1));
  for (const int threads : {2, 3, 8}) {
    const BoostResult many = boost(task, options, Threads(threads));
    EXPECT_EQ(many.trees, one.trees) << threads;
    EXPECT_EQ(many.validation_loss, one.validation_loss) << threads;
  }
  test::on_every_target([&] { EXPECT_EQ(boost(task, options, Threads(2)).trees, one.trees); });
}

TEST(Boost, LossFallsEveryRound) {
  for (const std::int32_t classes : {2, 3}) {
    const auto made = test::made_rows(3000, 3, classes);
    const BoostTask task{.classes = static_cast<std::size_t>(classes), .columns = kTables, .training = made.view()};
    const BoostResult result = boost(task, {.rounds = 20}, Threads(2));
    ASSERT_EQ(result.training_loss.size(), 21);
    EXPECT_TRUE(std::ranges::is_sorted(result.training_loss, std::greater<>()));
    EXPECT_LT(result.training_loss.back(), 0.6 * result.training_loss.front());
  }
  const auto made = test::made_rows(3000, 3);
  const BoostTask task{.loss = TreeLoss::regression, .columns = kTables, .training = made.view()};
  const BoostResult result = boost(task, {.rounds = 20}, Threads(2));
  EXPECT_TRUE(std::ranges::is_sorted(result.training_loss, std::greater<>()));
  EXPECT_LT(result.training_loss.back(), 0.4 * result.training_loss.front());
}

TEST(Boost, LossesAreThoseOfTheScores) {
  const auto made = test::made_rows(2000, 4);
  const auto validation = test::made_rows(500, 5);
  const BoostTask task{.columns = kTables, .training = made.view(), .validation = validation.view()};
  const BoostResult result = boost(task, {.rounds = 10}, Threads(1));
  ASSERT_EQ(result.trees.trees.size(), 10);
  const TreeScores scores = score(result.trees, validation.inputs.view(), Threads(1));
  double sum = 0;
  for (std::size_t r = 0; r < 500; ++r) {
    sum += std::log1p(std::exp(validation.labels[r] == 1 ? -double{scores(r, 0)} : double{scores(r, 0)}));
  }
  EXPECT_NEAR(result.validation_loss.back(), sum / 500, 1e-6);
}

TEST(Boost, ClassesPredictThemselves) {
  const auto made = test::made_rows(3000, 6, 3);
  const auto fresh = test::made_rows(1000, 7, 3);
  const BoostTask task{.classes = 3, .columns = kTables, .training = made.view()};
  const TreeScores scores = score(boost(task, {.rounds = 40}, Threads(2)).trees, fresh.inputs.view(), Threads(1));
  std::size_t right = 0;
  for (std::size_t r = 0; r < 1000; ++r) {
    const float* const row = scores.row(r);
    right += std::max_element(row, row + 3) - row == fresh.labels[r] ? 1 : 0;
  }
  EXPECT_GT(right, 650);
}

TEST(Boost, WeightsCountAsCopies) {
  auto made = test::made_rows(1500, 8);
  std::vector<std::size_t> copies;
  for (std::size_t r = 0; r < 1500; ++r) {
    made.weights.push_back(static_cast<float>(r % 3));
    copies.insert(copies.end(), r % 3, r);
  }
  test::MadeRows copied{Inputs(copies.size(), test::kMadeColumns), {}, {}};
  for (std::size_t i = 0; i < copies.size(); ++i) {
    std::copy_n(made.inputs.row(copies[i]), test::kMadeColumns, copied.inputs.row(i));
    copied.labels.push_back(made.labels[copies[i]]);
    copied.targets.push_back(made.targets[copies[i]]);
  }
  for (const TreeLoss loss : {TreeLoss::log_loss, TreeLoss::regression}) {
    const BoostTask weighted{.loss = loss, .columns = kTables, .training = made.view()};
    const BoostTask repeated{.loss = loss, .columns = kTables, .training = copied.view()};
    EXPECT_EQ(boost(weighted, {.rounds = 10}, Threads(1)).trees, boost(repeated, {.rounds = 10}, Threads(1)).trees);
  }
}

TEST(Boost, EarlyStoppingKeepsTheBestRound) {
  const auto made = test::made_rows(400, 9);
  const auto validation = test::made_rows(400, 10);
  const BoostTask task{.columns = kTables, .training = made.view(), .validation = validation.view()};
  const BoostOptions options{.rounds = 300, .patience = 10, .tree = {.min_rows = 2, .rate = 0.3}};
  const BoostResult result = boost(task, options, Threads(1));
  const auto& losses = result.validation_loss;
  const auto best = static_cast<std::size_t>(std::ranges::min_element(losses) - losses.begin());
  ASSERT_LT(best, 200);
  EXPECT_EQ(result.trees.trees.size(), best);
  EXPECT_EQ(losses.size(), best + 11);
  // The trees are those of a training that ends at this round.
  const BoostTask without{.columns = kTables, .training = made.view()};
  BoostOptions shorter = options;
  shorter.rounds = best;
  EXPECT_EQ(boost(without, shorter, Threads(1)).trees, result.trees);
}

TEST(Boost, EndsWhenItsCallerSaysSo) {
  const auto made = test::made_rows(400, 11);
  const BoostTask task{.columns = kTables, .training = made.view()};
  const auto result = boost(task, {.rounds = 50}, Threads(1),
                            [](const BoostResult& so_far) { return so_far.training_loss.size() < 5; });
  EXPECT_EQ(result.trees.trees.size(), 4);
}

TEST(Boost, NothingToSplitGivesNoTrees) {
  auto made = test::made_rows(15, 12);  // fewer than twice min_rows
  made.labels[0] = 0;
  made.labels[1] = 1;
  const BoostTask task{.columns = kTables, .training = made.view()};
  EXPECT_EQ(boost(task, {.rounds = 50}, Threads(1)).trees.trees.size(), 0);
}

TEST(Boost, OneClassAloneStaysFinite) {
  auto made = test::made_rows(300, 13);
  std::ranges::fill(made.labels, 1);
  const BoostTask task{.columns = kTables, .training = made.view()};
  const BoostedTrees trees = boost(task, {.rounds = 5}, Threads(1)).trees;
  EXPECT_EQ(problem_of(trees, kTables), "");
  EXPECT_GT(trees.start[0], 10);
}

TEST(Boost, HugeTargetsAndWeightsStayFinite) {
  auto made = test::made_rows(300, 14);
  for (float& target : made.targets) target *= 1e15F;
  made.weights.assign(300, 1e6F);
  const BoostTask task{.loss = TreeLoss::regression, .columns = kTables, .training = made.view()};
  const BoostedTrees trees = boost(task, {.rounds = 5}, Threads(1)).trees;
  EXPECT_EQ(problem_of(trees, kTables), "");
  EXPECT_EQ(trees.trees.size(), 5);
  made.weights.assign(300, 1e8F);
  EXPECT_THROW(boost({.columns = kTables, .training = made.view()}, {}, Threads(1)), DataError);
}

TEST(Boost, SeedsAndMembersDrawOtherRows) {
  const auto made = test::made_rows(1000, 15);
  const BoostTask task{.columns = kTables, .training = made.view()};
  const BoostOptions options{.rounds = 2, .row_share = 0.5};
  BoostOptions seed = options;
  seed.seed = 1;
  BoostOptions member = options;
  member.member = 1;
  const auto trees = boost(task, options, Threads(1)).trees;
  EXPECT_NE(trees, boost(task, seed, Threads(1)).trees);
  EXPECT_NE(trees, boost(task, member, Threads(1)).trees);
}

}  // namespace
}  // namespace perpend
