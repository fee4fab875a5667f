#include "perpend/train/subspaces.h"

#include <gtest/gtest.h>

#include <set>

#include "perpend/base/error.h"
#include "perpend/model/predict.h"
#include "perpend/train/train.h"
#include "tests/support/data.h"
#include "tests/support/ensembles.h"

namespace perpend {
namespace {

TrainOptions small_subspaces() {
  TrainOptions options;
  options.method = Method::subspaces;
  options.members = 4;
  options.hidden = {17};
  options.batch_size = 20;
  options.epochs = 4;
  options.seed = 5;
  options.threads = 1;
  return options;
}

// A table that has only the columns that member m sees.
Dataset seen_by(const Dataset& data, std::size_t m) {
  const auto seen = subspace_columns(5, m, data.inputs.cols());
  Dataset own = data;
  own.inputs = Inputs(data.rows(), seen.size());
  own.columns.clear();
  for (std::size_t i = 0; i < seen.size(); ++i) {
    for (std::size_t r = 0; r < data.rows(); ++r) own.inputs(r, i) = data.inputs(r, seen[i]);
    if (!data.columns.empty()) own.columns.push_back(data.columns[seen[i]]);
  }
  return own;
}

TEST(SubspaceColumns, AreARandomHalfAndEachMembersOwn) {
  std::set<std::vector<std::uint32_t>> drawn;
  std::vector<int> times(9, 0);
  for (std::size_t m = 0; m < 400; ++m) {
    const auto columns = subspace_columns(3, m, 9);
    ASSERT_EQ(columns.size(), 5U);
    EXPECT_EQ(std::set(columns.begin(), columns.end()).size(), 5U);
    for (const auto c : columns) ++times.at(c);
    drawn.insert(columns);
  }
  EXPECT_GT(drawn.size(), 100U) << "of 126 there are";
  for (const int count : times) EXPECT_NEAR(count, 400 * 5 / 9.0, 50);
  EXPECT_EQ(subspace_columns(3, 0, 1), std::vector<std::uint32_t>{0});
}

// In every view, a member must give each row the same score, whatever the other columns hold.
TEST(Subspaces, AMemberDoesNotSeeTheOtherColumns) {
  for (const bool has_views : {false, true}) {
    const Dataset data = has_views ? test::mixed_data(60, 9, 4) : test::normal_data(60, 9, 4);
    TrainOptions options = small_subspaces();
    if (has_views) options.views = {View::linear, View::piecewise};
    const Ensemble ensemble = train({.train = &data}, options).ensemble;
    const auto before = member_scores(ensemble, data.inputs.view(), Threads(1));
    for (std::size_t m = 0; m < 4; ++m) {
      Inputs other = data.inputs;
      const auto seen = subspace_columns(options.seed, m, 9);
      for (std::uint32_t c = 0; c < 9; ++c) {
        if (std::ranges::find(seen, c) != seen.end()) continue;
        for (std::size_t r = 0; r < 60; ++r) other(r, c) = data.inputs(59 - r, c);
      }
      const auto after = member_scores(ensemble, other.view(), Threads(1));
      for (std::size_t r = 0; r < 60; ++r) EXPECT_EQ(after[m](r, 0), before[m](r, 0)) << has_views << m;
      EXPECT_NE(after[(m + 1) % 4](0, 0), before[(m + 1) % 4](0, 0));
    }
  }
}

// Writes out what a member is: a restart on a table of its own columns.
TEST(Subspaces, AMemberIsARestartOnItsColumns) {
  for (const bool has_views : {false, true}) {
    const Dataset data = has_views ? test::mixed_data(60, 9, 4) : test::normal_data(60, 9, 4);
    TrainOptions options = small_subspaces();
    options.dropout = 0;
    options.shuffle = false;
    if (has_views) options.views = {View::piecewise};
    TrainOptions none = options;
    none.epochs = 0;
    const Ensemble first = train({.train = &data}, none).ensemble;
    const Ensemble ensemble = train({.train = &data}, options).ensemble;
    TrainOptions alone = options;
    alone.method = Method::restarts;
    alone.members = 1;
    for (std::size_t m = 0; m < 4; ++m) {
      const Dataset own = seen_by(data, m);
      none.method = Method::restarts;
      none.members = 1;
      Ensemble start = train({.train = &own}, none).ensemble;
      start.members[0].layers[1] = first.members[m].layers[1];
      auto& weight = start.members[0].layers[0].weight;
      std::size_t row = 0;  // the rows of the first weights that are not 0 are those of its columns
      for (std::size_t i = 0; i < first.members[m].layers[0].weight.rows(); ++i) {
        const float* from = first.members[m].layers[0].weight.row(i);
        if (std::all_of(from, from + 17, [](float w) { return w == 0; })) continue;
        std::copy_n(from, 17, weight.row(row++));
      }
      ASSERT_EQ(row, weight.rows());
      const Ensemble restart = train({.train = &own, .initial = &start}, alone).ensemble;
      const auto expected = member_scores(restart, own.inputs.view(), Threads(1));
      const auto found = member_scores(ensemble, data.inputs.view(), Threads(1));
      for (std::size_t r = 0; r < 60; ++r) EXPECT_NEAR(found[m](r, 0), expected[0](r, 0), 1e-5) << has_views << m;
    }
  }
}

TEST(Subspaces, ThreadsDoNotChangeABit) {
  for (const int classes : {2, 3}) {
    const Dataset data = test::normal_data(130, 7, 8, classes);
    TrainOptions options = small_subspaces();
    const auto alone = test::flat(train({.train = &data}, options).ensemble);
    for (const int threads : {2, 3}) {
      options.threads = threads;
      EXPECT_EQ(test::flat(train({.train = &data}, options).ensemble), alone) << classes << ' ' << threads;
    }
  }
}

TEST(Subspaces, StopEarlyOnTheirOwnColumnsOfTheValidationRows) {
  const Dataset data = test::mixed_data(200, 6, 4);
  Dataset validation = test::mixed_data(80, 6, 5);
  validation.columns = data.columns;
  TrainOptions options = small_subspaces();
  options.views = {View::linear, View::piecewise, View::logistic, View::trees};
  options.members = 6;
  options.early_stopping = 2;
  options.epochs = 40;
  const TrainResult result = train({.train = &data, .validation = &validation}, options);
  EXPECT_EQ(result.ensemble.members.size(), 6U);
  EXPECT_TRUE(result.ensemble.has_trees());
  EXPECT_EQ(result.decision, equal_mean(6));
  for (const auto& record : result.log.epochs) EXPECT_EQ(record.fit.size(), 1U);
}

TEST(Subspaces, GoOnFromWeightsOfTheSameSeedAlone) {
  const Dataset data = test::normal_data(50, 8, 8);
  TrainOptions options = small_subspaces();
  const Ensemble first = train({.train = &data}, options).ensemble;
  EXPECT_NE(test::flat(train({.train = &data, .initial = &first}, options).ensemble), test::flat(first));
  options.seed = 6;
  EXPECT_THROW(train({.train = &data, .initial = &first}, options), ConfigError);
}

}  // namespace
}  // namespace perpend
