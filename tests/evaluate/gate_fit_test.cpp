#include "perpend/evaluate/gate_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numeric>

#include "perpend/base/random.h"

namespace perpend {
namespace {

using Complex = std::complex<double>;

Stream gate_draws(std::uint32_t step) {
  return Stream({.seed = 11, .purpose = Purpose::generate, .member = 7, .step = step});
}

GateData drawn_gate_data(std::size_t rows, std::size_t members, std::size_t features, bool regression) {
  GateData data;
  data.members = members;
  data.features = features;
  for (std::size_t m = 0; m < members; ++m) data.usual.push_back(1.0 / static_cast<double>(members));
  for (std::size_t r = 0; r < rows; ++r) {
    data.phi.push_back(1);
    for (std::uint32_t f = 1; f < kGateFeatures; ++f) data.phi.push_back(gate_draws(f).normal(r));
    for (std::size_t m = 0; m < members; ++m) {
      const Stream own = gate_draws(static_cast<std::uint32_t>(10 + m));
      data.answers.push_back(regression ? own.normal(r) : own.uniform_open(r));
    }
    data.weights.push_back(0.5 + gate_draws(30).uniform_open(r));
    if (regression) data.targets.push_back(gate_draws(31).normal(r));
  }
  data.scale = 0.7;
  return data;
}

std::vector<std::size_t> rows_of_gate(const GateData& data) {
  std::vector<std::size_t> rows(data.rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

void expect_slope_is_that_of_the_loss(const GateData& data) {
  const auto rows = rows_of_gate(data);
  std::vector<double> theta(data.members * data.features);
  for (std::size_t j = 0; j < theta.size(); ++j) theta[j] = gate_draws(40).normal(j);
  std::vector<double> slope(theta.size());
  const double loss = gate_slope(data, rows, theta, 0.8, slope);
  EXPECT_NEAR(loss, gate_loss<double>(data, rows, theta, 0.8), 1e-12 * std::abs(loss));
  for (std::size_t j = 0; j < theta.size(); ++j) {
    std::vector<Complex> moved(theta.begin(), theta.end());
    moved[j] += Complex(0, 1e-30);
    const double exact = gate_loss<Complex>(data, rows, moved, 0.8).imag() / 1e-30;
    EXPECT_NEAR(slope[j], exact, 1e-10 * (1 + std::abs(exact))) << j;
  }
}

TEST(GateSlope, IsThatOfTheLossByComplexStep) {
  for (const std::size_t features : {std::size_t{1}, kGateFeatures}) {
    expect_slope_is_that_of_the_loss(drawn_gate_data(23, 4, features, false));
    for (const auto kind :
         {RegressionLoss::Kind::squared, RegressionLoss::Kind::absolute, RegressionLoss::Kind::quantile}) {
      GateData data = drawn_gate_data(23, 3, features, true);
      data.loss = {kind, 0.8};
      expect_slope_is_that_of_the_loss(data);
    }
  }
}

TEST(GateFit, FindsThatOneMemberIsRightOnOneSideAndAnotherOnTheOther) {
  GateData data = drawn_gate_data(400, 2, kGateFeatures, false);
  for (std::size_t r = 0; r < data.rows(); ++r) {
    const bool first = data.phi[r * kGateFeatures + 1] > 0;
    data.answers[2 * r] = first ? 0.9 : 0.2;
    data.answers[2 * r + 1] = first ? 0.2 : 0.9;
  }
  const auto theta = fit_gate(data, rows_of_gate(data), 2);
  EXPECT_GT(theta[1] - theta[kGateFeatures + 1], 1.5);
  EXPECT_LT(std::abs(theta[0] - theta[kGateFeatures]), 0.5);
}

TEST(GateFit, OfAStackGivesTheBetterMemberMoreSay) {
  GateData data = drawn_gate_data(300, 3, 1, false);
  for (std::size_t r = 0; r < data.rows(); ++r) data.answers[3 * r + 2] = 0.95;
  const auto theta = fit_gate(data, rows_of_gate(data), 1);
  EXPECT_GT(theta[2], theta[0] + 1);
  EXPECT_GT(theta[2], theta[1] + 1);
}

TEST(GateFit, StaysNearTheUsualWeightsWhereSigmaIsSmall) {
  const GateData data = drawn_gate_data(50, 3, kGateFeatures, false);
  for (const double x : fit_gate(data, rows_of_gate(data), 1e-3)) EXPECT_LT(std::abs(x), 1e-3);
}

}  // namespace
}  // namespace perpend
