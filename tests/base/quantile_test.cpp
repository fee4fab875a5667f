#include "perpend/base/quantile.h"

#include <gtest/gtest.h>

#include "perpend/base/error.h"

namespace perpend {
namespace {

TEST(Quantile, IsLinearBetweenNeighbours) {
  // numpy.quantile([4, 1, 3, 2], q)
  EXPECT_DOUBLE_EQ(quantile({4, 1, 3, 2}, 0.1), 1.3);
  EXPECT_DOUBLE_EQ(quantile({4, 1, 3, 2}, 0.9), 3.7);
  EXPECT_EQ(quantile({4, 1, 3, 2}, 0), 1);
  EXPECT_EQ(quantile({4, 1, 3, 2}, 1), 4);
}

TEST(Quantile, OfOneHalfIsTheMedian) {
  EXPECT_EQ(quantile({3, 1, 2}, 0.5), 2);
  EXPECT_EQ(quantile({4, 1, 3, 2}, 0.5), 2.5);
  EXPECT_EQ(quantile({7}, 0.5), 7);
}

TEST(Quantile, OfSeveralAtOnceAreTheSame) {
  const std::vector<double> values = {4, 1, 3, 2};
  const std::vector<double> qs = {0.9, 0, 0.5};
  EXPECT_EQ(quantiles(values, qs), (std::vector<double>{quantile(values, 0.9), 1, 2.5}));
}

TEST(Quantile, OfNothingIsABug) { EXPECT_THROW(quantile({}, 0.5), Error); }

}  // namespace
}  // namespace perpend
