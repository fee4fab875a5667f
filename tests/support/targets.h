// Compares kernels to the bit on every target of this machine.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "perpend/base/aligned.h"
#include "perpend/base/random.h"
#include "perpend/kernels/target.h"

namespace perpend::test {

// Calls check() once per target. Afterwards the best target is in use again.
template <class Check>
void on_every_target(const Check& check) {
  for (const auto& target : kernels::available_targets()) {
    SCOPED_TRACE("target " + target);
    kernels::use_target(target);
    check();
  }
  kernels::use_target("");
}

inline testing::AssertionResult same_bits(std::span<const float> a, std::span<const float> b) {
  if (a.size() != b.size()) return testing::AssertionFailure() << a.size() << " numbers against " << b.size();
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::bit_cast<std::uint32_t>(a[i]) != std::bit_cast<std::uint32_t>(b[i])) {
      return testing::AssertionFailure() << "number " << i << " of " << a.size() << " is " << std::hexfloat << a[i]
                                         << ", not " << b[i];
    }
  }
  return testing::AssertionSuccess();
}

// Expects that compute() gives the same numbers, to the bit, on every target.
template <class Compute>
void expect_same_bits_on_every_target(const Compute& compute) {
  kernels::use_target("SCALAR");
  const std::vector<float> plain = compute();
  on_every_target([&] { EXPECT_TRUE(same_bits(compute(), plain)); });
}

// n standard normal numbers, then zeros up to a multiple of 16.
inline AlignedVector<float> normal_floats(std::size_t n, std::uint64_t seed) {
  const Stream stream({.seed = seed, .purpose = Purpose::test, .member = 0, .step = 0});
  AlignedVector<float> x(round_up(n, 16), 0.0F);
  for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<float>(stream.normal(i));
  return x;
}

// Sizes around the number of lanes of every target (1, 4, 8, 16).
inline const std::vector<std::size_t> kLaneSizes = {0, 1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33};

}  // namespace perpend::test
