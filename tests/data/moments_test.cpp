#include "perpend/data/moments.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "perpend/base/random.h"

namespace perpend {
namespace {

std::vector<double> normals(std::size_t count) {
  const Stream stream({.seed = 5, .purpose = Purpose::test});
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = 1000 + stream.normal(i);
  return values;
}

TEST(Moments, AreMeanAndRootMeanSquaredDistance) {
  const Moments found = moments(std::vector<double>{2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_EQ(found.mean, 5);
  EXPECT_EQ(found.sd, 2);
}

TEST(Moments, AgreeWithLongDoubleAtEveryBlockEdge) {
  for (const std::size_t count : {1, 7, 8, 9, 127, 128, 129, 1000, 8191, 8192, 8193, 20000}) {
    const std::vector<double> values = normals(count);
    long double sum = 0;
    for (const double x : values) sum += x;
    const auto mean = static_cast<double>(sum / count);
    long double squares = 0;
    for (const double x : values) squares += (static_cast<long double>(x) - mean) * (x - mean);
    for (const SumOrder order : {SumOrder::blocks, SumOrder::rows}) {
      EXPECT_NEAR(moments(values, order).mean, mean, 1e-9) << count;
      EXPECT_NEAR(moments(values, order).sd, static_cast<double>(std::sqrt(squares / count)), 1e-9) << count;
    }
  }
}

TEST(OrderedSum, BitsArePinned) {
  const std::vector<double> values = normals(20000);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(ordered_sum(values)), 4716133858713886022U);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(ordered_sum(values, SumOrder::rows)), 4716133858713886044U);
}

}  // namespace
}  // namespace perpend
