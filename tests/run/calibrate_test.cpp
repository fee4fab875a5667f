#include "perpend/run/calibrate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "perpend/base/portable_math.h"

namespace perpend {
namespace {

using Answers = Matrix<double, axis::Row, axis::Out>;

Answers two_classes(const std::vector<double>& second) {
  Answers out(second.size(), 2);
  for (std::size_t r = 0; r < second.size(); ++r) {
    out(r, 0) = 1 - second[r];
    out(r, 1) = second[r];
  }
  return out;
}

// The true log-odds of the rows are half of what the ensemble says, so its temperature is 2.
struct Overconfident {
  std::vector<double> said;
  std::vector<std::int32_t> labels;

  explicit Overconfident(int copies) {
    for (const double logit : {-3.0, -1.0, 1.0, 3.0}) {
      const double true_share = 1 / (1 + portable_exp(-logit / 2));
      for (int i = 0; i < copies; ++i) {
        said.push_back(1 / (1 + portable_exp(-logit)));
        labels.push_back(i < std::lround(true_share * copies) ? 1 : 0);
      }
    }
  }
};

double temperature(const std::vector<double>& second, const std::vector<std::int32_t>& labels,
                   const std::vector<float>& weights = {}) {
  return fit_map(Calibrator::temperature, two_classes(second).view(), labels, weights).temperature;
}

std::vector<Knot> knots(const std::vector<double>& second, const std::vector<std::int32_t>& labels,
                        const std::vector<float>& weights = {}) {
  return fit_map(Calibrator::isotonic, two_classes(second).view(), labels, weights).knots;
}

TEST(Calibrate, FindsTheTemperature) {
  const Overconfident many(100'000);
  EXPECT_NEAR(temperature(many.said, many.labels), 2, 0.001);
}

TEST(Calibrate, PullsFewRowsTowardsOne) {
  const Overconfident few(10);
  const double found = temperature(few.said, few.labels);
  EXPECT_GT(found, 1);
  EXPECT_LT(found, 2);
  // Rows that are all right ask for certainty, but do not get it.
  const double sure = temperature({0.1, 0.2, 0.8, 0.9}, {0, 0, 1, 1});
  EXPECT_GT(sure, 0.4);
  EXPECT_LT(sure, 1);
}

TEST(Calibrate, FindsTheTemperatureOfThreeClasses) {
  const double shares[] = {0.5, 0.3, 0.2};
  double sum = 0;
  for (const double share : shares) sum += share * share;
  Answers said(100'000, 3);
  std::vector<std::int32_t> labels;
  for (std::size_t r = 0; r < said.rows(); ++r) {
    for (std::size_t k = 0; k < 3; ++k) said(r, k) = shares[k] * shares[k] / sum;  // a temperature of 2 undoes it
    labels.push_back(r % 10 < 5 ? 0 : r % 10 < 8 ? 1 : 2);
  }
  EXPECT_NEAR(fit_map(Calibrator::temperature, said.view(), labels, {}).temperature, 2, 0.001);
}

TEST(Calibrate, CountsRowsByTheirWeights) {
  const std::vector<double> said = {0.3, 0.3, 0.7, 0.7, 0.7};
  EXPECT_EQ(temperature(said, {0, 1, 0, 1, 1}, {2, 0, 1, 1, 3}),
            temperature({0.3, 0.3, 0.7, 0.7, 0.7, 0.7, 0.7}, {0, 0, 0, 1, 1, 1, 1}));
  const auto by_weight = knots(said, {0, 1, 0, 1, 1}, {1, 1, 1, 1, 2});
  ASSERT_EQ(by_weight.size(), 2U);
  EXPECT_NEAR(by_weight[0].to, 0.5, 1e-12);
  EXPECT_NEAR(by_weight[1].to, 0.75, 1e-12);
}

TEST(Calibrate, PoolsWhatFalls) {
  // The frequencies of four rows are 0, 1, 0, 1. The middle two pool to one half.
  const auto found = knots({0.1, 0.4, 0.6, 0.9}, {0, 1, 0, 1});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0], (Knot{0.1, 1.0 / 6}));  // not 0, because there are only four rows
  EXPECT_EQ(found[1], (Knot{0.5, 0.5}));
  EXPECT_EQ(found[2], (Knot{0.9, 1 - 1.0 / 6}));
}

TEST(Calibrate, IsFineOfAnyRows) {
  for (const auto& labels : {std::vector<std::int32_t>{0, 0, 0}, {1, 1, 1}, {1, 0, 0}, {0, 1, 0}}) {
    for (const auto& said : {std::vector<double>{0.2, 0.2, 0.2}, {0, 0.5, 1}, {0, 0, 0}, {1, 1, 1}}) {
      for (const auto kind : {Calibrator::none, Calibrator::temperature, Calibrator::isotonic}) {
        const auto answers = two_classes(said);
        EXPECT_EQ(problem_of(fit_map(kind, answers.view(), labels, {}), 2), "");
        EXPECT_EQ(problem_of(fit_map(kind, answers.view(), labels, std::vector<float>{0, 0, 0}), 2), "");
      }
    }
  }
}

TEST(Calibrate, HasFewKnotsOfManyRows) {
  std::vector<double> said;
  std::vector<std::int32_t> labels;
  for (int i = 0; i < 5000; ++i) {
    said.push_back((i + 0.5) / 5000);
    labels.push_back(i * 7919 % 5000 < i ? 1 : 0);
  }
  const auto found = knots(said, labels);
  EXPECT_GT(found.size(), 10U);
  EXPECT_LE(found.size(), kMostKnots);
  for (const Knot& knot : found) EXPECT_NEAR(knot.from, knot.to, 0.1);
}

}  // namespace
}  // namespace perpend
