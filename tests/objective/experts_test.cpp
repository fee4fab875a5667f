// Compares the competition of experts with cases by hand; tests/model/gradient_test.cpp checks its gradient.
#include "perpend/objective/experts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "perpend/base/aligned.h"

namespace perpend {
namespace {

TEST(Experts, EachRowIsItsBestMembersAlone) {
  const std::vector<std::vector<double>> scores = {{3, 0.5, -1}, {1, 2, -1}};  // per member; the last row is a tie
  const AlignedVector<std::int32_t> labels = {1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  const AlignedVector<double> weights(16, 0.25);
  Stack<double, axis::Row, axis::Score> z(2, 16, 1), d(2, 16, 1);
  ObjectiveRows<double> rows;
  rows.rows = rows.batch_rows = rows.labelled = 3;
  rows.labels = labels.data();
  rows.weights = weights.data();
  for (std::size_t m = 0; m < 2; ++m) {
    for (std::size_t r = 0; r < 3; ++r) z[m](r, 0) = scores[m][r];
    rows.scores.push_back(z[m].middle_rows(0, 3));
    rows.d_scores.push_back(d[m].middle_rows(0, 3));
  }
  Terms<double> terms{std::vector<double>(2), 0};
  Experts<double>().evaluate(rows, terms);
  const auto loss = [](double of_label) { return std::log1p(std::exp(-of_label)); };
  EXPECT_NEAR(terms.fit[0], 0.25 * (loss(3) + loss(1)), 1e-12);
  EXPECT_NEAR(terms.fit[1], 0.25 * loss(2), 1e-12);
  EXPECT_EQ(terms.penalty, 0);
  EXPECT_EQ(d[0](1, 0), 0);
  EXPECT_EQ(d[1](0, 0), 0);
  EXPECT_EQ(d[1](2, 0), 0) << "the earlier member wins a tie";
  EXPECT_NEAR(d[0](0, 0), -0.25 / (1 + std::exp(3.0)), 1e-12);
  EXPECT_NEAR(d[0](2, 0), 0.25 / (1 + std::exp(1.0)), 1e-12);
}

}  // namespace
}  // namespace perpend
