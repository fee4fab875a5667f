#include "perpend/model/probability_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "perpend/model/decision.h"

namespace perpend {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

ProbabilityMap tempered(double temperature) { return {.kind = Calibrator::temperature, .temperature = temperature}; }
ProbabilityMap curve(std::vector<Knot> knots) {
  return {.kind = Calibrator::isotonic, .temperature = 1, .knots = std::move(knots)};
}

double second(const ProbabilityMap& map, double p) {
  double both[] = {1 - p, p};
  apply(map, both);
  EXPECT_NEAR(both[0] + both[1], 1, 1e-15);
  return both[1];
}

TEST(ProbabilityMap, NoneKeepsEveryBit) {
  double p[] = {0.2, 0.3, 0.5};
  apply({}, p);
  EXPECT_EQ(p[0], 0.2);
  EXPECT_EQ(p[1], 0.3);
  EXPECT_EQ(p[2], 0.5);
}

TEST(ProbabilityMap, TemperatureIsAPowerOfTheProbabilities) {
  double p[] = {0.2, 0.3, 0.5};
  apply(tempered(2), p);
  const double sum = std::sqrt(0.2) + std::sqrt(0.3) + std::sqrt(0.5);
  EXPECT_NEAR(p[0], std::sqrt(0.2) / sum, 1e-14);
  EXPECT_NEAR(p[1], std::sqrt(0.3) / sum, 1e-14);
  EXPECT_NEAR(p[2], std::sqrt(0.5) / sum, 1e-14);
}

TEST(ProbabilityMap, TemperatureCopesWithCertainty) {
  EXPECT_EQ(second(tempered(0.5), 1), 1);
  EXPECT_GT(second(tempered(16), 0), 0.1);
  EXPECT_TRUE(std::isfinite(second(tempered(1.0 / 16), 0)));
}

TEST(ProbabilityMap, IsotonicIsLinearBetweenKnotsAndConstantBeyond) {
  const ProbabilityMap map = curve({{0.2, 0.1}, {0.4, 0.5}, {0.9, 0.8}});
  EXPECT_EQ(second(map, 0), 0.1);
  EXPECT_EQ(second(map, 0.2), 0.1);
  EXPECT_NEAR(second(map, 0.3), 0.3, 1e-15);
  EXPECT_EQ(second(map, 0.4), 0.5);
  EXPECT_NEAR(second(map, 0.65), 0.65, 1e-15);
  EXPECT_EQ(second(map, 0.9), 0.8);
  EXPECT_EQ(second(map, 1), 0.8);
}

TEST(ProbabilityMap, NeverTurnsTwoRowsRound) {
  for (const auto& map : {tempered(0.3), tempered(4), curve({{0.1, 0.01}, {0.11, 0.4}, {0.8, 0.41}, {0.81, 0.99}})}) {
    double before = 0;
    for (int i = 0; i <= 1000; ++i) {
      const double now = second(map, i / 1000.0);
      EXPECT_GE(now, before) << i;
      before = now;
    }
  }
}

TEST(ProbabilityMap, TellsWhatIsWrong) {
  const auto fine = [](const ProbabilityMap& map, std::size_t classes = 2) { return problem_of(map, classes).empty(); };
  EXPECT_TRUE(fine({}, 5));
  EXPECT_TRUE(fine(tempered(1.5), 5));
  EXPECT_TRUE(fine(curve({{0, 0.1}, {1, 0.1}})));
  EXPECT_FALSE(fine(tempered(0)));
  EXPECT_FALSE(fine(tempered(-1)));
  EXPECT_FALSE(fine(tempered(17)));
  EXPECT_FALSE(fine(tempered(kNone)));
  EXPECT_FALSE(fine(curve({{0, 0.1}, {1, 0.9}}), 3));
  EXPECT_FALSE(fine(curve({})));
  EXPECT_FALSE(fine(curve({{0.5, 0.5}})));
  EXPECT_FALSE(fine(curve({{0, 0}, {1, 0.9}})));
  EXPECT_FALSE(fine(curve({{0, 0.1}, {1, 1}})));
  EXPECT_FALSE(fine(curve({{0.5, 0.1}, {0.5, 0.9}})));
  EXPECT_FALSE(fine(curve({{0.5, 0.9}, {0.6, 0.1}})));
  EXPECT_FALSE(fine(curve({{-0.1, 0.1}, {1, 0.9}})));
  EXPECT_FALSE(fine(curve({{0, 0.1}, {kNone, 0.9}})));
  EXPECT_FALSE(fine(curve({{0, kNone}, {1, 0.9}})));
  std::vector<Knot> many;
  for (std::size_t i = 0; i <= kMostKnots; ++i) many.push_back({0.01 * static_cast<double>(i), 0.5});
  EXPECT_FALSE(fine(curve(many)));
}

TEST(Decision, MapsTheEnsembleInBothForms) {
  Stack<float, axis::Row, axis::Out> members(1, 1, 2);
  members[0](0, 0) = 0.75F;
  members[0](0, 1) = 0.25F;
  Matrix<double, axis::Member, axis::Row> seconds(1, 1);
  seconds(0, 0) = 0.25;
  Decision decision = equal_mean(1);
  decision.map = tempered(2);
  const double expected = std::sqrt(0.25) / (std::sqrt(0.25) + std::sqrt(0.75));
  EXPECT_NEAR(decide(decision, members)(0, 1), expected, 1e-14);
  EXPECT_NEAR(decide(decision, seconds.view())[0], expected, 1e-14);
}

TEST(Decision, AnswersTheSecondClassAboveTheThreshold) {
  Decision decision = equal_mean(1);
  const double half[] = {0.5, 0.5};
  const double less[] = {0.7, 0.3};
  EXPECT_EQ(answered_class(decision, half, 2), 0U);
  decision.threshold = 0.3;
  EXPECT_EQ(answered_class(decision, half, 2), 1U);
  EXPECT_EQ(answered_class(decision, less, 2), 0U);
  decision.threshold = 0.29;
  EXPECT_EQ(answered_class(decision, less, 2), 1U);
}

}  // namespace
}  // namespace perpend
