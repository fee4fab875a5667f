#include "perpend/kernels/elementwise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/targets.h"

namespace perpend::kernels {
namespace {

constexpr Activation kActivations[] = {Activation::relu, Activation::softplus, Activation::tanh, Activation::sigmoid};
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Every magnitude from the smallest denormal up, with both signs; dense where the functions bend; and the edges of exp.
std::vector<float> wide_range() {
  std::vector<float> x = {0.0F, 87.0F, 86.9999F, 87.0001F, 87.4F, 88.0F, 88.8F, 100.0F, 1e4F, 1e30F, 3.4e38F};
  for (double v = 1e-45; v < 1e4; v *= 1.37) x.push_back(static_cast<float>(v));
  for (double v = 1e-4; v < 40; v += 0.00317) x.push_back(static_cast<float>(v));
  const std::size_t positive = x.size();
  for (std::size_t i = 0; i < positive; ++i) x.push_back(-x[i]);
  return x;
}

// |x - exact| in units of the last place of a float of exact's size; denormals count as the smallest normal number.
double ulps(float x, double exact) {
  const double place = std::ldexp(1.0, std::max(std::ilogb(exact == 0 ? 1e-300 : exact), -126) - 23);
  return std::abs(x - exact) / place;
}

struct Curves {
  explicit Curves(std::size_t n) : value(round_up(n, 16)), first(value.size()), second(value.size()) {}
  AlignedVector<float> value, first, second;
};

Curves curves(Activation activation, const std::vector<float>& x, const RowMask<float>& mask = {}) {
  AlignedVector<float> z(x.begin(), x.end());
  z.resize(round_up(x.size(), 16), 0.0F);
  Curves out(x.size());
  activate<float>(activation, {.n = x.size(),
                               .z = z.data(),
                               .mask = mask,
                               .value = out.value.data(),
                               .first = out.first.data(),
                               .second = out.second.data()});
  return out;
}

// The largest error of phi in units of the last place, over |x| <= 87 where e^-|x| is a normal number. Beyond that, the
// largest absolute error. Also the largest absolute errors of phi' and phi''.
struct Errors {
  double value = 0, beyond = 0, first = 0, second = 0;
};
Errors errors_of(Activation activation) {
  const auto x = wide_range();
  const Curves out = curves(activation, x);
  Errors e;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto exact = reference::activate<double>(activation, x[i]);
    if (std::abs(x[i]) <= 87) {
      e.value = std::max(e.value, ulps(out.value[i], exact.value));
    } else {
      e.beyond = std::max(e.beyond, std::abs(out.value[i] - exact.value) / std::max(1.0, std::abs(exact.value)));
    }
    e.first = std::max(e.first, std::abs(out.first[i] - exact.first));
    e.second = std::max(e.second, std::abs(out.second[i] - exact.second));
  }
  return e;
}

void expect_within(const Errors& e, double value_ulps, double first, double second) {
  EXPECT_LE(e.value, value_ulps);
  EXPECT_LE(e.beyond, 1e-37);
  EXPECT_LE(e.first, first * 0x1p-24);
  EXPECT_LE(e.second, second * 0x1p-24);
}

// The bounds are in units of the last place for phi, and in units of 2^-24 for phi' and phi'', which are at most 1.
// They were measured (2.3, 1.5, 1.5 for softplus; 1.7, 2.5, 5.0 for tanh; 1.9, 1.5, 1.5 for sigmoid) and rounded up.
TEST(Activation, ReluIsExact) { expect_within(errors_of(Activation::relu), 0, 0, 0); }
TEST(Activation, SoftplusIsWithinThreeUnitsInTheLastPlace) { expect_within(errors_of(Activation::softplus), 3, 2, 2); }
TEST(Activation, TanhIsWithinTwoUnitsInTheLastPlace) { expect_within(errors_of(Activation::tanh), 2, 3, 6); }
TEST(Activation, SigmoidIsWithinTwoUnitsInTheLastPlace) { expect_within(errors_of(Activation::sigmoid), 2, 2, 2); }

AlignedVector<std::uint32_t> mask_words(std::size_t n, std::uint64_t seed) {
  const Stream stream({.seed = seed, .purpose = Purpose::test, .member = 0, .step = 0});
  AlignedVector<std::uint32_t> words(round_up(n, 16), 0);
  for (std::size_t i = 0; i < n; ++i) words[i] = stream.word(i);
  return words;
}

TEST(Activation, BitsAreTheSameOnEveryTarget) {
  const auto x = wide_range();
  const auto words = mask_words(x.size(), 4);
  for (const Activation activation : kActivations) {
    for (const auto& mask : {RowMask<float>(), RowMask<float>{words.data(), 1U << 31, 1.25F}}) {
      test::expect_same_bits_on_every_target([&] {
        const Curves c = curves(activation, x, mask);
        std::vector<float> all(c.value.begin(), c.value.end());
        all.insert(all.end(), c.first.begin(), c.first.end());
        all.insert(all.end(), c.second.begin(), c.second.end());
        return all;
      });
    }
  }
}

TEST(Activation, EveryNumberIsDoneAtEverySize) {
  for (const std::size_t n : test::kLaneSizes) {
    const auto numbers = test::normal_floats(n, 5);
    const auto words = mask_words(n, 6);
    const RowMask<float> mask{words.data(), 4, 1.5F};
    for (const Activation activation : kActivations) {
      test::on_every_target([&] {
        const Curves c = curves(activation, {numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(n)}, mask);
        for (std::size_t i = 0; i < n; ++i) {
          const auto exact = reference::activate<double>(activation, numbers[i]);
          const double factor = (words[i] >> 2 & 1U) != 0 ? 1.5 : 0.0;
          const double tolerance = 4e-7 * factor;
          ASSERT_NEAR(c.value[i], exact.value * factor, tolerance * std::max(1.0, std::abs(exact.value)));
          ASSERT_NEAR(c.first[i], exact.first * factor, tolerance);
          ASSERT_NEAR(c.second[i], exact.second * factor, tolerance);
        }
      });
    }
  }
}

TEST(Activation, MayOverwriteItsInput) {
  auto z = test::normal_floats(33, 7);
  const Curves apart = curves(Activation::softplus, {z.begin(), z.end()});
  activate<float>(Activation::softplus, {.n = 33, .z = z.data(), .value = z.data()});
  EXPECT_TRUE(test::same_bits(std::span(z).first(33), std::span(apart.value).first(33)));
}

TEST(Products, AreRoundedAsDocumentedOnEveryTarget) {
  for (const std::size_t n : test::kLaneSizes) {
    const auto a = test::normal_floats(n, 1);
    const auto b = test::normal_floats(n, 2);
    const auto c = test::normal_floats(n, 3);
    const auto d = test::normal_floats(n, 4);
    AlignedVector<float> product(a.size(), 0.0F);
    AlignedVector<float> sum(a.size(), 0.0F);
    for (std::size_t i = 0; i < n; ++i) {
      product[i] = a[i] * b[i];
      sum[i] = std::fma(c[i], d[i], a[i] * b[i]);
    }
    test::on_every_target([&] {
      AlignedVector<float> out(a.size(), 0.0F);
      multiply<float>(n, a.data(), b.data(), out.data());
      EXPECT_TRUE(test::same_bits(out, product)) << n;
      multiply_add<float>({.n = n, .a = a.data(), .b = b.data(), .c = c.data(), .d = d.data(), .out = out.data()});
      EXPECT_TRUE(test::same_bits(out, sum)) << n;
    });
  }
}

TEST(Sigmoid, IsWithinTwoUnitsInTheLastPlaceAndTheSameOnEveryTarget) {
  const auto x = wide_range();
  AlignedVector<float> s(x.begin(), x.end());
  s.resize(round_up(x.size(), 16), 0.0F);
  AlignedVector<float> p(s.size());
  sigmoid<float>(x.size(), s.data(), p.data());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double exact = reference::sigmoid<double>(x[i]);
    if (std::abs(x[i]) <= 87) {
      EXPECT_LE(ulps(p[i], exact), 2) << x[i];
    }
    EXPECT_GE(p[i], 0) << x[i];
    EXPECT_LE(p[i], 1) << x[i];
    EXPECT_NEAR(p[i], exact, 3 * 0x1p-24) << x[i];
  }
  test::expect_same_bits_on_every_target([&] {
    sigmoid<float>(x.size(), s.data(), p.data());
    return std::vector<float>(p.begin(), p.end());
  });
}

// All of wide_range() with both labels. The weights are powers of two, so that they cause no rounding.
struct CrossEntropyCase {
  CrossEntropyCase() {
    for (const float v : wide_range()) {
      for (const int label : {0, 1}) {
        s.push_back(v);
        y.push_back(label);
        weight.push_back(label == 0 ? 0.25F : 1.0F);
      }
    }
    n = s.size();
    s.resize(round_up(n, 16), 0.0F);
    y.resize(s.size(), 0);
    weight.resize(s.size(), 0.0F);
    loss.resize(s.size());
    derivative.resize(s.size());
  }
  void run() {
    cross_entropy<float>({.n = n,
                          .scores = s.data(),
                          .labels = y.data(),
                          .weights = weight.data(),
                          .loss = loss.data(),
                          .derivative = derivative.data()});
  }
  std::size_t n = 0;
  AlignedVector<float> s, weight, loss, derivative;
  AlignedVector<std::int32_t> y;
};

TEST(CrossEntropy, LossAndDerivativeAreWithinThreeUnitsInTheLastPlace) {
  CrossEntropyCase c;
  c.run();
  for (std::size_t i = 0; i < c.n; ++i) {
    const double against = 1 - 2 * c.y[i];
    const double loss = c.weight[i] * reference::softplus<double>(against * c.s[i]);
    const double derivative = c.weight[i] * against * reference::sigmoid<double>(against * c.s[i]);
    if (std::abs(c.s[i]) <= 86) {  // below, a quarter of e^-|s| is a normal number
      EXPECT_LE(ulps(c.loss[i], loss), 3) << c.s[i] << ' ' << c.y[i];
      EXPECT_LE(ulps(c.derivative[i], derivative), 3) << c.s[i] << ' ' << c.y[i];
    } else {
      EXPECT_NEAR(c.loss[i], loss, 1e-37 + 1e-7 * loss) << c.s[i] << ' ' << c.y[i];
      EXPECT_NEAR(c.derivative[i], derivative, 1e-37 + 1e-7 * std::abs(derivative)) << c.s[i] << ' ' << c.y[i];
    }
  }
}

TEST(CrossEntropy, BitsAreTheSameOnEveryTarget) {
  CrossEntropyCase c;
  test::expect_same_bits_on_every_target([&] {
    c.run();
    std::vector<float> all(c.loss.begin(), c.loss.end());
    all.insert(all.end(), c.derivative.begin(), c.derivative.end());
    return all;
  });
}

TEST(CrossEntropy, ANotANumberScoreIsNeverAGoodFit) {
  test::on_every_target([] {
    CrossEntropyCase c;
    c.s[3] = kNan;
    c.run();
    EXPECT_TRUE(std::isnan(c.loss[3]));
  });
}

// Logits of each kind: near, far, equal, huge, denormal.
std::vector<std::vector<float>> logit_rows() {
  std::vector<std::vector<float>> rows = {{0, 0},       {0, 1e-30F, -1e-30F}, {1e4F, 1e4F, -1e4F},
                                          {87, -87, 0}, {-1e4F, 1e-45F, 3},   {3e38F, -3e38F, 0}};
  for (const std::size_t classes : {1, 2, 3, 7, 8, 9, 15, 16, 17, 33}) {
    const auto z = test::normal_floats(classes, classes);
    rows.emplace_back(z.begin(), z.begin() + static_cast<std::ptrdiff_t>(classes));
    for (float& x : rows.back()) x *= 5;
  }
  return rows;
}

std::vector<float> softmax_of(std::vector<float> z) {
  const std::size_t classes = z.size();
  z.resize(round_up(classes, 16), 0.0F);
  std::vector<float> p(z.size());
  const float log_sum = softmax<float>(classes, z.data(), p.data());
  p.resize(classes);
  p.push_back(log_sum);
  return p;
}

TEST(Softmax, ProbabilitiesAndLogarithmAgreeWithDouble) {
  for (const auto& row : logit_rows()) {
    const std::vector<double> z(row.begin(), row.end());
    std::vector<double> p(z.size());
    const double log_sum = reference::softmax<double>(z.size(), z.data(), p.data());
    const auto out = softmax_of(row);
    // There is a chain of K additions, and one rounding in each z - max, which the exponential passes on.
    const double spread = *std::max_element(z.begin(), z.end()) - *std::min_element(z.begin(), z.end());
    const double relative = 0x1p-24 * (6 + static_cast<double>(z.size()) + std::min(spread, 87.0));
    for (std::size_t k = 0; k < z.size(); ++k) EXPECT_NEAR(out[k], p[k], relative * p[k] + 2e-38) << k;
    EXPECT_NEAR(out.back(), log_sum, 0x1p-22 * std::max(1.0, std::abs(log_sum)));
  }
}

TEST(Softmax, BitsAreTheSameOnEveryTarget) {
  for (const auto& row : logit_rows()) test::expect_same_bits_on_every_target([&] { return softmax_of(row); });
}

TEST(Softmax, LogarithmIsWithinTwoUnitsInTheLastPlace) {
  for (std::size_t classes = 2; classes <= 3000; classes += 37) {
    const double exact = std::log(static_cast<double>(classes));
    EXPECT_LE(ulps(softmax_of(std::vector<float>(classes, 0.0F)).back(), exact), 2) << classes;
  }
}

TEST(Softmax, ANotANumberLogitIsSeenInTheLogarithm) {
  test::on_every_target([] {
    for (const std::size_t at : {0, 1, 2}) {
      std::vector<float> z = {0.5F, 1.5F, -2.0F};
      z[at] = kNan;
      EXPECT_TRUE(std::isnan(softmax_of(z).back())) << at;
    }
  });
}

}  // namespace
}  // namespace perpend::kernels
