#include "perpend/base/cholesky.h"

#include <gtest/gtest.h>

#include <cmath>

#include "perpend/base/error.h"

namespace perpend {
namespace {

// The upper triangle is never read.
TEST(Cholesky, SolvesTwoEquationsThatAreWorkedOutByHand) {
  const Cholesky matrix({4, NAN, 2, 3}, 2);
  EXPECT_EQ(matrix.solve({2, 1}), (std::vector<double>{0.5, 0}));
  EXPECT_NEAR(matrix.log_determinant(), std::log(8.0), 1e-15);
}

TEST(Cholesky, OfNothingHasDeterminantOne) {
  const Cholesky matrix({}, 0);
  EXPECT_TRUE(matrix.solve({}).empty());
  EXPECT_EQ(matrix.log_determinant(), 0);
}

TEST(Cholesky, WantsAPositiveDefiniteMatrix) { EXPECT_THROW(Cholesky({1, 0, 2, 1}, 2), Error); }

}  // namespace
}  // namespace perpend
