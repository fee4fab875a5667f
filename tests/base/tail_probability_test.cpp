// The expected values are those of scipy.stats: chi2.sf(x, k) and 2 norm.sf(z).
#include "perpend/base/tail_probability.h"

#include <gtest/gtest.h>

namespace perpend {
namespace {

void expect_near(double found, double expected) { EXPECT_NEAR(found / expected, 1, 1e-9) << expected; }

TEST(TailProbability, OfChiSquare) {
  EXPECT_EQ(chi_square_tail(0, 3), 1);
  EXPECT_EQ(chi_square_tail(-1, 3), 1);
  expect_near(chi_square_tail(3.841458820694124, 1), 0.05);
  expect_near(chi_square_tail(5.991464547107979, 2), 0.05);
  expect_near(chi_square_tail(18.307038053275146, 10), 0.05);
  expect_near(chi_square_tail(29.58829844507442, 10), 0.001);
  expect_near(chi_square_tail(43.77297182574219, 30), 0.05);
}

TEST(TailProbability, OfManyDegreesIsNearlyExact) {
  EXPECT_NEAR(chi_square_tail(233.99426889232495, 200), 0.05, 1e-4);
  EXPECT_NEAR(chi_square_tail(1000, 1000), 0.494, 1e-3);
  EXPECT_NEAR(chi_square_tail(500, 1000), 1, 1e-9);
}

TEST(TailProbability, OfTheNormalDistribution) {
  EXPECT_NEAR(normal_tails(0), 1, 1e-15);
  expect_near(normal_tails(1.959963984540054), 0.05);
  expect_near(normal_tails(-3.290526731491926), 0.001);
  expect_near(normal_tails(6), 1.973175290075396e-09);
}

}  // namespace
}  // namespace perpend
