// Compares the determinantal penalty with cases worked out by hand; tests/model/gradient_test.cpp checks its gradient.
#include "perpend/objective/dpp.h"

#include <gtest/gtest.h>

#include <cmath>

#include "perpend/base/aligned.h"

namespace perpend {
namespace {

// Takes one row of each member's gradient. Returns P, and replaces the gradients by adjoints.
double penalty_of(std::vector<std::vector<double>>& gradients, const Tangents* tangents = nullptr) {
  const std::size_t members = gradients.size();
  Stack<double, axis::Row, axis::Score> scores(members, 1, 1), d_scores(members, 1, 1);
  Stack<double, axis::Row, axis::Feature> inputs(members, 1, gradients[0].size());
  const std::int32_t label = 1;
  const std::uint32_t index = 0;
  const AlignedVector<double> weights(16, 1.0);
  ObjectiveRows<double> rows;
  rows.rows = rows.batch_rows = 1;
  rows.labels = &label;
  rows.indices = &index;
  rows.weights = weights.data();
  for (std::size_t m = 0; m < members; ++m) {
    rows.scores.push_back(scores[m]);
    rows.d_scores.push_back(d_scores[m]);
    std::copy(gradients[m].begin(), gradients[m].end(), inputs[m].row(0));
    rows.input_gradients.push_back(inputs[m]);
  }
  Terms<double> terms{std::vector<double>(members), 0};
  Dpp<double>({.lambda = 1, .tangents = tangents}).evaluate(rows, terms);
  for (std::size_t m = 0; m < members; ++m) std::copy_n(inputs[m].row(0), gradients[m].size(), gradients[m].begin());
  return terms.penalty;
}

double penalty_of(const std::vector<std::vector<double>>& gradients) {
  auto copy = gradients;
  return penalty_of(copy);
}

double minus_log(double x) { return -std::log(x); }

constexpr double kLong = 1e4;  // so long that delta does not matter
constexpr double kNear = 1e-7;

TEST(Dpp, OfTwoMembersIsAFunctionOfTheirCosine) {
  for (const double angle : {0.0, 0.1, 0.7, 1.5, 3.0}) {
    const double cosine = std::cos(angle);
    const double found = penalty_of({{kLong, 0}, {kLong * cosine, kLong * std::sin(angle)}});
    EXPECT_NEAR(found, minus_log(std::pow(1 + kDppEpsilon, 2) - cosine * cosine), kNear) << angle;
  }
}

TEST(Dpp, OfOrthogonalMembersIsTheLeast) {
  const double least = penalty_of({{kLong, 0, 0}, {0, kLong, 0}, {0, 0, -3}});
  EXPECT_NEAR(least, 3 * minus_log(1 + kDppEpsilon), kNear);
  EXPECT_LT(least, penalty_of({{kLong, 0, 0}, {0, kLong, 0}, {0, 1, 1}}));
}

TEST(Dpp, OfCopiesIsFinite) {
  const double found = penalty_of({{kLong, kLong}, {kLong, kLong}, {kLong, kLong}});
  EXPECT_NEAR(found, minus_log(kDppEpsilon * kDppEpsilon * (3 + kDppEpsilon)), kNear);
}

// The gradients are 120 degrees apart: cos^2 of each pair is 1/4, but they lie in one plane.
TEST(Dpp, SeesDependenceBeyondPairs) {
  const double half = std::sqrt(0.75);
  const double plane = penalty_of({{kLong, 0, 0}, {-kLong / 2, kLong * half, 0}, {-kLong / 2, -kLong * half, 0}});
  const double e = kDppEpsilon;
  EXPECT_NEAR(plane, minus_log(e * (1.5 + e) * (1.5 + e)), kNear);  // eigenvalues of K: 0, 3/2, 3/2
}

TEST(Dpp, AZeroGradientCostsNothingAndMovesNobody) {
  std::vector<std::vector<double>> gradients = {{0, 0}, {kLong, 0}, {0, kLong}};
  EXPECT_NEAR(penalty_of(gradients), 3 * minus_log(1 + kDppEpsilon), kNear);
  for (const auto& adjoint : gradients) {
    for (const double number : adjoint) EXPECT_NEAR(number, 0, 1e-12);
  }
  std::vector<std::vector<double>> zeros(3, std::vector<double>(4, 0.0));
  EXPECT_NEAR(penalty_of(zeros), 3 * minus_log(1 + kDppEpsilon), kNear);
}

// (1, 0, 9) and (0, 1, 9) are alike by themselves, and orthogonal along the first two inputs.
TEST(Dpp, AlongTangentsSeesThoseAlone) {
  Tangents tangents = Tangents::shared(3, 2);
  tangents.direction(0, 0)[0] = 1;
  tangents.direction(0, 1)[1] = 1;
  std::vector<std::vector<double>> gradients = {{kLong, 0, 9 * kLong}, {0, kLong, 9 * kLong}};
  EXPECT_NEAR(penalty_of(gradients, &tangents), 2 * minus_log(1 + kDppEpsilon), kNear);
  EXPECT_EQ(gradients[0][2], 0);
}

TEST(Dpp, OfMoreMembersThanInputsIsFinite) {
  std::vector<std::vector<double>> gradients(40, {1.0, -2.0});
  const double found = penalty_of(gradients);
  EXPECT_TRUE(std::isfinite(found));
  EXPECT_GT(found, 38 * std::log(1 / kDppEpsilon) - 40);
}

}  // namespace
}  // namespace perpend
