#include "perpend/kernels/collapsed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "tests/support/targets.h"

namespace perpend::kernels {
namespace {

// Widths around every boundary of a column plan.
const std::vector<std::size_t> kWidths = {1,  2,  3,  7,  8,  9,  10, 11, 15, 16, 17,
                                          18, 19, 31, 32, 33, 34, 35, 64, 65, 116};

// The bits S of one block in both orders.
struct BlockBits {
  BlockBits(std::size_t rows, std::size_t units, std::uint64_t seed)
      : by_unit(units * kGroupsPerBlock, 0), by_row((units + kUnitsPerChunk - 1) / kUnitsPerChunk * kWordsPerChunk, 0) {
    const Stream stream({.seed = seed, .purpose = Purpose::test, .member = 0, .step = 0});
    for (std::size_t u = 0; u < units; ++u) {
      for (std::size_t r = 0; r < rows; ++r) {
        // Row 0 has no unit, row 1 every one, row 2 only the last; unit 3 no row, unit 4 every one.
        bool on = stream.word(u * kRowsPerBlock + r) % 4 == 0;
        if (r == 0 || u == 3) on = false;
        if (r == 1 || u == 4) on = true;
        if (r == 2) on = u + 1 == units;
        if (on) set(r, u);
      }
    }
  }
  void set(std::size_t r, std::size_t u) {
    by_unit[u * kGroupsPerBlock + r / 64] |= std::uint64_t{1} << (r % 64);
    by_row[u / kUnitsPerChunk * kWordsPerChunk + r * kWordsPerRow + u % kUnitsPerChunk / 32] |= 1U << (u % 32);
  }
  bool on(std::size_t r, std::size_t u) const {
    return ((by_unit[u * kGroupsPerBlock + r / 64] >> (r % 64)) & 1U) != 0;
  }
  std::vector<std::uint64_t> by_unit;
  std::vector<std::uint32_t> by_row;
};

// z, as collapsed.h defines it.
float chain(std::size_t features, const float* x, const float* w, float bias) {
  float z = bias;
  for (std::size_t f = 0; f < features; ++f) z = std::fma(x[f], w[f], z);
  return z;
}

// How the signs are found.
enum class By { floats, integers };
constexpr By kWays[] = {By::floats, By::integers};

// A member and one group of rows.
struct Group {
  Group(std::size_t feature_count, std::size_t unit_count)
      : features(feature_count),
        units(unit_count),
        stride(round_up(features, 16)),
        x(kRowsPerGroup * stride, 0.0F),
        w(test::normal_floats(units * features + 16, 2)),
        bias(test::normal_floats(round_up(units, 16), 3)),
        columns(test::normal_floats(kMaxColumns * units, 4)),
        kept(round_up(units, 32)) {
    const auto numbers = test::normal_floats(kRowsPerGroup * features, 1);
    for (std::size_t r = 0; r < kRowsPerGroup; ++r) {
      std::copy_n(numbers.data() + r * features, features, x.data() + r * stride);
    }
    dropout_masks({}, keep_planes(0.5), 0, 0, ~std::uint64_t{0}, units, kept.data());
  }

  const float* row(std::size_t r) const { return x.data() + r * stride; }
  float* row(std::size_t r) { return x.data() + r * stride; }
  const float* unit(std::size_t u) const { return w.data() + u * features; }
  float* unit(std::size_t u) { return w.data() + u * features; }
  bool on(std::size_t r, std::size_t u) const {
    return !(chain(features, row(r), unit(u), bias[u]) <= 0) && ((kept[u] >> r) & 1U) != 0;
  }
  std::vector<std::uint64_t> expected_bits() const {
    std::vector<std::uint64_t> bits(units * kGroupsPerBlock, 0);
    for (std::size_t u = 0; u < units; ++u) {
      for (std::size_t r = 0; r < kRowsPerGroup; ++r) {
        if (on(r, u)) bits[u * kGroupsPerBlock] |= std::uint64_t{1} << r;
      }
    }
    return bits;
  }

  struct Found {
    explicit Found(const Group& group, std::size_t column_count)
        : bits(group.units * kGroupsPerBlock, 0),
          parts(kPartsPerGroup * part_stride(group.units), 0),
          sums(column_count * kRowsPerGroup, 0.7F) {}
    SignOutputs out() { return {.by_unit = bits.data(), .by_part = parts.data(), .sums = sums.data()}; }
    std::vector<std::uint64_t> bits;
    std::vector<std::uint16_t> parts;
    std::vector<float> sums;
  };
  Found signs(By by, std::size_t column_count = 1, WalkBeside* beside = nullptr) const {
    Found found(*this, column_count);
    const std::size_t pairs = coarse_pairs(features);
    std::vector<float> packed(kRowsPerGroup * features);
    std::vector<std::int16_t> coarse_rows(kRowsPerGroup * 2 * pairs);
    std::vector<std::int16_t> coarse_weights(units * 2 * pairs + 16, 7);
    SignInputs in = inputs(column_count);
    if (by == By::floats) {
      pack_group(kRowsPerGroup, features, in.rows, packed.data());
      in.packed = packed.data();
      signs_by_floats(in, found.out(), beside);
    } else {
      std::vector<std::int16_t> coarse(kRowsPerGroup * 2 * pairs);
      const AlignedVector<float> ones(kRowsPerGroup, 1.0F);
      std::vector<std::uint32_t> in_order(kRowsPerGroup);
      std::iota(in_order.begin(), in_order.end(), 0U);
      coarsen(kRowsPerGroup, features, x.data(), stride, ones.data(), coarse.data());
      pack_coarse(kRowsPerGroup, features, coarse.data(), in_order.data(), coarse_rows.data());
      coarsen(units, features, w.data(), features, bias.data(), coarse_weights.data());
      EXPECT_EQ(std::count(coarse_weights.end() - 16, coarse_weights.end(), 7), 16) << "may belong to another thread";
      in.coarse_rows = coarse_rows.data();
      in.coarse_weights = coarse_weights.data();
      signs_by_integers(in, found.out(), beside);
    }
    return found;
  }
  // Scores with v in the place of the first column.
  Found scores(bool with_parts) const {
    Found found(*this, 1);
    std::vector<float> packed(kRowsPerGroup * features);
    SignInputs in = inputs(1);
    pack_group(kRowsPerGroup, features, in.rows, packed.data());
    in.packed = packed.data();
    SignOutputs out = found.out();
    if (!with_parts) out.by_part = nullptr;
    kernels::scores(in, out);
    return found;
  }
  SignInputs inputs(std::size_t column_count) const {
    return {.features = features,
            .units = units,
            .packed = nullptr,
            .coarse_rows = nullptr,
            .coarse_weights = nullptr,
            .rows = {x.data(), stride},
            .weights = w.data(),
            .bias = bias.data(),
            .kept = kept.data(),
            .column_count = column_count,
            .columns = columns.data()};
  }

  std::size_t features, units, stride;
  AlignedVector<float> x, w, bias, columns;
  std::vector<std::uint64_t> kept;
};

// Unit u passes through row u % 64, but for roundings: a plain sum of the products is often on the other side of zero.
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

void expect_parts(const std::vector<std::uint16_t>& parts, const std::vector<std::uint64_t>& bits, std::size_t units) {
  const std::size_t padded = part_stride(units);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::uint64_t word = i % padded < units ? bits[i % padded * kGroupsPerBlock] : 0;
    ASSERT_EQ(parts[i], (word >> (i / padded * 16)) & 0xFFFF) << units << ' ' << i;
  }
}

TEST(Scores, AreOneFusedChainPerRowOnEveryTarget) {
  for (const std::size_t features : {1, 2, 8, 33}) {
    for (const std::size_t units : {1, 2, 5, 6, 7, 8, 13, 40, 300}) {
      const Group group(features, units);
      const auto bits = group.expected_bits();
      std::vector<float> score(kRowsPerGroup, 0.7F);
      for (std::size_t r = 0; r < kRowsPerGroup; ++r) {
        for (std::size_t u = 0; u < units; ++u) {
          if (!group.on(r, u)) continue;
          const float z = chain(features, group.row(r), group.unit(u), group.bias[u]);
          score[r] = std::fma(z, group.columns[u], score[r]);
        }
      }
      test::on_every_target([&] {
        for (const bool with_parts : {false, true}) {
          const auto found = group.scores(with_parts);
          EXPECT_TRUE(test::same_bits(found.sums, score)) << features << ' ' << units;
          EXPECT_EQ(found.bits, bits) << features << ' ' << units;
          if (with_parts) expect_parts(found.parts, bits, units);
        }
      });
    }
  }
}

TEST(Scores, ANotANumberInputReachesItsRowsScoreAndNoOther) {
  Group group(3, 7);
  group.row(9)[1] = NAN;
  std::fill(group.kept.begin(), group.kept.end(), ~std::uint64_t{0});
  test::on_every_target([&] {
    const auto found = group.scores(false);
    for (std::size_t r = 0; r < kRowsPerGroup; ++r) EXPECT_EQ(std::isnan(found.sums[r]), r == 9) << r;
  });
}

TEST(Signs, AreThoseOfTheChainOnEveryTarget) {
  for (const std::size_t features : {1, 2, 8, 15, 16, 33, 116}) {
    for (const std::size_t units : {1, 2, 5, 6, 7, 8, 13, 40, 300}) {
      const Group group(features, units);
      const auto bits = group.expected_bits();
      test::on_every_target([&] {
        for (const By by : kWays) {
          const auto found = group.signs(by);
          EXPECT_EQ(found.bits, bits) << features << ' ' << units;
          expect_parts(found.parts, bits, units);
        }
      });
    }
  }
}

TEST(Signs, AreThoseOfTheChainAtItsRoundingsOnEveryTarget) {
  for (const std::size_t features : {1, 3, 33, 116, 500}) {
    const Group group = near_zero(features, 192);
    const auto bits = group.expected_bits();
    test::on_every_target([&] {
      const auto found = group.signs(By::integers);
      EXPECT_EQ(found.bits, bits) << features;
      expect_parts(found.parts, bits, group.units);
    });
  }
}

TEST(Signs, SumColumnsWhereTheyAreSetInOrderOnEveryTarget) {
  for (const std::size_t units : {1, 7, 40, 192}) {
    const Group group = near_zero(9, units);
    std::vector<float> sums(kMaxColumns * kRowsPerGroup, 0.7F);
    for (std::size_t c = 0; c < kMaxColumns; ++c) {
      for (std::size_t r = 0; r < kRowsPerGroup; ++r) {
        for (std::size_t u = 0; u < units; ++u) {
          if (group.on(r, u)) sums[c * kRowsPerGroup + r] += group.columns[c * units + u];
        }
      }
    }
    test::on_every_target([&] {
      for (const By by : kWays) {
        for (std::size_t count = 1; count <= kMaxColumns; ++count) {
          const auto size = static_cast<std::ptrdiff_t>(count * kRowsPerGroup);
          const std::vector<float> first(sums.begin(), sums.begin() + size);
          EXPECT_TRUE(test::same_bits(group.signs(by, count).sums, first)) << units << ' ' << count;
        }
      }
    });
  }
}

// Vectors whose integers are all rounded the way that moves their product most, by 0.91 of the bound, across zero.
TEST(Signs, AreThoseOfTheChainWhereTheIntegersAreFurthestOff) {
  constexpr std::size_t kAligned = 32;
  constexpr float kScale = 100;  // of (x, 1) and of (w, b), so that each has the length kCoarseLength
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
    // What makes the length of the first and a last number that of the others' scale.
    const auto rest = [&](float last) {
      double square = std::pow(static_cast<double>(kCoarseLength / kScale), 2) - std::pow(static_cast<double>(last), 2);
      for (std::size_t i = 0; i < kAligned; ++i) square -= std::pow(static_cast<double>(w[i]), 2);
      return static_cast<float>(std::sqrt(square));
    };
    x[kAligned] = rest(1);
    w[kAligned] = 0;
    x[kAligned + 1] = 0;
    w[kAligned + 1] = rest(group.bias[0]);
    const float z = chain(group.features, x, w, group.bias[0]);
    ASSERT_TRUE(sign * z > 0 && sign * z < 0.2F) << z;
    test::on_every_target([&] { EXPECT_EQ(group.signs(By::integers).bits[0], sign > 0 ? 1U : 0U); });
  }
}

// Every size of row meets every size of unit; the last rows and units have a number that is none.
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
    const auto bits = group.expected_bits();
    test::on_every_target([&] {
      for (const By by : kWays) EXPECT_EQ(group.signs(by).bits, bits) << features;
    });
  }
}

// Row r lies at place rows - 1 - r.
std::vector<std::uint32_t> backwards(std::size_t rows) {
  std::vector<std::uint32_t> places(rows);
  for (std::size_t r = 0; r < rows; ++r) places[r] = static_cast<std::uint32_t>(rows - 1 - r);
  return places;
}

TEST(CoarseVectors, AreScaledToOneLengthAndRoundedOnEveryTarget) {
  for (const std::size_t features : {1, 2, 15, 16, 17, 33, 116}) {
    const Group group(features, 40);
    const std::size_t pairs = coarse_pairs(features);
    test::on_every_target([&] {
      std::vector<std::int16_t> w(group.units * 2 * pairs);
      coarsen(group.units, features, group.w.data(), features, group.bias.data(), w.data());
      for (std::size_t u = 0; u < group.units; ++u) {
        const auto number = [&](std::size_t f) {
          return f < features ? static_cast<double>(group.unit(u)[f]) : static_cast<double>(group.bias[u]);
        };
        double squares = 0;
        for (std::size_t f = 0; f <= features; ++f) squares += std::pow(number(f), 2);
        const double scale = static_cast<double>(kCoarseLength) / std::sqrt(squares);
        for (std::size_t i = 0; i < 2 * pairs; ++i) {
          const double scaled = i <= features ? number(i) * scale : 0;
          ASSERT_NEAR(w[u * 2 * pairs + i], scaled, 0.502 + 1e-5 * std::abs(scaled))
              << features << ' ' << u << ' ' << i;
        }
      }
    });
  }
}

TEST(CoarseVectors, ArePackedByPairsAndFilledUpWithZerosOnEveryTarget) {
  for (const std::size_t rows : {0, 1, 4, 63, 64}) {
    for (const std::size_t features : {1, 6, 7, 33}) {
      const std::size_t pairs = coarse_pairs(features);
      std::vector<std::int16_t> coarse(rows * 2 * pairs);
      std::iota(coarse.begin(), coarse.end(), std::int16_t{-1000});
      const auto place = backwards(rows);
      test::on_every_target([&] {
        std::vector<std::int16_t> packed(kRowsPerGroup * 2 * pairs, 9);
        pack_coarse(rows, features, coarse.data(), place.data(), packed.data());
        for (std::size_t r = 0; r < kRowsPerGroup; ++r) {
          for (std::size_t i = 0; i < 2 * pairs; ++i) {
            EXPECT_EQ(packed[(i / 2 * kRowsPerGroup + r) * 2 + i % 2], r < rows ? coarse[place[r] * 2 * pairs + i] : 0);
          }
        }
      });
    }
  }
}

// A sum over sixteen lanes, folded in halves.
float fold(const float* lanes) {
  float x[16];
  std::copy_n(lanes, 16, x);
  for (std::size_t width = 8; width > 0; width /= 2) {
    for (std::size_t i = 0; i < width; ++i) x[i] += x[i + width];
  }
  return x[0];
}

TEST(PackGroup, TransposesAndFillsUpWithZerosOnEveryTarget) {
  for (const std::size_t rows : {0, 1, 4, 63, 64}) {
    for (const std::size_t features : {1, 3, 4, 9}) {
      const std::size_t stride = features + 2;
      const auto x = test::normal_floats(rows * stride, 1);
      const auto place = backwards(rows);
      test::on_every_target([&] {
        std::vector<float> in_order(kRowsPerGroup * features, 9.0F);
        std::vector<float> picked(in_order);
        pack_group(rows, features, {x.data(), stride}, in_order.data());
        pack_group(rows, features, {x.data(), stride, place.data()}, picked.data());
        for (std::size_t r = 0; r < kRowsPerGroup; ++r) {
          for (std::size_t f = 0; f < features; ++f) {
            EXPECT_EQ(in_order[f * kRowsPerGroup + r], r < rows ? x[r * stride + f] : 0.0F);
            EXPECT_EQ(picked[f * kRowsPerGroup + r], r < rows ? x[place[r] * stride + f] : 0.0F);
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
      const auto place = backwards(rows);
      AlignedVector<float> x(rows * stride, 0.0F), gradient(rows * (stride + 16), 0.0F);
      const auto numbers = test::normal_floats(2 * rows * features, 1);
      std::vector<float> expected;
      for (std::size_t r = 0; r < rows; ++r) {
        std::copy_n(numbers.data() + r * features, features, x.data() + place[r] * stride);
        std::copy_n(numbers.data() + (rows + r) * features, features, gradient.data() + r * (stride + 16));
        float lanes[16] = {};
        for (std::size_t f = 0; f < features; ++f) {
          lanes[f % 16] = std::fma(x[place[r] * stride + f], gradient[r * (stride + 16) + f], lanes[f % 16]);
        }
        expected.push_back(0.3F + fold(lanes));
      }
      test::on_every_target([&] {
        std::vector<float> score(rows, 0.3F);
        add_scores(rows, features, {x.data(), stride, place.data()}, gradient.data(), stride + 16, score.data());
        EXPECT_TRUE(test::same_bits(score, expected)) << features << ' ' << rows;
      });
    }
  }
}

// U = W v and G = S U^T, rows padded with zeros to 16 columns: each entry the sum over active units, ascending.
struct WalkedGradients {
  WalkedGradients(std::size_t row_count, std::size_t unit_count, std::size_t feature_count)
      : rows(row_count),
        units(unit_count),
        features(feature_count),
        stride(round_up(features, 16)),
        bits(rows, units, 5),
        w(test::normal_floats(units * features + 16, 6)),
        v(test::normal_floats(units, 7)),
        expected(rows * stride, 0.0F),
        start(rows * stride, 0.0F) {
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t f = 0; f < features; ++f) {
        float& sum = expected[r * stride + f];
        for (std::size_t u = 0; u < units; ++u) {
          if (bits.on(r, u)) sum += w[u * features + f] * v[u];
        }
        // The left-over columns came with the signs.
        if (f >= ColumnPlan(features).first_leftover()) start[r * stride + f] = sum;
      }
    }
  }
  std::size_t rows, units, features, stride;
  BlockBits bits;
  AlignedVector<float> w, v, expected, start;
};

TEST(InputGradient, IsTheSumOverActiveUnitsInOrderOnEveryTarget) {
  for (const std::size_t features : kWidths) {
    for (const auto& [rows, units] : {std::pair<std::size_t, std::size_t>{1, 1}, {7, 17}, {65, 255}, {256, 300}}) {
      const WalkedGradients g(rows, units, features);
      test::on_every_target([&] {
        WalkTables tables{ColumnPlan(features)};
        const auto lists = std::make_unique<BitLists>();
        AlignedVector<float> gradient(g.start);
        for (std::size_t u = 0; u < units; u += kUnitsPerChunk) {
          const std::size_t count = std::min(kUnitsPerChunk, units - u);
          fill_u(features, count, g.w.data() + u * features, g.v.data() + u, tables);
          input_gradient(rows, g.bits.by_row.data() + u / kUnitsPerChunk * kWordsPerChunk, tables, *lists, u > 0,
                         gradient.data(), g.stride);
        }
        EXPECT_TRUE(test::same_bits(gradient, g.expected)) << features << ' ' << rows << ' ' << units;
      });
    }
  }
}

// Beside groups of some units the whole walk fits in, or a part of it; one after the other, by one object.
TEST(WalkBeside, SumsTheSameWhileSignsAreFoundOnEveryTarget) {
  bool served = false;
  for (const std::size_t features : {11, 16, 18, 19, 32, 33, 34, 35, 41, 42, 48, 50, 64, 116}) {
    for (const std::size_t group_units : {1, 6, 40, 256}) {
      const Group group(features, group_units);
      const auto group_bits = group.expected_bits();
      const auto walk = std::make_unique<WalkBeside>();
      const auto scratch = std::make_unique<BitLists>();
      for (const auto& [rows, units] : {std::pair<std::size_t, std::size_t>{64, 256}, {1, 1}, {7, 17}, {64, 255}}) {
        const WalkedGradients g(rows, units, features);
        test::on_every_target([&] {
          WalkTables tables{ColumnPlan(features)};
          if (!WalkBeside::serves(tables.plan())) return;
          served = true;
          fill_u(features, units, g.w.data(), g.v.data(), tables);
          for (const By by : kWays) {
            AlignedVector<float> gradient(g.start);
            gradient.resize(gradient.size() + 16, 7.0F);  // may belong to another thread
            walk->start(rows, g.bits.by_row.data(), tables, gradient.data(), g.stride);
            const std::uint16_t* at = walk->at;
            EXPECT_EQ(group.signs(by, 1, walk.get()).bits, group_bits);
            EXPECT_NE(walk->at, at) << "nothing was summed beside";
            const bool fits = rows == 1 || (rows == 7 && group_units == 256);
            EXPECT_FALSE(fits && walk->waiting()) << features << ' ' << rows;
            walk->finish(*scratch);
            EXPECT_FALSE(walk->waiting());
            EXPECT_EQ(std::count(gradient.end() - 16, gradient.end(), 7.0F), 16) << features;
            gradient.resize(g.expected.size());
            EXPECT_TRUE(test::same_bits(gradient, g.expected)) << features << ' ' << rows << ' ' << units;
          }
        });
      }
    }
  }
  if (!served) GTEST_SKIP() << "no target of this machine walks beside signs";
}

// What fill_t puts into the tables: row r is e x_r + R_r, then e.
struct TRows {
  TRows(std::size_t row_count, std::size_t feature_count, bool with_gradient)
      : rows(row_count),
        features(feature_count),
        stride(round_up(feature_count, 16)),
        place(backwards(row_count)),
        e(test::normal_floats(row_count, 1)),
        x(row_count * stride, 0.0F),
        gradient(with_gradient ? row_count * stride : 0, 0.0F) {
    const auto numbers = test::normal_floats(2 * rows * features, 2);
    for (std::size_t r = 0; r < rows; ++r) {
      std::copy_n(numbers.data() + r * features, features, x.data() + place[r] * stride);
      if (with_gradient) std::copy_n(numbers.data() + (rows + r) * features, features, gradient.data() + r * stride);
    }
  }
  float t(std::size_t r, std::size_t c) const {
    if (c == features) return e[r];
    return std::fma(e[r], x[place[r] * stride + c], gradient.empty() ? 0.0F : gradient[r * stride + c]);
  }
  void fill(std::size_t first, std::size_t count, WalkTables& tables) const {
    fill_t(features, count, e.data() + first, PickedRows{x.data(), stride, place.data()}.from(first),
           gradient.empty() ? nullptr : gradient.data() + first * stride, stride, tables);
  }
  std::size_t rows, features, stride;
  std::vector<std::uint32_t> place;
  AlignedVector<float> e, x, gradient;
};

TEST(UnitSums, AreTheSumOverActiveRowsInOrderOnEveryTarget) {
  for (const std::size_t features : kWidths) {
    const std::size_t rows = features % 2 == 0 ? 300 : 70;  // two blocks, or part of one
    const std::size_t units = features == 33 ? 300 : 130;
    const TRows t(rows, features, features % 3 != 0);
    const std::size_t blocks = (rows + kRowsPerBlock - 1) / kRowsPerBlock;
    std::vector<BlockBits> bits;
    std::vector<float> expected(units * (features + 1), 0.0F);
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t first = block * kRowsPerBlock;
      bits.emplace_back(std::min(kRowsPerBlock, rows - first), units, 8 + block);
      for (std::size_t u = 0; u < units; ++u) {
        for (std::size_t r = first; r < std::min(first + kRowsPerBlock, rows); ++r) {
          if (!bits[block].on(r - first, u)) continue;
          for (std::size_t c = 0; c <= features; ++c) expected[u * (features + 1) + c] += t.t(r, c);
        }
      }
    }
    const std::size_t stride = round_up(features + 1, 16) + 16;
    const std::size_t step = features % 2 == 0 ? kUnitsPerChunk : 128;
    test::on_every_target([&] {
      const auto lists = std::make_unique<BitLists>();
      AlignedVector<float> sums(units * stride, 0.0F);
      for (std::size_t block = 0; block < blocks; ++block) {
        const std::size_t first = block * kRowsPerBlock;
        const std::size_t count = std::min(kRowsPerBlock, rows - first);
        WalkTables tables{ColumnPlan(features + 1)};
        t.fill(first, count, tables);
        for (std::size_t u = 0; u < units; u += step) {
          unit_sums(count, u, std::min(step, units - u), bits[block].by_unit.data(), bits[block].by_row.data(), tables,
                    *lists, block > 0, sums.data() + u * stride, stride);
        }
      }
      std::vector<float> out;
      for (std::size_t u = 0; u < units; ++u) {
        out.insert(out.end(), sums.data() + u * stride, sums.data() + u * stride + features + 1);
      }
      EXPECT_TRUE(test::same_bits(out, expected)) << features;
    });
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
      std::vector<float> d_w, d_bias, d_v;
      for (std::size_t u = 0; u < units; ++u) {
        const float* q = sums.data() + u * stride;
        float lanes[16] = {};
        for (std::size_t f = 0; f < features; ++f) {
          lanes[f % 16] = std::fma(w[u * features + f], q[f], lanes[f % 16]);
          d_w.push_back(q[f] * v[u]);
        }
        d_bias.push_back(q[features] * v[u]);
        d_v.push_back(std::fma(bias[u], q[features], fold(lanes)) * 1.25F);
      }
      test::on_every_target([&] {
        // What follows may belong to another thread's units, and must be left alone.
        std::vector<float> out_w(units * features + 16, 7.0F), out_bias(units), out_v(units);
        unit_gradients(features, units, sums.data(), stride, w.data(), bias.data(), v.data(), 1.25F, out_w.data(),
                       out_bias.data(), out_v.data());
        EXPECT_EQ(std::count(out_w.end() - 16, out_w.end(), 7.0F), 16) << features << ' ' << units;
        out_w.resize(units * features);
        EXPECT_TRUE(test::same_bits(out_w, d_w)) << features << ' ' << units;
        EXPECT_TRUE(test::same_bits(out_bias, d_bias)) << features << ' ' << units;
        EXPECT_TRUE(test::same_bits(out_v, d_v)) << features << ' ' << units;
      });
    }
  }
}

}  // namespace
}  // namespace perpend::kernels
