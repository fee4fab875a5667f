#include "perpend/evaluate/conformal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "perpend/base/random.h"
#include "tests/evaluate/trust_rows.h"

namespace perpend {
namespace {

using test::made_up;
using test::MadeUpRow;

std::vector<MadeUpRow> nine_rows() {
  std::vector<MadeUpRow> rows;
  for (int r = 1; r <= 9; ++r) rows.push_back({.positive = 1 - r / 10.0, .label = 1});  // scores 0.1, ..., 0.9
  return rows;
}

TEST(ConformalSets, TakesTheRightRowOfNPlusOne) {
  const LabelledAnswers home = made_up(nine_rows());
  EXPECT_NEAR(ConformalSets(home, 0.8).largest_score(), 0.8, 1e-12);   // ceil(0.8 * 10) = 8
  EXPECT_NEAR(ConformalSets(home, 0.81).largest_score(), 0.9, 1e-12);  // 9
  EXPECT_NEAR(ConformalSets(home, 0.9).largest_score(), 0.9, 1e-12);
  EXPECT_EQ(ConformalSets(home, 0.91).largest_score(), std::numeric_limits<double>::infinity());
}

TEST(ConformalSets, HasEveryClassThatIsProbableEnough) {
  const ConformalSets sets(made_up(nine_rows()), 0.3);  // scores up to 0.3
  const auto found = sets.of(made_up({{.75}, {.5}, {.1}}).answers);
  EXPECT_EQ(found, (std::vector<std::uint8_t>{0, 1, 0, 0, 1, 0}));
}

// The weight is 1 for scores up to 0.5 and 3 above, and 2 for the new row. 0.5 of 5 + 12 + 2 is 9.5, which is reached
// at 0.7 (5 + 6).
TEST(ConformalSets, CountsWeights) {
  std::vector<double> weights;
  for (int r = 1; r <= 9; ++r) weights.push_back(r <= 5 ? 1 : 3);
  EXPECT_NEAR(ConformalSets(made_up(nine_rows()), 0.5, weights).largest_score(2), 0.7, 1e-12);
  EXPECT_EQ(ConformalSets(made_up(nine_rows()), 0.5, weights).largest_score(100),
            std::numeric_limits<double>::infinity());
}

// Log-odds are normal with this mean, and labels follow the probabilities.
LabelledAnswers drawn(std::size_t rows, double mean, std::uint32_t step) {
  const Stream random({.seed = 2, .purpose = Purpose::test, .member = 0, .step = step});
  std::vector<MadeUpRow> made;
  for (std::size_t r = 0; r < rows; ++r) {
    const double p = 1 / (1 + std::exp(-(mean + 2 * random.normal(2 * r))));
    made.push_back({p, p * (1 - p), random.uniform_open(2 * r + 1) < p ? 1 : 0});
  }
  return made_up(made);
}

double covered(const std::vector<std::uint8_t>& sets, const LabelledAnswers& rows) {
  double count = 0;
  for (std::size_t r = 0; r < rows.answers.rows; ++r) count += sets[2 * r + static_cast<std::size_t>(rows.labels[r])];
  return count / static_cast<double>(rows.answers.rows);
}

TEST(ConformalSets, CoversLikeRowsAsPromised) {
  double mean = 0;
  for (std::uint32_t draw = 0; draw < 20; ++draw) {
    const LabelledAnswers rows = drawn(1000, 0, 100 + draw);
    mean += covered(ConformalSets(drawn(500, 0, draw), 0.9).of(rows.answers), rows) / 20;
  }
  EXPECT_NEAR(mean, 0.9, 0.01);
}

// Rows at home are sure, and those elsewhere are not. Without weights the sets hold too few of the classes.
TEST(ShiftWeights, MendTheCoverageOfShiftedRows) {
  double without = 0, with = 0;
  for (std::uint32_t draw = 0; draw < 20; ++draw) {
    const LabelledAnswers home = drawn(1000, 3, draw), rows = drawn(1000, 0, 100 + draw);
    const ShiftWeights weights = shift_weights(home.answers, rows.answers);
    without += covered(ConformalSets(home, 0.9).of(rows.answers), rows) / 20;
    with += covered(ConformalSets(home, 0.9, weights.home).of(rows.answers, weights.rows), rows) / 20;
  }
  EXPECT_LT(without, 0.85);
  EXPECT_NEAR(with, 0.9, 0.03);
}

TEST(ShiftWeights, AreAboutOneWhereNothingMoved) {
  const LabelledAnswers home = drawn(1000, 0, 1), rows = drawn(1000, 0, 2);
  for (const double weight : shift_weights(home.answers, rows.answers).rows) EXPECT_NEAR(weight, 1, 0.4);
}

}  // namespace
}  // namespace perpend
