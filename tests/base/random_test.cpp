#include "perpend/base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace perpend {
namespace {

const StreamName kName{.seed = 42, .purpose = Purpose::init, .member = 3, .step = 7};

TEST(Philox, MatchesThePublishedKnownAnswer) {
  // From Random123's kat_vectors: philox4x32 with 10 rounds, counter and key all zero.
  const auto block = Stream({.seed = 0, .purpose = Purpose::test, .member = 0, .step = 0}).block(0);
  EXPECT_EQ(block, (std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
}

TEST(Stream, CounterHoldsEveryPartOfTheName) {
  EXPECT_EQ(counter_of(kName, 0x500000002), (std::array<std::uint32_t, 4>{2, 5, 7, (1U << 24) | 3}));
}

TEST(Stream, UniformIsTheTop24Bits) {
  const Stream stream(kName);
  for (std::uint64_t i = 0; i < 100; ++i) {
    EXPECT_EQ(stream.uniform(i), static_cast<float>(stream.block(i / 4)[i % 4] >> 8) / 16777216.0F);
  }
}

TEST(Stream, MappingsArePinned) {
  const Stream stream(kName);
  EXPECT_EQ(stream.word(0), 1377052010U);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(stream.uniform(5)), 1054571438U);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(stream.uniform_open(1)), 4605301577125962779U);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(stream.normal(2)), 13831895828822630892U);
  EXPECT_EQ(stream.below(3, 1000), 345U);
  EXPECT_EQ(stream.permutation(8), (std::vector<std::uint32_t>{7, 3, 0, 1, 4, 6, 2, 5}));
  EXPECT_EQ(mask_word(kName, keep_planes(0.5), 1, 2, 33), 9188817546666197911U);
  EXPECT_EQ(mask_word(kName, keep_planes(0.8), 0, 0, 5), 11348507011508526941U);
}

TEST(Stream, NormalHasTheRightMoments) {
  const Stream stream(kName);
  constexpr int kCount = 100000;
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kCount; ++i) {
    const double x = stream.normal(i);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / kCount, 0, 0.015);
  EXPECT_NEAR(squares / kCount, 1, 0.02);
}

TEST(NormalQuantile, InvertsTheDistributionFunction) {
  for (const double p : {1e-300, 1e-20, 1e-5, 0.01, 0.074, 0.3, 0.5, 0.77, 0.99, 1 - 1e-9}) {
    const double x = normal_quantile(p);
    EXPECT_NEAR(0.5 * std::erfc(-x / std::sqrt(2.0)) / p, 1, 1e-12) << p;
  }
}

TEST(Permutation, HoldsEachNumberOnce) {
  for (const std::size_t n : {0, 1, 2, 1000}) {
    auto order = Stream(kName).permutation(n);
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(order[i], i);
  }
}

TEST(Mask, ProbabilityIsTheRoundedKeep) {
  for (const double keep : {0.5, 0.25, 0.75, 0.8, 0.9999, 1.0 / 65536}) {
    int kept = 0;
    for (std::uint32_t unit = 0; unit < 2000; ++unit) {
      kept += std::popcount(mask_word(kName, keep_planes(keep), 0, 0, unit));
    }
    const double n = 64 * 2000;
    EXPECT_NEAR(kept / n, rounded_keep(keep), 4 * std::sqrt(keep * (1 - keep) / n)) << keep;
  }
  EXPECT_EQ(mask_word(kName, keep_planes(1.0), 0, 0, 9), ~std::uint64_t{0});
}

}  // namespace
}  // namespace perpend
