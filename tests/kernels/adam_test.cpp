#include "perpend/kernels/adam.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "perpend/kernels/reference.h"
#include "tests/support/targets.h"

namespace perpend::kernels {
namespace {

constexpr AdamStep kAdamStep{
    .step_size = 0.01F, .inverse_root = 31.6F, .epsilon = 1e-8F, .beta1 = 0.9F, .beta2 = 0.999F, .weight_decay = 1e-2F};

struct Arrays {
  explicit Arrays(std::size_t n)
      : gradient(test::normal_floats(n, 1)),
        weights(test::normal_floats(n, 2)),
        m(test::normal_floats(n, 3)),
        v(test::normal_floats(n, 4)) {
    for (float& x : v) x *= x;
  }
  AdamArrays arrays(std::size_t n) {
    return {.n = n, .gradient = gradient.data(), .weights = weights.data(), .m = m.data(), .v = v.data()};
  }
  AlignedVector<float> gradient, weights, m, v;
};

TEST(Adam, EveryElementFollowsTheDocumentedChainOnEveryTarget) {
  for (const std::size_t n : test::kLaneSizes) {
    Arrays expected(n);
    EXPECT_TRUE(reference::adam(kAdamStep, expected.arrays(n)));
    test::on_every_target([&] {
      Arrays a(n);
      EXPECT_TRUE(adam(kAdamStep, a.arrays(n)));
      EXPECT_TRUE(test::same_bits(a.weights, expected.weights)) << n;
      EXPECT_TRUE(test::same_bits(a.m, expected.m)) << n;
      EXPECT_TRUE(test::same_bits(a.v, expected.v)) << n;
    });
  }
}

TEST(Adam, NumbersTooSmallToMoveAWeightCountAsZero) {
  test::on_every_target([] {
    Arrays a(16);
    const AdamStep no_decay{0.01F, 31.6F, 1e-8F, 0.9F, 0.999F, 0};
    std::fill(a.gradient.begin(), a.gradient.end(), 1e-18F);
    std::fill(a.m.begin(), a.m.end(), 1e-30F);
    std::fill(a.v.begin(), a.v.end(), 0.0F);
    const auto before = a.weights;
    EXPECT_TRUE(adam(no_decay, a.arrays(16)));
    EXPECT_TRUE(test::same_bits(a.weights, before));
    EXPECT_TRUE(test::same_bits(a.m, AlignedVector<float>(16, 0.0F)));
    EXPECT_TRUE(test::same_bits(a.v, AlignedVector<float>(16, 0.0F)));
  });
}

TEST(Adam, TellsOfEveryWeightThatLeftTheNumbers) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  test::on_every_target([&] {
    for (std::size_t at = 0; at < 33; ++at) {
      for (const float bad : {kNan, kInfinity, -kInfinity, 2e6F, -2e6F}) {
        Arrays a(33);
        a.weights[at] = bad;
        EXPECT_FALSE(reference::adam(kAdamStep, Arrays(a).arrays(33))) << at << ' ' << bad;
        EXPECT_FALSE(adam(kAdamStep, a.arrays(33))) << at << ' ' << bad;
      }
      for (const float bad : {kNan, kInfinity, -kInfinity}) {
        Arrays a(33);
        a.gradient[at] = bad;
        EXPECT_FALSE(reference::adam(kAdamStep, Arrays(a).arrays(33))) << at << ' ' << bad;
        EXPECT_FALSE(adam(kAdamStep, a.arrays(33))) << at << ' ' << bad;
      }
    }
  });
}

}  // namespace
}  // namespace perpend::kernels
