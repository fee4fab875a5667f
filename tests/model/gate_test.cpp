#include "perpend/model/gate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "perpend/model/decision.h"

namespace perpend {
namespace {

TEST(Gate, WithoutThetaLeavesTheWeightsAsTheyAre) {
  const std::vector<double> weights = {0.5, 0.3, 0.2};
  const auto gated = gated_weights(weights, {.theta = std::vector<double>(3 * kGateFeatures)}, {1, 0.3, 0.3, 0.1});
  for (std::size_t m = 0; m < 3; ++m) EXPECT_NEAR(gated[m], weights[m], 1e-15);
}

TEST(Gate, FeaturesTellTheSideTheSurenessAndTheSpread) {
  const std::vector<double> weights = {0.5, 0.5};
  const double s = std::log(0.8 / 0.2) / 2;
  const GateFeatures alike = gate_features(weights, std::vector{0.2, 0.8, 0.2, 0.8}, 2);
  EXPECT_NEAR(alike[1], s, 1e-12);
  EXPECT_NEAR(alike[2], s, 1e-12);
  EXPECT_NEAR(alike[3], 0, 1e-12);
  const GateFeatures apart = gate_features(weights, std::vector{0.2, 0.8, 0.8, 0.2}, 2);
  EXPECT_NEAR(apart[1], 0, 1e-12);
  EXPECT_NEAR(apart[2], 0, 1e-12);
  EXPECT_NEAR(apart[3], s, 1e-12);
  const GateFeatures numbers = gate_features(weights, std::vector{14.0, 10.0}, 10.0, 2.0);
  EXPECT_NEAR(numbers[1], 1, 1e-12);
  EXPECT_NEAR(numbers[3], 1, 1e-12);
}

TEST(Gate, OfASureSideGivesItsMemberTheSay) {
  Decision decision{.weights = {0.5, 0.5}};
  decision.gate = Gate{.theta = {0, 10, 0, 0, 0, -10, 0, 0}};
  Matrix<double, axis::Member, axis::Row> members(2, 2);
  members(0, 0) = 0.9;  // both say the second class
  members(1, 0) = 0.7;
  members(0, 1) = 0.3;  // both say the first
  members(1, 1) = 0.1;
  const auto decided = decide(decision, members.view());
  EXPECT_NEAR(decided[0], 0.9, 1e-3);
  EXPECT_NEAR(decided[1], 0.1, 1e-3);
}

TEST(Gate, OfARegressionGatesItsPredictions) {
  Decision decision{.weights = {0.5, 0.5}};
  decision.gate = Gate{.theta = {0, 20, 0, 0, 0, -20, 0, 0}, .centre = 100, .scale = 10};
  Matrix<double, axis::Member, axis::Row> members(2, 1);
  members(0, 0) = 120;
  members(1, 0) = 110;
  EXPECT_NEAR(combine(decision, members.view())[0], 120, 1e-3);
}

TEST(Gate, IsRefusedWhereItsNumbersAreNotThoseOfAGate) {
  EXPECT_EQ(problem_of(Gate{.theta = std::vector<double>(8)}, 2), "");
  EXPECT_NE(problem_of(Gate{.theta = std::vector<double>(8)}, 3), "");
  EXPECT_NE(problem_of(Gate{.theta = {1e4, 0, 0, 0}}, 1), "");
  EXPECT_NE(problem_of(Gate{.theta = {NAN, 0, 0, 0}}, 1), "");
  EXPECT_NE(problem_of(Gate{.theta = std::vector<double>(4), .scale = 0}, 1), "");
}

}  // namespace
}  // namespace perpend
