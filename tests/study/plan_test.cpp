#include "perpend/study/plan.h"

#include <gtest/gtest.h>

namespace perpend {
namespace {

// 100 training rows and 10 epochs give 1000 row visits per member.
struct Plan : testing::Test {
  Plan() {
    options.train.epochs = 10;
    data.resize(1);
    data[0].prepared.train.inputs = Inputs(100, 1);
    data[0].prepared.train.labels.assign(100, 0);
  }
  RunOptions options;
  std::vector<TrialData> data;
  std::vector<Trial> trials = {{SplitKind::random, Method::restarts, 2, std::nullopt, 0},
                               {SplitKind::random, Method::bagging, 2, std::nullopt, 0},
                               {SplitKind::random, Method::ncl, 6, 0.5, 0}};
};

TEST_F(Plan, ExpectsTheEvenShareOfAThreadAndNoLessThanTheLongestTrial) {
  EXPECT_DOUBLE_EQ(expected_seconds(data, options, trials, 1, 0.001), 10);
  EXPECT_DOUBLE_EQ(expected_seconds(data, options, trials, 2, 0.001), 6);
}

TEST_F(Plan, LeavesEpochsAloneThatFit) {
  EXPECT_EQ(cut_epochs(data, options, trials, 1, 0.001, 10), 1);
  EXPECT_FALSE(data[0].epochs);
}

TEST_F(Plan, CutsEpochsToTheBudgetButLeavesOne) {
  EXPECT_DOUBLE_EQ(cut_epochs(data, options, trials, 1, 0.001, 5), 0.5);
  EXPECT_EQ(data[0].epochs, 5);
  cut_epochs(data, options, trials, 1, 0.001, -1);
  EXPECT_EQ(data[0].epochs, 1);
}

TEST_F(Plan, NeverAddsEpochsToAnUntrainedModel) {
  options.train.epochs = 0;
  cut_epochs(data, options, 0.5);
  EXPECT_EQ(data[0].epochs, 0);
}

}  // namespace
}  // namespace perpend
