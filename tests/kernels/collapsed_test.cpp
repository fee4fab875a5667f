#include "perpend/kernels/collapsed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perpend/kernels/reference.h"
#include "tests/kernels/collapsed_cases.h"
#include "tests/support/targets.h"

namespace perpend::kernels {
namespace {

using test::By;
using test::Group;
using test::kWays;
using test::kWidths;

// Unit u passes through row u % 64, except for roundings: a plain sum of the products is often on the other side of
// zero.
Group near_zero(std::size_t features, std::size_t units) {
  Group group(features, units);
  std::fill(group.kept.begin(), group.kept.end(), ~std::uint64_t{0});
  for (std::size_t u = 0; u < group.units; ++u) {
    double z = 0;
    for (std::size_t f = 0; f < features; ++f) {
      z += static_cast<double>(group.row(u % kRowsPerGroup)[f]) * static_cast<double>(group.unit(u)[f]);
    }
    group.bias[u] = static_cast<float>(-z);
  }
  return group;
}

TEST(Scores, AreOneFusedChainPerRowOnEveryTarget) {
  for (const std::size_t features : {1, 2, 8, 33}) {
    for (const std::size_t units : {1, 2, 5, 6, 7, 8, 13, 40, 300}) {
      const Group group(features, units);
      Group::Found expected(group, 1);
      reference::scores(group.inputs(1), expected.out());
      test::on_every_target([&] {
        const auto found = group.scores();
        EXPECT_TRUE(test::same_bits(found.sums, expected.sums)) << features << ' ' << units;
        EXPECT_EQ(found.bits, expected.bits) << features << ' ' << units;
      });
    }
  }
}

TEST(Scores, ANotANumberInputReachesItsRowsScoreAndNoOther) {
  Group group(3, 7);
  group.row(9)[1] = NAN;
  std::fill(group.kept.begin(), group.kept.end(), ~std::uint64_t{0});
  test::on_every_target([&] {
    const auto found = group.scores();
    for (std::size_t r = 0; r < kRowsPerGroup; ++r) EXPECT_EQ(std::isnan(found.sums[r]), r == 9) << r;
  });
}

TEST(Signs, AreThoseOfTheChainOnEveryTarget) {
  for (const std::size_t features : {1, 2, 8, 15, 16, 33, 116}) {
    for (const std::size_t units : {1, 2, 5, 6, 7, 8, 13, 40, 300}) {
      const Group group(features, units);
      const auto bits = group.expected(1).bits;
      test::on_every_target([&] {
        for (const By by : kWays) EXPECT_EQ(group.signs(by).bits, bits) << features << ' ' << units;
      });
    }
  }
}

TEST(Signs, AreThoseOfTheChainAtItsRoundingsOnEveryTarget) {
  for (const std::size_t features : {1, 3, 33, 116, 500}) {
    const Group group = near_zero(features, 192);
    const auto bits = group.expected(1).bits;
    test::on_every_target([&] { EXPECT_EQ(group.signs(By::integers).bits, bits) << features; });
  }
}

TEST(Signs, SumColumnsWhereTheyAreSetInOrderOnEveryTarget) {
  for (const std::size_t units : {1, 7, 40, 192}) {
    const Group group = near_zero(9, units);
    for (std::size_t count = 1; count <= kMaxColumns; ++count) {
      const auto sums = group.expected(count).sums;
      test::on_every_target([&] {
        for (const By by : kWays) {
          EXPECT_TRUE(test::same_bits(group.signs(by, count).sums, sums)) << units << ' ' << count;
        }
      });
    }
  }
}

// All integers of these vectors are rounded in the direction that moves their product most. That moves it by nine
// tenths of the bound, across zero.
TEST(Signs, AreThoseOfTheChainWhereTheIntegersAreFurthestOff) {
  constexpr std::size_t kAligned = 32;
  constexpr float kScale = 100;  // of (x, 1) and of (w, b), so that each has the length kQuantizedLength
  for (const float sign : {1.0F, -1.0F}) {
    Group group(kAligned + 2, 1);
    std::fill(group.x.begin(), group.x.end(), 0.0F);
    group.kept[0] = 1;
    float* x = group.row(0);
    float* w = group.unit(0);
    for (std::size_t i = 0; i < kAligned; ++i) {
      const float size = i % 2 == 0 ? 5650.49F : 5650.51F;
      x[i] = (i % 2 == 0 ? sign : -sign) * size / kScale;
      w[i] = size / kScale;
    }
    group.bias[0] = sign * 0.4F;
    // The number that gives a vector the length kQuantizedLength / kScale, where `last` is its last number.
    const auto rest = [&](float last) {
      double square =
          std::pow(static_cast<double>(kQuantizedLength / kScale), 2) - std::pow(static_cast<double>(last), 2);
      for (std::size_t i = 0; i < kAligned; ++i) square -= std::pow(static_cast<double>(w[i]), 2);
      return static_cast<float>(std::sqrt(square));
    };
    x[kAligned] = rest(1);
    w[kAligned] = 0;
    x[kAligned + 1] = 0;
    w[kAligned + 1] = rest(group.bias[0]);
    const float z = reference::hidden_unit(group.inputs(1), 0, 0);
    ASSERT_TRUE(sign * z > 0 && sign * z < 0.2F) << z;
    test::on_every_target([&] { EXPECT_EQ(group.signs(By::integers).bits[0], sign > 0 ? 1U : 0U); });
  }
}

// Every size of row meets every size of unit. The last rows and units have a number that is infinite or NaN.
TEST(Signs, AreThoseOfTheChainAtAnySizeOfNumberOnEveryTarget) {
  const float sizes[] = {0.0F, 1e-42F, 1e-30F, 1e-22F, 1e-18F, 1e-15F, 1e-8F, 1.0F, 1e10F, 1e15F, 1e18F, 1e25F};
  const float odd[] = {NAN, INFINITY, -INFINITY};
  for (const std::size_t features : {3, 33}) {
    Group group(features, 64);
    std::fill(group.kept.begin(), group.kept.end(), ~std::uint64_t{0});
    const auto rescale = [&](std::size_t i, float* numbers, std::size_t n) {
      for (std::size_t k = 0; k < n; ++k) numbers[k] *= sizes[i % std::size(sizes)];
      if (i >= 60) numbers[i % n] = odd[i % std::size(odd)];
    };
    for (std::size_t i = 0; i < kRowsPerGroup; ++i) {
      rescale(i, group.row(i), features);
      rescale(i, group.unit(i), features);
      group.bias[i] *= i % 5 == 0 ? 0 : sizes[i % std::size(sizes)];
    }
    group.bias[50] = NAN;
    const auto bits = group.expected(1).bits;
    test::on_every_target([&] {
      for (const By by : kWays) EXPECT_EQ(group.signs(by).bits, bits) << features;
    });
  }
}

// The bound covers how far quantization moves a product, and no sum leaves 32 bits: see quantized.h.
TEST(AmbiguityBound, CoversTheRoundingOfAllNumbersAndLeavesRoomIn32Bits) {
  for (const std::size_t features : {1, 11, 33, 116, 500}) {
    const double n = static_cast<double>(features) + 1;
    const double length = static_cast<double>(kQuantizedLength);
    const double bound = ambiguity_bound(features);
    EXPECT_GE(bound, std::sqrt(n) * length + n / 4) << features;
    EXPECT_LE(bound, 1.1 * std::sqrt(n) * length + 100) << features;
    EXPECT_LT(std::pow(length * (1 + 0x1p-19) + std::sqrt(n) / 2, 2) + 2 * bound, 0x1p31) << features;
  }
}

TEST(QuantizedVectors, AreScaledToOneLengthAndRoundedOnEveryTarget) {
  for (const std::size_t features : {1, 2, 15, 16, 17, 33, 116}) {
    const Group group(features, 40);
    const std::size_t pairs = quantized_pairs(features);
    test::on_every_target([&] {
      std::vector<std::int16_t> w(group.units * 2 * pairs);
      quantize(group.units_to_quantize(), w.data());
      for (std::size_t u = 0; u < group.units; ++u) {
        const auto number = [&](std::size_t f) {
          return f < features ? static_cast<double>(group.unit(u)[f]) : static_cast<double>(group.bias[u]);
        };
        double squares = 0;
        for (std::size_t f = 0; f <= features; ++f) squares += std::pow(number(f), 2);
        const double scale = static_cast<double>(kQuantizedLength) / std::sqrt(squares);
        for (std::size_t i = 0; i < 2 * pairs; ++i) {
          // The integer is off by at most one half, and the length by 32 roundings.
          const double scaled = i <= features ? number(i) * scale : 0;
          ASSERT_NEAR(w[u * 2 * pairs + i], scaled, 0.5 + 0x1p-19 * std::abs(scaled))
              << features << ' ' << u << ' ' << i;
        }
      }
    });
  }
}

TEST(QuantizedVectors, ArePackedByPairsAndFilledUpWithZerosOnEveryTarget) {
  for (const std::size_t rows : {0, 1, 4, 63, 64}) {
    for (const std::size_t features : {1, 6, 7, 33}) {
      const std::size_t pairs = quantized_pairs(features);
      std::vector<std::int16_t> quantized(rows * 2 * pairs);
      std::iota(quantized.begin(), quantized.end(), std::int16_t{-1000});
      const auto place = test::backwards(rows);
      test::on_every_target([&] {
        std::vector<std::int16_t> packed(kRowsPerGroup * 2 * pairs, 9);
        pack_quantized({.rows = rows, .features = features, .quantized = quantized.data(), .indices = place.data()},
                       packed.data());
        for (std::size_t r = 0; r < kRowsPerGroup; ++r) {
          for (std::size_t i = 0; i < 2 * pairs; ++i) {
            EXPECT_EQ(packed[(i / 2 * kRowsPerGroup + r) * 2 + i % 2],
                      r < rows ? quantized[place[r] * 2 * pairs + i] : 0);
          }
        }
      });
    }
  }
}

TEST(PackGroup, TransposesAndFillsUpWithZerosOnEveryTarget) {
  for (const std::size_t rows : {0, 1, 4, 63, 64}) {
    for (const std::size_t features : {1, 3, 4, 9}) {
      const std::size_t stride = features + 2;
      const auto x = test::normal_floats(rows * stride, 1);
      const auto place = test::backwards(rows);
      test::on_every_target([&] {
        std::vector<float> in_order(kRowsPerGroup * features, 9.0F);
        std::vector<float> indexed(in_order);
        pack_group(rows, features, {.data = x.data(), .stride = stride}, in_order.data());
        pack_group(rows, features, {.data = x.data(), .stride = stride, .indices = place.data()}, indexed.data());
        for (std::size_t r = 0; r < kRowsPerGroup; ++r) {
          for (std::size_t f = 0; f < features; ++f) {
            EXPECT_EQ(in_order[f * kRowsPerGroup + r], r < rows ? x[r * stride + f] : 0.0F);
            EXPECT_EQ(indexed[f * kRowsPerGroup + r], r < rows ? x[place[r] * stride + f] : 0.0F);
          }
        }
      });
    }
  }
}

TEST(AddScores, AddTheProductOfRowAndGradientOnEveryTarget) {
  for (const std::size_t features : kWidths) {
    for (const std::size_t rows : {1, 15, 16, 70, 256}) {
      const std::size_t stride = round_up(features, 16);
      const auto place = test::backwards(rows);
      AlignedVector<float> x(rows * stride, 0.0F), gradient(rows * (stride + 16), 0.0F);
      const auto numbers = test::normal_floats(2 * rows * features, 1);
      for (std::size_t r = 0; r < rows; ++r) {
        std::copy_n(numbers.data() + r * features, features, x.data() + place[r] * stride);
        std::copy_n(numbers.data() + (rows + r) * features, features, gradient.data() + r * (stride + 16));
      }
      const ScoreRows args{.rows = rows,
                           .features = features,
                           .x = {.data = x.data(), .stride = stride, .indices = place.data()},
                           .gradient = gradient.data(),
                           .gradient_stride = stride + 16};
      std::vector<float> expected(rows, 0.3F);
      reference::add_scores(args, expected.data());
      test::on_every_target([&] {
        std::vector<float> score(rows, 0.3F);
        add_scores(args, score.data());
        EXPECT_TRUE(test::same_bits(score, expected)) << features << ' ' << rows;
      });
    }
  }
}

TEST(UnitGradients, FollowTheDocumentedChainsOnEveryTarget) {
  for (const std::size_t features : kWidths) {
    for (const std::size_t units : {1, 5}) {
      const std::size_t stride = round_up(features + 1, 16) + 16;
      const auto sums = test::normal_floats(units * stride, 1);
      const auto w = test::normal_floats(units * features + 16, 2);
      const auto bias = test::normal_floats(units, 3);
      const auto v = test::normal_floats(units, 4);
      struct Out {
        std::vector<float> w, bias, v;
      };
      const auto run = [&](const auto& kernel) {
        // The memory behind the weights may belong to another thread's units, and must not change.
        Out out{std::vector<float>(units * features + 16, 7.0F), std::vector<float>(units), std::vector<float>(units)};
        kernel({.features = features,
                .units = units,
                .sums = sums.data(),
                .sums_stride = stride,
                .weights = w.data(),
                .bias = bias.data(),
                .v = v.data(),
                .inverse_keep = 1.25F,
                .d_weights = out.w.data(),
                .d_bias = out.bias.data(),
                .d_v = out.v.data()});
        return out;
      };
      const Out expected = run([](const UnitGradients& args) { reference::unit_gradients(args); });
      test::on_every_target([&] {
        const Out out = run([](const UnitGradients& args) { unit_gradients(args); });
        EXPECT_TRUE(test::same_bits(out.w, expected.w)) << features << ' ' << units;
        EXPECT_TRUE(test::same_bits(out.bias, expected.bias)) << features << ' ' << units;
        EXPECT_TRUE(test::same_bits(out.v, expected.v)) << features << ' ' << units;
      });
    }
  }
}

}  // namespace
}  // namespace perpend::kernels
