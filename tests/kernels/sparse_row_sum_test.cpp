#include "perpend/kernels/sparse_row_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "perpend/kernels/fast_path.h"
#include "perpend/kernels/reference.h"
#include "tests/kernels/collapsed_cases.h"
#include "tests/support/targets.h"

namespace perpend::kernels {
namespace {

using test::By;
using test::Group;
using test::kWays;
using test::kWidths;

// The bits S of one block in both orders.
struct RandomBits {
  RandomBits(std::size_t row_count, std::size_t unit_count, std::uint64_t seed)
      : rows(row_count),
        units(unit_count),
        by_unit(units * kGroupsPerBlock, 0),
        by_row((units + kUnitsPerChunk - 1) / kUnitsPerChunk * kWordsPerChunk, 0) {
    const Stream stream({.seed = seed, .purpose = Purpose::test, .member = 0, .step = 0});
    for (std::size_t u = 0; u < units; ++u) {
      for (std::size_t r = 0; r < rows; ++r) {
        // Row 0 has no unit, row 1 has every unit, and row 2 only the last. Unit 3 has no row, and unit 4 has every
        // row.
        bool on = stream.word(u * kRowsPerBlock + r) % 4 == 0;
        if (r == 0 || u == 3) on = false;
        if (r == 1 || u == 4) on = true;
        if (r == 2) on = u + 1 == units;
        if (on) set(r, u);
      }
    }
  }
  void set(std::size_t r, std::size_t u) {
    by_unit[r / 64 * units + u] |= std::uint64_t{1} << (r % 64);
    by_row[u / kUnitsPerChunk * kWordsPerChunk + r * kWordsPerRow + u % kUnitsPerChunk / 32] |= 1U << (u % 32);
  }
  BlockBits view() const { return {.rows = rows, .all_units = units, .by_unit = by_unit.data()}; }
  std::size_t rows, units;
  std::vector<std::uint64_t> by_unit;
  std::vector<std::uint32_t> by_row;
};

TEST(ColumnPlan, CutsEveryWidthIntoTablesAndAShortRemainder) {
  for (std::size_t n = 1; n <= 130; ++n) {
    const ColumnPlan plan = ColumnPlan::of_u(n);
    const std::size_t in_tables = plan.tables == 0 ? 0 : (plan.tables - 1) * kTableColumns + plan.last_width;
    EXPECT_EQ(ColumnPlan::of_t(n).remainder, 0U) << n;
    EXPECT_LE(plan.remainder, kMaxRemainder) << n;
    EXPECT_GE(in_tables, plan.first_remainder()) << n;
    EXPECT_TRUE(plan.remainder == 0 || in_tables == plan.first_remainder()) << n;
  }
}

// U = W v and G = S U^T, rows padded with zeros to 16 columns.
struct TestGradients {
  TestGradients(std::size_t row_count, std::size_t unit_count, std::size_t feature_count)
      : rows(row_count),
        units(unit_count),
        features(feature_count),
        stride(round_up(features, 16)),
        bits(rows, units, 5),
        w(test::normal_floats(units * features + 16, 6)),
        v(test::normal_floats(units, 7)),
        expected(rows * stride, 0.0F),
        start(rows * stride, 0.0F) {
    reference::input_gradient(bits.view(), hidden(0, units), {.data = expected.data(), .stride = stride});
    // The sign kernels compute the remainder columns.
    const std::size_t from = ColumnPlan::of_u(features).first_remainder();
    for (std::size_t i = 0; i < start.size(); ++i) start[i] = i % stride >= from ? expected[i] : 0;
  }
  HiddenUnits hidden(std::size_t first, std::size_t count) const {
    return {.features = features, .units = count, .weights = w.data() + first * features, .v = v.data() + first};
  }
  std::size_t rows, units, features, stride;
  RandomBits bits;
  AlignedVector<float> w, v, expected, start;
};

TEST(InputGradient, IsTheSumOverActiveUnitsInOrderOnEveryTarget) {
  for (const std::size_t features : kWidths) {
    for (const auto& [rows, units] : {std::pair<std::size_t, std::size_t>{1, 1}, {7, 17}, {65, 255}, {256, 300}}) {
      const TestGradients g(rows, units, features);
      test::on_every_target([&] {
        RowTables tables{ColumnPlan::of_u(features)};
        const auto lists = std::make_unique<IndexLists>();
        AlignedVector<float> gradient(g.start);
        for (std::size_t u = 0; u < units; u += kUnitsPerChunk) {
          fill_u(g.hidden(u, std::min(kUnitsPerChunk, units - u)), tables);
          input_gradient(rows, g.bits.by_row.data() + u / kUnitsPerChunk * kWordsPerChunk, tables, *lists,
                         {.data = gradient.data(), .stride = g.stride, .accumulate = u > 0});
        }
        EXPECT_TRUE(test::same_bits(gradient, g.expected)) << features << ' ' << rows << ' ' << units;
      });
    }
  }
}

// The signs of some units leave time for the whole sum or for a part of it. One object computes all cases in turn.
TEST(InterleavedSum, SumsTheSameWhileSignsAreFoundOnEveryTarget) {
  bool faster = false;
  for (const std::size_t features : {11, 16, 18, 19, 32, 33, 34, 35, 41, 42, 48, 50, 64, 116}) {
    for (const std::size_t group_units : {1, 6, 40, 256}) {
      const Group group(features, group_units);
      const auto group_bits = group.expected(1).bits;
      const auto sum = std::make_unique<InterleavedSum>();
      const auto scratch = std::make_unique<IndexLists>();
      for (const auto& [rows, units] : {std::pair<std::size_t, std::size_t>{64, 256}, {1, 1}, {7, 17}, {64, 255}}) {
        const TestGradients g(rows, units, features);
        test::on_every_target([&] {
          RowTables tables{ColumnPlan::of_u(features)};
          if (!InterleavedSum::is_faster(tables.plan())) return;
          faster = true;
          fill_u(g.hidden(0, units), tables);
          for (const By by : kWays) {
            AlignedVector<float> gradient(g.start);
            gradient.resize(gradient.size() + 16, 7.0F);  // may belong to another thread
            sum->start({.rows = rows,
                        .by_row = g.bits.by_row.data(),
                        .u_tables = &tables,
                        .gradient = gradient.data(),
                        .stride = g.stride});
            const std::uint16_t* at = sum->at;
            EXPECT_EQ(group.signs(by, 1, sum.get()).bits, group_bits);
            EXPECT_NE(sum->at, at) << "nothing was interleaved";
            const bool fits = rows == 1 || (rows == 7 && group_units == 256);
            EXPECT_FALSE(fits && sum->is_pending()) << features << ' ' << rows;
            sum->finish(*scratch);
            EXPECT_FALSE(sum->is_pending());
            EXPECT_EQ(std::count(gradient.end() - 16, gradient.end(), 7.0F), 16) << features;
            gradient.resize(g.expected.size());
            EXPECT_TRUE(test::same_bits(gradient, g.expected)) << features << ' ' << rows << ' ' << units;
          }
        });
      }
    }
  }
  if (!faster) GTEST_SKIP() << "no target of this machine interleaves";
}

// What fill_t reads.
struct TestAdjoints {
  TestAdjoints(std::size_t row_count, std::size_t feature_count, bool with_gradient)
      : rows(row_count),
        features(feature_count),
        stride(round_up(feature_count, 16)),
        place(test::backwards(row_count)),
        e(test::normal_floats(row_count, 1)),
        x(row_count * stride, 0.0F),
        gradient(with_gradient ? row_count * stride : 0, 0.0F) {
    const auto numbers = test::normal_floats(2 * rows * features, 2);
    for (std::size_t r = 0; r < rows; ++r) {
      std::copy_n(numbers.data() + r * features, features, x.data() + place[r] * stride);
      if (with_gradient) std::copy_n(numbers.data() + (rows + r) * features, features, gradient.data() + r * stride);
    }
  }
  Adjoints from(std::size_t first, std::size_t count) const {
    return {.features = features,
            .rows = count,
            .e = e.data() + first,
            .x = IndexedRows{.data = x.data(), .stride = stride, .indices = place.data()}.from(first),
            .gradient = gradient.empty() ? nullptr : gradient.data() + first * stride,
            .gradient_stride = stride};
  }
  std::size_t rows, features, stride;
  std::vector<std::uint32_t> place;
  AlignedVector<float> e, x, gradient;
};

TEST(UnitSums, AreTheSumOverActiveRowsInOrderOnEveryTarget) {
  for (const std::size_t features : kWidths) {
    const std::size_t rows = features % 2 == 0 ? 300 : 70;  // two blocks, or part of one
    const std::size_t units = features == 33 ? 300 : 130;
    const TestAdjoints t(rows, features, features % 3 != 0);
    const std::size_t blocks = (rows + kRowsPerBlock - 1) / kRowsPerBlock;
    const std::size_t stride = round_up(features + 1, 16) + 16;
    const auto in_block = [&](std::size_t block) { return std::min(kRowsPerBlock, rows - block * kRowsPerBlock); };
    std::vector<RandomBits> bits;
    AlignedVector<float> expected(units * stride, 0.0F);
    for (std::size_t block = 0; block < blocks; ++block) {
      bits.emplace_back(in_block(block), units, 8 + block);
      reference::unit_sums(bits[block].view(), {.first = 0, .count = units},
                           t.from(block * kRowsPerBlock, in_block(block)),
                           {.data = expected.data(), .stride = stride, .accumulate = block > 0});
    }
    const std::size_t step = features % 2 == 0 ? kUnitsPerChunk : 128;
    test::on_every_target([&] {
      const auto lists = std::make_unique<IndexLists>();
      AlignedVector<float> sums(units * stride, 0.0F);
      for (std::size_t block = 0; block < blocks; ++block) {
        RowTables tables{ColumnPlan::of_t(features)};
        fill_t(t.from(block * kRowsPerBlock, in_block(block)), tables);
        for (std::size_t u = 0; u < units; u += step) {
          unit_sums(bits[block].view(), {.first = u, .count = std::min(step, units - u)}, tables, *lists,
                    {.data = sums.data() + u * stride, .stride = stride, .accumulate = block > 0});
        }
      }
      for (std::size_t u = 0; u < units; ++u) {
        const std::span row(sums.data() + u * stride, features + 1);
        EXPECT_TRUE(test::same_bits(row, std::span(expected.data() + u * stride, features + 1))) << features;
      }
    });
  }
}

TEST(FastPath, IsOnUnlessSwitchedOff) {
  {
    const Without outer(FastPath::quantized_signs);
    const Without inner(FastPath::collapsed);
    EXPECT_FALSE(is_on(FastPath::quantized_signs));
    EXPECT_FALSE(is_on(FastPath::collapsed));
    EXPECT_TRUE(is_on(FastPath::interleaved_sums));
    EXPECT_FALSE(quantized_signs_are_faster(33));
  }
  EXPECT_TRUE(is_on(FastPath::quantized_signs));
  EXPECT_TRUE(is_on(FastPath::collapsed));
}

}  // namespace
}  // namespace perpend::kernels
