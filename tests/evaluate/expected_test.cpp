#include "perpend/evaluate/expected.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/evaluate/trust_rows.h"

namespace perpend {
namespace {

using test::made_up;
using test::MadeUpRow;

// Half of the rows have a probability of 0.9 and half of 0.1; one in ten is wrong.
LabelledAnswers home_rows(double disagreement) {
  std::vector<MadeUpRow> rows;
  for (int r = 0; r < 200; ++r) {
    const bool positive = r % 2 == 0;
    rows.push_back({positive ? .9 : .1, disagreement, (r % 20 < 2) != positive ? 1 : 0});
  }
  return made_up(rows);
}

TEST(ExpectedPerformance, IsThatAtHomeOnLikeRows) {
  const ExpectedPerformance found = expected_performance(home_rows(.1), home_rows(.1).answers);
  EXPECT_EQ(found.more_disagreement, 0);
  EXPECT_EQ(found.moved, 0);
  EXPECT_NEAR(found.accuracy->mid, .9, 1e-12);
  const double loss = -.9 * std::log(.9) - .1 * std::log(.1);
  EXPECT_NEAR(found.log_loss->mid, loss, 1e-12);
  EXPECT_NEAR(*found.home_log_loss, loss, 1e-12);
  // 21 of 202 rows, twice 200 rows.
  const double share = 21.0 / 202;
  EXPECT_NEAR(found.accuracy->high - found.accuracy->mid, 2.0 * std::sqrt(share * (1 - share) / 100), 1e-12);
  EXPECT_TRUE(found.reason.empty());
}

TEST(ExpectedPerformance, FallsAsMembersDisagreeMore) {
  const ExpectedPerformance found = expected_performance(home_rows(.1), home_rows(.15).answers);
  EXPECT_NEAR(found.more_disagreement, .05, 1e-12);
  EXPECT_NEAR(found.accuracy->mid, .9 - 2.1 * .05, 1e-12);
  EXPECT_NEAR(found.auc->mid, *found.home_auc - 1.8 * .05, 1e-12);
  EXPECT_NEAR(found.log_loss->mid, *found.home_log_loss + 3.8 * .05, 1e-12);
  const ExpectedPerformance like = expected_performance(home_rows(.1), home_rows(.1).answers);
  EXPECT_GT(found.accuracy->high - found.accuracy->low, like.accuracy->high - like.accuracy->low);
}

// All of 200 rows are at 0.9, and half of those at home are at 0.1. So the distance is 1/2, less what chance gives.
TEST(ExpectedPerformance, FallsAsProbabilitiesMove) {
  const LabelledAnswers moved = made_up(std::vector<MadeUpRow>(200, {.9, .1, 1}));
  const ExpectedPerformance found = expected_performance(home_rows(.1), moved.answers);
  EXPECT_NEAR(found.moved, .5 - .8687 * .1, 1e-12);
  EXPECT_NEAR(found.accuracy->mid, .9 - .3 * found.moved, 1e-12);
}

TEST(ExpectedPerformance, StaysAboveChance) {
  const ExpectedPerformance found = expected_performance(home_rows(0), home_rows(.5).answers);
  EXPECT_EQ(found.accuracy->mid, .5);
  EXPECT_EQ(found.accuracy->low, .5);
  EXPECT_EQ(found.auc->mid, .5);
}

TEST(ExpectedPerformance, SaysWhyThereIsNone) {
  EXPECT_FALSE(expected_performance(LabelledAnswers{}, home_rows(.1).answers).accuracy.has_value());
  EXPECT_NE(expected_performance(LabelledAnswers{}, home_rows(.1).answers).reason, "");
  EXPECT_EQ(expected_performance(home_rows(.1), Answers(0, 1, 2, false)).reason, "there are no rows");
}

TEST(ExpectedPerformance, HasNoAucWhereHomeHasOneClass) {
  const LabelledAnswers home = made_up(std::vector<MadeUpRow>(30, {.9, .1, 1}));
  const ExpectedPerformance found = expected_performance(home, home.answers);
  EXPECT_FALSE(found.auc.has_value());
  EXPECT_EQ(found.accuracy->mid, 1);
  EXPECT_LT(found.accuracy->low, 1);
}

}  // namespace
}  // namespace perpend
