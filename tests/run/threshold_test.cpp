#include "perpend/run/threshold.h"

#include <gtest/gtest.h>

#include "perpend/base/random.h"
#include "perpend/evaluate/metrics.h"

namespace perpend {
namespace {

Aim aim(const std::string& text) { return parse_aim(text).value(); }

// Ten rows, of which those at 0.2, 0.5, 0.7, 0.8 and 0.9 are positive.
const std::vector<double> kSaid = {0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
const std::vector<std::int32_t> kLabels = {0, 0, 1, 0, 0, 1, 0, 1, 1, 1};

ThresholdCounts reached(const std::string& text) {
  return count_at(choose_threshold(aim(text), kSaid, kLabels), kSaid, kLabels);
}

TEST(Threshold, ReadsWhatItWrites) {
  for (const char* text : {"0.3", "f1", "recall=0.9", "recall=1", "precision=0.75", "cost=1:5", "cost=0.5:20"}) {
    ASSERT_TRUE(parse_aim(text).has_value()) << text;
    EXPECT_EQ(text_of(aim(text)), text);
  }
}

TEST(Threshold, RefusesWhatIsNoAim) {
  for (const char* text :
       {"",        "0",       "1",        "-0.1",      "1.5",        "nan",        "inf",          "0.3x",
        "f2",      "recall",  "recall=",  "recall=0",  "recall=1.1", "recall=nan", "precision=-1", "cost=1",
        "cost=1:", "cost=:1", "cost=0:1", "cost=1:-1", "cost=1:inf", "cost=1:2:3", "accuracy=0.9"}) {
    EXPECT_FALSE(parse_aim(text).has_value()) << text;
  }
}

TEST(Threshold, ANumberIsTaken) { EXPECT_EQ(choose_threshold(aim("0.3"), kSaid, kLabels), 0.3); }

TEST(Threshold, RecallIsReachedWithTheLargestPrecision) {
  EXPECT_NEAR(choose_threshold(aim("recall=0.8"), kSaid, kLabels), 0.45, 1e-15);
  EXPECT_EQ(reached("recall=0.8").true_positives, 4U);
  EXPECT_EQ(reached("recall=0.8").false_positives, 1U);
  EXPECT_EQ(reached("recall=1").false_positives, 3U);
  EXPECT_EQ(reached("recall=0.1").precision(), 1.0);
  EXPECT_EQ(reached("recall=0.1").true_positives, 3U);  // of equal precisions, the one with the largest recall
}

TEST(Threshold, PrecisionIsReachedWithTheLargestRecall) {
  EXPECT_EQ(reached("precision=0.8").true_positives, 4U);
  EXPECT_EQ(reached("precision=1").true_positives, 3U);
  EXPECT_EQ(reached("precision=0.1").recall(), 1.0);
}

TEST(Threshold, CostsMoveTheLine) {
  EXPECT_EQ(reached("cost=1:100").false_negatives, 0U);
  EXPECT_EQ(reached("cost=100:1").false_positives, 0U);
  EXPECT_EQ(
      mean_cost(
          aim("cost=2:3"),
          {.threshold = 0.5, .true_positives = 1, .false_positives = 2, .false_negatives = 3, .true_negatives = 4}),
      1.3);
  EXPECT_EQ(mean_cost(aim("f1"), ThresholdCounts()), std::nullopt);
}

TEST(Threshold, TellsWhatWasNotReached) {
  const std::vector<double> said = {0.4, 0.6};
  const std::vector<std::int32_t> turned = {1, 0};
  const Aim asked = aim("precision=0.9");
  const double chosen = choose_threshold(asked, said, turned);
  EXPECT_FALSE(is_reached(asked, count_at(chosen, said, turned)));
  EXPECT_EQ(count_at(chosen, said, turned).precision(), 0.5);
  EXPECT_TRUE(is_reached(aim("recall=0.8"), reached("recall=0.8")));
}

TEST(Threshold, OfAnyProbabilitiesIsBetweenZeroAndOne) {
  for (const auto& said : {std::vector<double>{0, 0}, {1, 1}, {0, 1}, {1, 0}, {0.5, 0.5}}) {
    for (const char* text : {"f1", "recall=0.9", "precision=0.9", "cost=1:5"}) {
      const double chosen = choose_threshold(aim(text), said, std::vector<std::int32_t>{0, 1});
      EXPECT_GT(chosen, 0);
      EXPECT_LT(chosen, 1);
    }
  }
}

// Compares with every threshold of a fine grid.
TEST(Threshold, NoOtherIsBetter) {
  const Stream stream({.seed = 1, .purpose = Purpose::test, .member = 0, .step = 0});
  std::vector<double> said;
  std::vector<std::int32_t> labels;
  for (std::uint64_t i = 0; i < 200; ++i) {
    said.push_back(stream.uniform(2 * i));
    labels.push_back(stream.uniform(2 * i + 1) < static_cast<float>(said.back()) ? 1 : 0);
  }
  const auto at = [&](double threshold) { return count_at(threshold, said, labels); };
  const ThresholdCounts f1 = at(choose_threshold(aim("f1"), said, labels));
  const ThresholdCounts recall = at(choose_threshold(aim("recall=0.9"), said, labels));
  const Aim costs = aim("cost=1:4");
  const ThresholdCounts cost = at(choose_threshold(costs, said, labels));
  EXPECT_GE(recall.recall(), 0.9);
  for (int i = 1; i < 2000; ++i) {
    const ThresholdCounts other = at(i / 2000.0);
    EXPECT_LE(other.f1().value_or(0), f1.f1());
    EXPECT_GE(mean_cost(costs, other), mean_cost(costs, cost));
    if (other.recall() >= 0.9) {
      EXPECT_LE(other.precision(), recall.precision());
    }
  }
}

}  // namespace
}  // namespace perpend
