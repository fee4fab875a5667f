#include "perpend/base/checked_size.h"

#include <gtest/gtest.h>

#include <limits>

namespace perpend {
namespace {

constexpr std::size_t kLargest = std::numeric_limits<std::size_t>::max();

TEST(CheckedSize, IsTheProductAndTheSum) {
  EXPECT_EQ(checked_size(3, 4), 12U);
  EXPECT_EQ(checked_size(3, 4, 5), 17U);
  EXPECT_EQ(checked_size(kLargest, 1), kLargest);
  EXPECT_EQ(checked_size(kLargest, 0, kLargest), kLargest);
}

TEST(CheckedSize, IsNothingWhenItDoesNotFit) {
  EXPECT_FALSE(checked_size(kLargest, 2));
  EXPECT_FALSE(checked_size(std::size_t{1} << 32, std::size_t{1} << 32));
  EXPECT_FALSE(checked_size(kLargest, 1, 1));
}

}  // namespace
}  // namespace perpend
