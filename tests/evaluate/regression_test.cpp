// Metrics of predicted numbers, worked out by hand; the shares of a blend; the weighted median.
#include "perpend/evaluate/regression.h"

#include <gtest/gtest.h>

#include <cmath>

#include "perpend/base/quantile.h"
#include "perpend/base/random.h"
#include "perpend/evaluate/blend.h"

namespace perpend {
namespace {

using Members = Matrix<double, axis::Member, axis::Row>;

Members members_of(const std::vector<std::vector<double>>& rows) {
  Members members(rows.size(), rows[0].size());
  for (std::size_t m = 0; m < rows.size(); ++m) {
    for (std::size_t r = 0; r < rows[m].size(); ++r) members(m, r) = rows[m][r];
  }
  return members;
}

TEST(NumberScores, AreThoseOfTheDefinitions) {
  const std::vector<double> targets = {1, 2, 6};
  const std::vector<double> predictions = {2, 2, 4};
  const Scores scores = score_numbers(predictions, targets, {});
  EXPECT_TRUE(scores.regression);
  EXPECT_DOUBLE_EQ(*scores.rmse, std::sqrt(5.0 / 3));
  EXPECT_DOUBLE_EQ(*scores.mae, 1);
  EXPECT_DOUBLE_EQ(*scores.r2, 1 - 5.0 / 14);
  EXPECT_DOUBLE_EQ(*scores.loss, 5.0 / 3);
  // A prediction that is too low by 2 costs 0.9 times 2. One that is too high by 1 costs 0.1.
  const RegressionLoss ninety{RegressionLoss::Kind::quantile, 0.9};
  EXPECT_DOUBLE_EQ(*score_numbers(predictions, targets, ninety).loss, (0.1 * 1 + 0.9 * 2) / 3);
  EXPECT_FALSE(score_numbers(std::vector<double>{1, 2}, std::vector<double>{3, 3}, {}).r2);
}

TEST(NumberScores, TheAmbiguityIsWhatTheEnsembleGains) {
  const Stream stream({.seed = 1, .purpose = Purpose::test, .member = 0, .step = 0});
  Members members(3, 50);
  std::vector<double> targets;
  for (std::size_t r = 0; r < members.cols(); ++r) {
    targets.push_back(stream.normal(4 * r));
    for (std::size_t m = 0; m < 3; ++m) members(m, r) = targets.back() + stream.normal(4 * r + m + 1);
  }
  const Decision decision{Rule::mean, {0.5, 0.3, 0.2}};
  const Evaluation found = evaluate_numbers(decision, members.view(), targets, {});
  double mean_error = 0;
  for (std::size_t m = 0; m < 3; ++m) mean_error += decision.weights[m] * *found.members[m].loss;
  EXPECT_NEAR(*found.loss, mean_error - *found.ambiguity, 1e-12);
}

TEST(NumberScores, ErrorsCorrelateAsPearsonSays) {
  // Errors 1, -1, 2 and 2, -2, 4 differ only in size. -1, 1, -2 are the opposite.
  const std::vector<double> targets = {0, 0, 0};
  const Evaluation alike = evaluate_numbers(equal_mean(2), members_of({{1, -1, 2}, {2, -2, 4}}).view(), targets, {});
  EXPECT_NEAR(*alike.rho_av, 1, 1e-12);
  const Evaluation apart = evaluate_numbers(equal_mean(2), members_of({{1, -1, 2}, {-1, 1, -2}}).view(), targets, {});
  EXPECT_NEAR(*apart.rho_av, -1, 1e-12);
  EXPECT_DOUBLE_EQ(*apart.rmse, 0);
}

TEST(WeightedQuantile, IsTheLeastNumberWithEnoughWeightBelow) {
  const std::vector<double> numbers = {3, 1, 2, 10};
  EXPECT_EQ(weighted_quantile(numbers, {}, 0.5), 2);
  EXPECT_EQ(weighted_quantile(numbers, std::vector<double>{0, 0, 1, 5}, 0.5), 10);
  EXPECT_EQ(weighted_quantile(numbers, std::vector<double>{1, 1, 1, 0}, 1.0), 3);
}

TEST(Combine, AMedianIgnoresAWildMemberThatHasLessThanHalfOfTheSay) {
  const Members members = members_of({{1}, {2}, {900}});
  EXPECT_EQ(combine({Rule::median, {0.3, 0.3, 0.4}}, members.view())[0], 2);
  EXPECT_NEAR(combine({Rule::mean, {0.3, 0.3, 0.4}}, members.view())[0], 360.9, 1e-9);
}

TEST(Blend, MovesToTheBetterSourceAndIsHeldByThePull) {
  const Stream stream({.seed = 2, .purpose = Purpose::test, .member = 0, .step = 0});
  Members sources(2, 200);
  std::vector<double> targets;
  for (std::size_t r = 0; r < sources.cols(); ++r) {
    targets.push_back(stream.normal(3 * r));
    sources(0, r) = targets.back() + 0.1 * stream.normal(3 * r + 1);
    sources(1, r) = targets.back() + 2 * stream.normal(3 * r + 2);
  }
  const std::vector<double> usual = {0.5, 0.5};
  for (const RegressionLoss loss : {RegressionLoss{}, RegressionLoss{RegressionLoss::Kind::absolute}}) {
    const auto free = blended_shares(sources.view(), targets, {}, loss, usual, 0.01);
    const auto held = blended_shares(sources.view(), targets, {}, loss, usual, 1e6);
    EXPECT_GT(free[0], 0.98);
    EXPECT_NEAR(held[0], 0.5, 0.01);
    EXPECT_NEAR(free[0] + free[1], 1, 1e-12);
  }
}

TEST(Blend, OfOneBlendIsTheMinimumOfItsCost) {
  // The mean of two opposed sources has no noise, so equal shares are best, whatever the usual ones are.
  Members sources(2, 100);
  std::vector<double> targets(100, 0);
  for (std::size_t r = 0; r < 100; ++r) {
    sources(0, r) = r % 2 == 0 ? 1 : -1;
    sources(1, r) = -sources(0, r);
  }
  const std::vector<double> usual = {0.9, 0.1};
  EXPECT_NEAR(blended_shares(sources.view(), targets, {}, {}, usual, 1e-3)[0], 0.5, 1e-3);
}

TEST(ResidualSpread, AnIntervalHoldsTheShareThatIsAskedFor) {
  ResidualSpread spread{.rows = 99, .rmse = 1, .percentiles = {}};
  for (int i = 0; i <= 100; ++i) spread.percentiles.push_back(i / 10.0);
  EXPECT_NEAR(spread.half_width(0.9), 9 * 100.0 / 99, 1e-9);  // the conformal quantile is a little wider
  EXPECT_DOUBLE_EQ(spread.half_width(0.999), 10);
}

}  // namespace
}  // namespace perpend
