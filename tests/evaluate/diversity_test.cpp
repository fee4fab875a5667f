#include "perpend/evaluate/diversity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "perpend/base/error.h"

namespace perpend {
namespace {

// Ten rows. Wrong: first member 1 2 3, second member 3 4. So n11 = 6, n10 = 1, n01 = 2, n00 = 1.
const ErrorFlags kFirst = {1, 1, 1, 0, 0, 0, 0, 0, 0, 0};
const ErrorFlags kSecond = {0, 0, 1, 1, 0, 0, 0, 0, 0, 0};
const ErrorFlags kPerfect(10, 0);
const ErrorFlags kHopeless(10, 1);

TEST(PairCounts, AreTheFourCells) {
  const PairCounts c = count_pair(kFirst, kSecond);
  EXPECT_EQ(c.both_right, 6U);
  EXPECT_EQ(c.first_right, 1U);
  EXPECT_EQ(c.second_right, 2U);
  EXPECT_EQ(c.both_wrong, 1U);
}

TEST(Diversity, OfAPairByHand) {
  // rho = (6*1 - 1*2) / sqrt(7*3*8*2) = 4 / sqrt(336); Q = 4 / 8; disagreement 3/10; a = (.7 + .8) / 2 = .75;
  // kappa = 1 - .3 / (2 * .75 * .25) = .2.
  const std::vector<ErrorFlags> members = {kFirst, kSecond};
  const Diversity d = diversity(members);
  ASSERT_EQ(d.pairs.size(), 1U);
  EXPECT_DOUBLE_EQ(*d.rho.mean, 4 / std::sqrt(336.0));
  EXPECT_DOUBLE_EQ(*d.q.mean, 0.5);
  EXPECT_DOUBLE_EQ(*d.disagreement.mean, 0.3);
  EXPECT_DOUBLE_EQ(*d.double_fault.mean, 0.1);
  EXPECT_NEAR(*d.kappa, 0.2, 1e-15);
}

TEST(Diversity, OfEqualMembersIsExactlyOne) {
  const std::vector<ErrorFlags> members = {kFirst, kFirst};
  const Diversity d = diversity(members);
  EXPECT_EQ(d.rho.mean, 1.0);
  EXPECT_EQ(d.q.mean, 1.0);
  EXPECT_EQ(d.kappa, 1.0);
  EXPECT_EQ(d.disagreement.mean, 0.0);
}

TEST(Diversity, OfOppositeMembersIsExactlyMinusOne) {
  ErrorFlags opposite = kFirst;
  for (auto& e : opposite) e = 1 - e;
  const PairCounts c = count_pair(kFirst, opposite);
  EXPECT_EQ(error_correlation(c), -1.0);
  EXPECT_EQ(yule_q(c), -1.0);
}

TEST(Diversity, AMemberWithoutErrorsHasNoCorrelation) {
  EXPECT_EQ(error_correlation(count_pair(kFirst, kPerfect)), std::nullopt);
  EXPECT_EQ(error_correlation(count_pair(kHopeless, kFirst)), std::nullopt);
  EXPECT_EQ(yule_q(count_pair(kFirst, kPerfect)), 0.0);  // the numerator is 0, and the denominator too
}

TEST(Diversity, AveragesSkipAndCountUndefinedPairs) {
  const std::vector<ErrorFlags> members = {kFirst, kPerfect, kSecond};
  const Diversity d = diversity(members);
  EXPECT_DOUBLE_EQ(*d.rho.mean, 4 / std::sqrt(336.0));
  EXPECT_EQ(d.rho.undefined, 2U);
  EXPECT_DOUBLE_EQ(*d.q.mean, 0.5 / 3);
  EXPECT_EQ(d.q.undefined, 0U);
}

TEST(Diversity, OfOneMemberIsUndefined) {
  const std::vector<ErrorFlags> members = {kFirst};
  const Diversity d = diversity(members);
  EXPECT_TRUE(d.pairs.empty());
  EXPECT_EQ(d.rho.mean, std::nullopt);
  EXPECT_EQ(d.q.mean, std::nullopt);
  EXPECT_EQ(d.disagreement.mean, std::nullopt);
  EXPECT_EQ(d.kappa, std::nullopt);
}

TEST(Diversity, KappaOfFaultlessMembersIsUndefined) {
  const std::vector<ErrorFlags> perfect = {kPerfect, kPerfect};
  EXPECT_EQ(diversity(perfect).kappa, std::nullopt);
  const std::vector<ErrorFlags> hopeless = {kHopeless, kHopeless};
  EXPECT_EQ(diversity(hopeless).kappa, std::nullopt);
}

TEST(Diversity, WithoutRowsIsUndefined) {
  const std::vector<ErrorFlags> members(2);
  const Diversity d = diversity(members);
  EXPECT_EQ(d.q.mean, std::nullopt);
  EXPECT_EQ(d.disagreement.mean, std::nullopt);
  EXPECT_EQ(d.q.undefined, 1U);
}

TEST(SquaredCosine, ByHand) {
  const std::vector<float> g = {3, 4};
  const std::vector<float> h = {4, 3};
  EXPECT_DOUBLE_EQ(squared_cosine(g, h), 576 / (625 + 1e-8));
  EXPECT_EQ(squared_cosine(g, std::vector<float>{-4, 3}), 0.0);
  EXPECT_NEAR(squared_cosine(g, std::vector<float>{-3, -4}), 1, 1e-10);
}

TEST(SquaredCosine, OfZeroGradientsIsZero) {
  const std::vector<float> zero = {0, 0};
  EXPECT_EQ(squared_cosine(zero, zero), 0.0);
  EXPECT_EQ(squared_cosine(zero, std::vector<float>{1, 2}), 0.0);
}

TEST(SquaredCosine, ShortGradientsFeelTheConstant) {
  const std::vector<float> g = {1e-2F, 0};
  EXPECT_NEAR(squared_cosine(g, g), 0.5, 1e-6);
}

TEST(GradientDiversity, AveragesRowsThenPairs) {
  Inputs a(2, 2);
  Inputs b(2, 2);
  Inputs c(2, 2);
  a(0, 0) = a(1, 0) = 100;  // along x
  b(0, 0) = b(0, 1) = 100;  // row 0 at 45 degrees, row 1 along y
  b(1, 1) = 100;
  c(0, 1) = c(1, 1) = 100;  // along y
  const std::vector<InputsView> members = {a, b, c};
  const GradientDiversity d = gradient_diversity(members);
  ASSERT_EQ(d.pairs.size(), 3U);
  EXPECT_NEAR(*d.pairs[0].cos2, 0.25, 1e-15);  // a, b: .5 and 0
  EXPECT_NEAR(*d.pairs[1].cos2, 0, 1e-15);     // a, c
  EXPECT_NEAR(*d.pairs[2].cos2, 0.75, 1e-15);  // b, c: .5 and 1
  EXPECT_NEAR(*d.cos2, 1.0 / 3, 1e-15);
  EXPECT_NEAR(*d.pairs[0].local_mutual_information, std::log(2.0) / 4, 1e-15);  // (-1/2 ln .5 + 0) / 2
}

TEST(GradientDiversity, InformationOfEqualGradientsIsCapped) {
  Inputs a(1, 2);
  a(0, 0) = 1e6F;
  const std::vector<InputsView> members = {a, a};
  const GradientDiversity d = gradient_diversity(members);
  EXPECT_DOUBLE_EQ(*d.local_mutual_information, -std::log(1e-15) / 2);
}

TEST(GradientDiversity, OfOneMemberOrNoRowsIsUndefined) {
  Inputs one(3, 2);
  EXPECT_EQ(gradient_diversity(std::vector<InputsView>{one}).cos2, std::nullopt);
  Inputs none(0, 2);
  EXPECT_EQ(gradient_diversity(std::vector<InputsView>{none, none}).cos2, std::nullopt);
}

TEST(Diversity, OfOtherSizesIsTheCallersMistake) {
  Inputs three(3, 2);
  Inputs two(2, 2);
  EXPECT_THROW(gradient_diversity(std::vector<InputsView>{three, two}), DataError);
  EXPECT_THROW(diversity(std::vector<ErrorFlags>{{0, 1, 1}, {0, 1}}), DataError);
}

}  // namespace
}  // namespace perpend
