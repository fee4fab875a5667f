// Numbers are worked out by hand.
#include "perpend/study/select.h"

#include <gtest/gtest.h>

#include <cmath>

namespace perpend {
namespace {

TrialResult result(Method method, int restart, Metric validation, Metric test, std::optional<double> lambda = {},
                   int members = 5, SplitKind split = SplitKind::random) {
  TrialResult r;
  r.trial = {split, method, members, lambda, restart};
  r.validation_merit = validation;
  r.test.auc = test;
  return r;
}

TEST(Selection, TakesTheBestValidationAucNotTheBestTest) {
  const std::vector<TrialResult> results = {result(Method::lit, 0, 0.8, 0.99, 0.1),
                                            result(Method::lit, 0, 0.9, 0.7, 1)};
  const auto selected = select_by_validation(results);
  ASSERT_EQ(selected.size(), 1U);
  EXPECT_EQ(selected[0].trial.lambda, 1.0);
  EXPECT_EQ(selected[0].test.auc, 0.7);
}

TEST(Selection, IsMadeForEachSplitMethodAndRestart) {
  const std::vector<TrialResult> results = {
      result(Method::lit, 0, 0.8, 0.1, 0.1), result(Method::lit, 1, 0.7, 0.2, 0.1),
      result(Method::ncl, 0, 0.6, 0.3, 0.1), result(Method::lit, 0, 0.5, 0.4, 0.1, 5, SplitKind::extrapolation),
      result(Method::lit, 0, 0.7, 0.5, 1)};
  // The last is missing, because another lambda of the same split, method and restart beats it.
  EXPECT_EQ(select_by_validation(results), std::vector(results.begin(), results.begin() + 4));
}

TEST(Selection, GivesATieToTheEarlierTrial) {
  const std::vector<TrialResult> results = {result(Method::lit, 0, 0.9, 0.1, 0.3), result(Method::lit, 0, 0.9, 0.2, 1)};
  EXPECT_EQ(select_by_validation(results)[0].trial.lambda, 0.3);
}

TEST(Selection, PassesOverDivergedTrialsAndUndefinedAucs) {
  TrialResult diverged = result(Method::lit, 0, {}, {}, 10);
  diverged.status = TrialStatus::diverged;
  const auto undefined = result(Method::lit, 0, {}, 0.5, 3);
  const auto poor = result(Method::lit, 0, 0.1, 0.6, 1);
  EXPECT_EQ(select_by_validation(std::vector{diverged, undefined, poor})[0].trial.lambda, 1.0);
  EXPECT_EQ(select_by_validation(std::vector{diverged, undefined})[0].trial.lambda, 3.0);
  const auto nothing = select_by_validation(std::vector{diverged});
  ASSERT_EQ(nothing.size(), 1U);
  const auto splits = summarize_splits(nothing);
  EXPECT_EQ(splits[0].methods[0].auc.undefined, 1U);
  EXPECT_FALSE(splits[0].winner);
}

TEST(Summary, HasMeanSdAndStandardErrorAndSkipsUndefined) {
  const std::vector<Metric> values = {1, 2, std::nullopt, 3, 6};
  const Summary summary = summarize(values);
  EXPECT_EQ(summary.count, 4U);
  EXPECT_EQ(summary.undefined, 1U);
  EXPECT_DOUBLE_EQ(*summary.mean, 3);
  EXPECT_DOUBLE_EQ(*summary.sd, std::sqrt(14.0 / 3));
  EXPECT_DOUBLE_EQ(*summary.standard_error, std::sqrt(14.0 / 12));
  // For 3 degrees of freedom, t is 3.182.
  EXPECT_NEAR(interval_95(summary)->low, 3 - 3.182 * 1.0801234, 1e-6);
  EXPECT_NEAR(interval_95(summary)->high, 3 + 3.182 * 1.0801234, 1e-6);
}

TEST(Summary, OfOneValueHasNoSdAndOfNoneNoMean) {
  const std::vector<Metric> one = {0.5};
  EXPECT_EQ(summarize(one).mean, 0.5);
  EXPECT_FALSE(summarize(one).sd);
  EXPECT_FALSE(interval_95(summarize(one)));
  EXPECT_FALSE(summarize({}).mean);
}

TEST(Best, IsWhoseMeanAndStandardErrorReachTheBestOnes) {
  // The means and standard errors are: lit .9 and .009, ncl .888 and .005, ace .88 and 0.
  const std::vector<TrialResult> selected = {result(Method::ace, 0, 1, 0.88),  result(Method::ace, 1, 1, 0.88),
                                             result(Method::ncl, 0, 1, 0.883), result(Method::ncl, 1, 1, 0.893),
                                             result(Method::lit, 0, 1, 0.891), result(Method::lit, 1, 1, 0.909)};
  const auto splits = summarize_splits(selected);
  ASSERT_EQ(splits.size(), 1U);
  ASSERT_EQ(splits[0].methods.size(), 3U);
  EXPECT_FALSE(splits[0].methods[0].best);  // .9 - .009 > .88
  EXPECT_TRUE(splits[0].methods[1].best);   // .9 - .009 <= .888 + .005
  EXPECT_TRUE(splits[0].methods[2].best);
  EXPECT_EQ(splits[0].winner, Method::lit);
  EXPECT_EQ(splits[0].over_second->over, Method::ncl);
  EXPECT_FALSE(splits[0].over_restarts);
}

TEST(Lead, IsPairedByRestart) {
  // Restarts differ by .1, methods by .02, .03, .04: paired, the lead is .03 +- 4.303 * .01 / sqrt(3) = .0248.
  const std::vector<TrialResult> selected = {result(Method::restarts, 0, 1, 0.60), result(Method::restarts, 1, 1, 0.70),
                                             result(Method::restarts, 2, 1, 0.80), result(Method::lit, 2, 1, 0.84),
                                             result(Method::lit, 0, 1, 0.62),      result(Method::lit, 1, 1, 0.73)};
  const Lead found = lead(selected, SplitKind::random, Method::lit, Method::restarts);
  EXPECT_NEAR(*found.difference.mean, 0.03, 1e-12);
  EXPECT_NEAR(found.interval->low, 0.03 - 4.303 * 0.01 / std::sqrt(3.0), 1e-12);
  EXPECT_NEAR(found.interval->high, 0.03 + 4.303 * 0.01 / std::sqrt(3.0), 1e-12);
  EXPECT_TRUE(found.more_than_noise());
  EXPECT_EQ(summarize_splits(selected)[0].over_restarts->over, Method::restarts);
}

TEST(Lead, OfOneRestartOrOfNothingIsNoMoreThanNoise) {
  const std::vector<TrialResult> one = {result(Method::restarts, 0, 1, 0.6), result(Method::lit, 0, 1, 0.9)};
  EXPECT_FALSE(lead(one, SplitKind::random, Method::lit, Method::restarts).more_than_noise());
  const std::vector<TrialResult> same = {result(Method::restarts, 0, 1, 1), result(Method::restarts, 1, 1, 1),
                                         result(Method::lit, 0, 1, 1), result(Method::lit, 1, 1, 1)};
  EXPECT_FALSE(lead(same, SplitKind::random, Method::lit, Method::restarts).more_than_noise());
}

TEST(Table, ShowsTheChoiceMadeMostOften) {
  const std::vector<TrialResult> selected = {result(Method::lit, 0, 1, 1, 3.0), result(Method::lit, 1, 1, 1, 0.1),
                                             result(Method::lit, 2, 1, 1, 3.0), result(Method::ncl, 0, 1, 1, 0.9, 13),
                                             result(Method::ncl, 1, 1, 1, 0.3, 2)};
  const auto methods = summarize_splits(selected)[0].methods;
  EXPECT_EQ(methods[0].lambda, 3.0);
  EXPECT_EQ(methods[1].lambda, 0.3);
  EXPECT_EQ(methods[1].members, 2);
}

}  // namespace
}  // namespace perpend
