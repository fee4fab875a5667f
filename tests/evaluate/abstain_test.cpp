#include "perpend/evaluate/abstain.h"

#include <gtest/gtest.h>

#include <cmath>

#include "perpend/base/random.h"
#include "perpend/evaluate/selective.h"
#include "tests/evaluate/trust_rows.h"

namespace perpend {
namespace {

using test::made_up;
using test::MadeUpRow;

Stream stream(std::uint32_t step) { return Stream({.seed = 1, .purpose = Purpose::test, .member = 0, .step = step}); }

// The doubt of a row, or else its disagreement, is the probability that the row is wrong.
LabelledAnswers simulated(std::size_t rows, bool by_doubt, std::uint32_t step) {
  const Stream random = stream(step);
  std::vector<MadeUpRow> made;
  for (std::size_t r = 0; r < rows; ++r) {
    const double p = random.uniform(3 * r), spread = random.uniform(3 * r + 1) / 2;
    const bool wrong = random.uniform(3 * r + 2) < (by_doubt ? std::min(p, 1 - p) : spread);
    made.push_back({p, spread, (p > 0.5) != wrong ? 1 : 0});
  }
  return made_up(made);
}

TEST(AbstainSignal, IsTheOneThatFindsTheErrors) {
  EXPECT_EQ(choose_signal(simulated(1000, true, 0)), AbstainSignal::doubt);
  EXPECT_EQ(choose_signal(simulated(1000, false, 1)), AbstainSignal::disagreement);
}

TEST(AbstainSignal, IsDoubtWhereFewRowsTellNothing) {
  EXPECT_EQ(choose_signal(made_up({{.9, .1, 1}, {.8, .2, 1}})), AbstainSignal::doubt);
  // There is one wrong row. Disagreement puts it last and doubt second to last, which is not evidence.
  EXPECT_EQ(choose_signal(made_up({{.9, .1, 1}, {.7, .4, 0}, {.6, .2, 1}})), AbstainSignal::doubt);
}

TEST(AbstainByShare, RefusesThatShareAtHome) {
  const LabelledAnswers home = simulated(1000, true, 2);
  const AbstainRule rule = abstain_by_share(home, 0.2);
  EXPECT_EQ(rule.signal, AbstainSignal::doubt);
  EXPECT_EQ(rule.answered, 800U);
  EXPECT_EQ(abstain_by_share(home, 0).answered, 1000U);
  EXPECT_EQ(rule.home_rows, 1000U);
}

// With 20 rows and no error the rate is at most 1 - 0.01^(1/20). With one error in two rows: (1 - p)^2 + 2 p (1 - p) =
// 0.01.
TEST(ErrorBound, IsThatOfClopperAndPearson) {
  EXPECT_NEAR(error_bound(0, 20), 1 - std::pow(0.01, 1.0 / 20), 1e-12);
  EXPECT_NEAR(error_bound(1, 2), std::sqrt(0.99), 1e-12);
  EXPECT_EQ(error_bound(3, 3), 1);
  EXPECT_EQ(error_bound(0, 0), 1);
  EXPECT_NEAR(error_bound(900, 1000), 0.9209434, 1e-6);
}

// Four wrong rows lie between the 60th and the 70th place: b(0, 60) is 0.074, b(4, 70) to b(4, 100) are 0.157 to 0.112.
TEST(AbstainByError, TakesTheLargestCoverageThatIsSureEnough) {
  std::vector<MadeUpRow> rows;
  for (int r = 0; r < 100; ++r) rows.push_back({.positive = 1 - r / 250.0, .label = r > 60 && r < 65 ? 0 : 1});
  const AbstainRule rule = abstain_by_error(made_up(rows), 0.1);
  EXPECT_EQ(rule.answered, 60U);
  EXPECT_EQ(rule.wrong, 0U);
  EXPECT_NEAR(rule.most, 59 / 250.0, 1e-12);
  EXPECT_EQ(abstain_by_error(made_up(rows), 0.12).answered, 100U);
  EXPECT_EQ(abstain_by_error(made_up({rows.begin(), rows.begin() + 40}), 0.1).most, -1);
}

// More than 9 of 10 sets of rows keep the promise. Without the bound, half of them would break it.
TEST(AbstainByError, KeepsItsPromise) {
  int broken = 0, silent = 0;
  constexpr int kDraws = 300;
  for (int draw = 0; draw < kDraws; ++draw) {
    const AbstainRule rule = abstain_by_error(simulated(600, true, 10U + static_cast<std::uint32_t>(draw)), 0.15);
    if (rule.most < 0) ++silent;
    // Doubt is uniform up to 1/2, and a row is wrong with the probability of its doubt. So the answered rows have an
    // error rate of half of `most`.
    if (rule.most / 2 > 0.15) ++broken;
  }
  EXPECT_LE(broken, kDraws / 10);
  EXPECT_LT(silent, kDraws / 10);
}

TEST(RowUncertainty, AddsUpToTheEntropyOfTheMean) {
  Stack<float, axis::Row, axis::Out> members(2, 3, 2);
  const float positive[2][3] = {{0.5F, 1, 0.25F}, {0.5F, 0, 0.75F}};
  for (std::size_t m = 0; m < 2; ++m) {
    for (std::size_t r = 0; r < 3; ++r) {
      members[m](r, 1) = positive[m][r];
      members[m](r, 0) = 1 - positive[m][r];
    }
  }
  const RowUncertainty parts = row_uncertainty(members);
  const double all = std::log(2.0), some = -.25 * std::log(.25) - .75 * std::log(.75);
  EXPECT_NEAR(parts.data[0], all, 1e-15);
  EXPECT_EQ(parts.knowledge[0], 0);
  EXPECT_EQ(parts.data[1], 0);
  EXPECT_NEAR(parts.knowledge[1], all, 1e-15);
  EXPECT_NEAR(parts.data[2], some, 1e-15);
  EXPECT_NEAR(parts.knowledge[2], all - some, 1e-15);
}

}  // namespace
}  // namespace perpend
