// Compares the repulsion of input gradients with cases by hand; tests/model/gradient_test.cpp checks its gradient.
#include "perpend/objective/forde.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "perpend/base/aligned.h"

namespace perpend {
namespace {

using Gradients = std::vector<std::vector<std::vector<double>>>;  // per member, per row

// P of a batch that is cut into runs of these lengths. The gradients become adjoints.
double repulsion_of(Gradients& gradients, const std::vector<std::size_t>& cuts) {
  const std::size_t members = gradients.size();
  const std::size_t count = gradients[0].size();
  Stack<double, axis::Row, axis::Score> scores(members, 64, 1), d_scores(members, 64, 1);
  Stack<double, axis::Row, axis::Feature> inputs(members, 64, gradients[0][0].size());
  const AlignedVector<std::int32_t> labels(64, 1);
  const AlignedVector<double> weights(64, 1.0 / static_cast<double>(count));
  for (std::size_t m = 0; m < members; ++m) {
    for (std::size_t r = 0; r < count; ++r) {
      std::copy(gradients[m][r].begin(), gradients[m][r].end(), inputs[m].row(r));
    }
  }
  const Forde<double> forde(1);
  Terms<double> terms{std::vector<double>(members), 0};
  std::vector<double> sums(members * (members - 1) / 2);
  for (const bool second_pass : {false, true}) {
    for (std::size_t i = 0, first = 0; i < cuts.size(); first += cuts[i++]) {
      ObjectiveRows<double> rows;
      rows.rows = rows.labelled = cuts[i];
      rows.batch_rows = count;
      rows.labels = labels.data();
      rows.weights = weights.data();
      rows.batch_sums = sums.data();
      for (std::size_t m = 0; m < members; ++m) {
        rows.scores.push_back(scores[m].middle_rows(first, cuts[i]));
        rows.d_scores.push_back(d_scores[m].middle_rows(first, cuts[i]));
        rows.input_gradients.push_back(inputs[m].middle_rows(first, cuts[i]));
      }
      EXPECT_EQ(forde.batch_sums(rows), sums.size());
      if (second_pass) forde.evaluate(rows, terms);
      if (!second_pass) forde.add_batch_sums(rows, sums.data());
    }
  }
  for (std::size_t m = 0; m < members; ++m) {
    for (std::size_t r = 0; r < count; ++r) {
      std::copy_n(inputs[m].row(r), gradients[m][r].size(), gradients[m][r].begin());
    }
  }
  return terms.penalty;
}

double repulsion_of(Gradients gradients) { return repulsion_of(gradients, {gradients[0].size()}); }

constexpr double kFar = 1e4;  // so long that delta does not matter
constexpr double kClose = 1e-7;

TEST(Forde, OfTwoMembersIsTheLogarithmOfTheirKernel) {
  for (const double angle : {0.0, 0.4, 1.5, 3.1}) {
    const double distance2 = std::pow(1 - std::cos(angle), 2) + std::pow(std::sin(angle), 2);
    const double found = repulsion_of({{{kFar, 0}}, {{kFar * std::cos(angle), kFar * std::sin(angle)}}});
    EXPECT_NEAR(found, std::log(1 + std::exp(-distance2 / 2)), kClose) << angle;
  }
}

TEST(Forde, TakesTheMeanOverRowsBeforeTheLogarithm) {
  const double alike_at_one = repulsion_of({{{kFar, 0}, {kFar, 0}}, {{kFar, 0}, {0, kFar}}});
  EXPECT_NEAR(alike_at_one, std::log(1 + (1 + std::exp(-1)) / 2), kClose);
}

TEST(Forde, OfManyMembersIsHalfTheSumOverAll) {
  const double found = repulsion_of({{{kFar, 0, 0}}, {{kFar, 0, 0}}, {{0, kFar, 0}}});
  const double e = std::exp(-1);
  EXPECT_NEAR(found, (2 * std::log(2 + e) + std::log(1 + 2 * e)) / 2, kClose);
}

TEST(Forde, IsOfTheWholeBatchWhateverItsRuns) {
  Gradients gradients(3, std::vector<std::vector<double>>(9, std::vector<double>(4)));
  double x = 0;
  for (auto& member : gradients) {
    for (auto& row : member) {
      for (double& g : row) g = std::sin(x += 1.3);
    }
  }
  Gradients whole = gradients;
  Gradients cut = gradients;
  EXPECT_NEAR(repulsion_of(whole, {9}), repulsion_of(cut, {2, 3, 4}), 1e-12);
  for (std::size_t m = 0; m < 3; ++m) {
    for (std::size_t r = 0; r < 9; ++r) {
      for (std::size_t d = 0; d < 4; ++d) EXPECT_NEAR(whole[m][r][d], cut[m][r][d], 1e-14);
    }
  }
}

TEST(Forde, AMemberWithoutAGradientIsNotMoved) {
  Gradients gradients = {{{0, 0}}, {{3, 1}}};
  EXPECT_NEAR(repulsion_of(gradients, {1}), std::log(1 + std::exp(-1)), kClose);
  EXPECT_EQ(gradients[1][0], (std::vector<double>{0, 0}));
}

}  // namespace
}  // namespace perpend
