#include "perpend/evaluate/adapt.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perpend/base/random.h"
#include "perpend/model/predict.h"
#include "tests/support/data.h"

namespace perpend {
namespace {

using LabelProbabilities = Matrix<double, axis::Member, axis::Row>;

LabelProbabilities table(const std::vector<std::vector<double>>& members) {
  LabelProbabilities q(members.size(), members[0].size());
  for (std::size_t m = 0; m < q.rows(); ++m) {
    for (std::size_t r = 0; r < q.cols(); ++r) q(m, r) = members[m][r];
  }
  return q;
}

LabelProbabilities random_table(std::size_t members, std::size_t rows, std::uint64_t seed) {
  const Stream stream({.seed = seed, .purpose = Purpose::test, .member = 0, .step = 0});
  LabelProbabilities q(members, rows);
  for (std::size_t m = 0; m < members; ++m) {
    for (std::size_t r = 0; r < rows; ++r) q(m, r) = stream.uniform(m * rows + r);
  }
  return q;
}

// What adapt.h says is maximised.
double objective(const LabelProbabilities& q, const std::vector<double>& w) {
  double sum = 0;
  for (std::size_t r = 0; r < q.cols(); ++r) {
    double answer = 0;
    for (std::size_t m = 0; m < q.rows(); ++m) answer += w[m] * std::max(q(m, r), 0.01);
    sum += std::log(answer);
  }
  for (const double weight : w) sum += 3.0 / static_cast<double>(w.size()) * std::log(weight);
  return sum;
}

TEST(AdaptedWeights, LieOnTheSimplexAboveTheStatedFloor) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::size_t members = 1 + seed % 7;
    const std::size_t rows = 3 * seed;
    const auto w = adapted_weights(random_table(members, rows, seed).view());
    ASSERT_EQ(w.size(), members);
    EXPECT_NEAR(std::accumulate(w.begin(), w.end(), 0.0), 1, 1e-12);
    EXPECT_GE(*std::ranges::min_element(w), 3.0 / static_cast<double>(members * (rows + 3)) - 1e-12);
  }
}

TEST(AdaptedWeights, AreTheMaximumOfTheStatedFunction) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto q = random_table(4, 12, seed);
    const auto w = adapted_weights(q.view());
    for (std::size_t from = 0; from < 4; ++from) {
      for (std::size_t to = 0; to < 4; ++to) {
        auto moved = w;
        const double step = 0.01 * w[from];
        moved[from] -= step;
        moved[to] += step;
        EXPECT_LE(objective(q, moved), objective(q, w));
      }
    }
  }
}

TEST(AdaptedWeights, DoNotDependOnTheOrderOfMembersOrRows) {
  const auto q = random_table(5, 16, 3);
  LabelProbabilities turned(5, 16);
  for (std::size_t m = 0; m < 5; ++m) {
    for (std::size_t r = 0; r < 16; ++r) turned(4 - m, 15 - r) = q(m, r);
  }
  auto w = adapted_weights(turned.view());
  std::ranges::reverse(w);
  const auto straight = adapted_weights(q.view());
  for (std::size_t m = 0; m < 5; ++m) EXPECT_NEAR(w[m], straight[m], 1e-9);
}

TEST(AdaptedWeights, OfEqualMembersAreEqual) {
  const auto w = adapted_weights(table({{.9, .2, .6}, {.3, .8, .9}, {.9, .2, .6}}).view());
  EXPECT_EQ(w[0], w[2]);
  const auto all = adapted_weights(table({{.9, .01}, {.9, .01}}).view());
  EXPECT_DOUBLE_EQ(all[0], 0.5);
}

TEST(AdaptedWeights, WithoutRowsAreEqual) {
  for (const double w : adapted_weights(LabelProbabilities(4, 0).view())) EXPECT_DOUBLE_EQ(w, 0.25);
}

TEST(AdaptedWeights, FindTheMemberThatIsRightAmongSureAndWrongOnes) {
  const std::vector<double> wrong(16, 0.0);
  const std::vector<double> right(16, 1.0);
  const auto w = adapted_weights(table({wrong, right, wrong}).view());
  // Of 16 rows and the pull's three, the right one has all but the others' own.
  EXPECT_NEAR(w[1], 17.0 / 19, 0.02);
  EXPECT_LE(w[1], 17.0 / 19);
}

// With ten members as with three: the pull does not grow with them.
TEST(AdaptedWeights, FindTheOneMemberOfTenThatIsRight) {
  std::vector<std::vector<double>> members(10, std::vector<double>(16, 0.0));
  members[4].assign(16, 1.0);
  EXPECT_GT(adapted_weights(table(members).view())[4], 0.8);
}

TEST(AdaptedWeights, OneMislabelledRowDoesNotTurnThem) {
  std::vector<double> right(16, 1.0);
  std::vector<double> wrong(16, 0.0);
  right[5] = 0;
  wrong[5] = 1;
  const auto w = adapted_weights(table({wrong, right}).view());
  EXPECT_GT(w[1], 0.8);
}

TEST(AdaptedWeights, ReadTheProbabilityOfEachRowsOwnLabel) {
  const Dataset data = test::normal_data(12, 3, 1, 3);
  const Ensemble ensemble =
      initial_ensemble({.features = 3, .hidden = {8}, .classes = 3, .activation = Activation::tanh}, 4, 7);
  const auto p = member_probabilities(ensemble, data.inputs.view(), Threads(1));
  LabelProbabilities q(4, 12);
  for (std::size_t m = 0; m < 4; ++m) {
    for (std::size_t r = 0; r < 12; ++r) q(m, r) = p[m](r, static_cast<std::size_t>(data.labels[r]));
  }
  EXPECT_EQ(adapted_weights(ensemble, data, Threads(2)), adapted_weights(q.view()));
}

}  // namespace
}  // namespace perpend
