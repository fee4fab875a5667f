#include "perpend/kernels/tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "perpend/kernels/reference.h"
#include "tests/support/targets.h"

namespace perpend::kernels {
namespace {

// Around the sixteen floats of a load, tiles of 64 and 128 units, and chunks of 256.
const std::vector<std::size_t> kUnits = {1,  15, 16,  17,  31,  32,  33,  48,  63,  64,  65,
                                         80, 96, 127, 128, 129, 144, 192, 255, 256, 257, 300};

struct Column {
  TableKind kind;
  std::size_t rows;  // with the gap's
  bool has_gap;
};
// Every kind of column, in turn.
constexpr Column kColumns[] = {
    {TableKind::linear, 1, false}, {TableKind::ramps, 6, false},    {TableKind::category, 5, true},
    {TableKind::ramps, 2, true},   {TableKind::category, 2, false}, {TableKind::ramps, 4, true},
    {TableKind::linear, 1, false}, {TableKind::category, 1, true},  {TableKind::ramps, 9, false},
};
constexpr Column column_at(std::size_t d) { return kColumns[d % std::size(kColumns)]; }

// Normal numbers, and zeros behind `units` of every row.
AlignedVector<float> table_of(std::size_t rows, std::size_t units, std::uint64_t seed) {
  const std::size_t stride = round_up(units, 16);
  const auto numbers = test::normal_floats(rows * units, seed);
  AlignedVector<float> table(rows * stride, 0.0F);
  for (std::size_t k = 0; k < rows; ++k) std::copy_n(numbers.data() + k * units, units, table.data() + k * stride);
  return table;
}

// Bits by row of whole blocks, half of them set; none of units that do not exist.
AlignedVector<std::uint32_t> random_bits(std::size_t rows, std::size_t units) {
  AlignedVector<std::uint32_t> bits(count_blocks(rows) * count_chunks(units) * kWordsPerChunk + 2, 0);
  std::vector<std::uint64_t> kept(round_up(units, 32));
  for (std::size_t row = 0; row < rows; row += kRowsPerGroup) {
    const auto group = static_cast<std::uint32_t>(row / kRowsPerGroup);
    dropout_masks({.stream = {}, .keep = keep_planes(0.5), .layer = 0, .group = group}, units, kept.data());
    std::uint32_t* block = bits.data() + row / kRowsPerBlock * count_chunks(units) * kWordsPerChunk;
    transpose_group(units, kept.data(), block + row % kRowsPerBlock * kWordsPerRow);
  }
  return bits;
}

// A member over some columns, and the cells of some rows. Every eleventh cell adds nothing.
struct Rows {
  Rows(std::size_t row_count, std::size_t column_count, std::size_t unit_count)
      : rows(row_count),
        columns(column_count),
        units(unit_count),
        stride(round_up(columns, 16) + 16),
        places{.stride = round_up(units, 16)},
        row(rows * stride, 0),
        t(test::normal_floats(rows * stride, 1)),
        slope(test::normal_floats(rows * stride, 2)),
        bias(test::normal_floats(units, 5)),
        v(test::normal_floats(units, 6)) {
    std::uint32_t table_rows = 0;
    for (std::size_t d = 0; d < columns; ++d) {
      kind.push_back(column_at(d).kind);
      first.push_back(table_rows);
      table_rows += static_cast<std::uint32_t>(column_at(d).rows);
    }
    weights = table_of(table_rows + 1, units, 3);
    constants = table_of(table_rows + 1, units, 4);
    for (AlignedVector<float>* table : {&weights, &constants}) {
      std::fill_n(table->data() + table_rows * round_up(units, 16), units, 0.0F);
    }
    const Stream stream({.seed = 7, .purpose = Purpose::test, .member = 0, .step = 0});
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t d = 0; d < columns; ++d) {
        const std::size_t at = r * stride + d;
        row[at] = first[d] + stream.word(at) % static_cast<std::uint32_t>(column_at(d).rows);
        if (at % 11 != 10) continue;
        row[at] = table_rows;
        t[at] = slope[at] = 0;
      }
    }
  }

  struct Found {
    std::vector<float> scores, gradient;
    AlignedVector<std::uint32_t> bits;
  };
  enum class With { nothing, bits, gradient };  // gradients need bits
  Found run(With with, void (*kernel)(const TableForward&)) const {
    const std::size_t gradient_stride = columns + 3;  // what lies behind a row's gradient is not ours
    Found found{std::vector<float>(rows, 7.0F), std::vector<float>(rows * gradient_stride, 7.0F),
                random_bits(rows, units)};
    kernel({.rows = rows,
            .cells = {.columns = columns, .stride = stride, .row = row.data(), .t = t.data(), .slope = slope.data()},
            .member = {.units = units,
                       .places = places,
                       .kind = kind.data(),
                       .first = first.data(),
                       .weights = weights.data(),
                       .constants = constants.data(),
                       .bias = bias.data(),
                       .v = v.data()},
            .bits = with == With::nothing ? nullptr : found.bits.data(),
            .constant = 0.3F,
            .scores = found.scores.data(),
            .gradient = with == With::gradient ? found.gradient.data() : nullptr,
            .gradient_stride = gradient_stride});
    return found;
  }
  void expect_twin_on_every_target() const {
    SCOPED_TRACE(std::to_string(rows) + " rows, " + std::to_string(columns) + " columns, " + std::to_string(units) +
                 " units");
    for (const With with : {With::nothing, With::bits, With::gradient}) {
      const Found expected = run(with, reference::table_forward);
      test::on_every_target([&] {
        const Found found = run(with, table_forward);
        EXPECT_TRUE(test::same_bits(found.scores, expected.scores)) << static_cast<int>(with);
        EXPECT_TRUE(test::same_bits(found.gradient, expected.gradient)) << static_cast<int>(with);
        EXPECT_EQ(found.bits, expected.bits) << static_cast<int>(with);
      });
    }
  }

  std::size_t rows, columns, units, stride;
  TablePlaces places;  // of weights and constants
  std::vector<TableKind> kind;
  std::vector<std::uint32_t> first;
  AlignedVector<std::uint32_t> row;
  AlignedVector<float> t, slope, weights, constants, bias, v;
};

TEST(TableForward, IsTheTwinForAnyUnitsOnEveryTarget) {
  for (const std::size_t units : kUnits) Rows(6, 10, units).expect_twin_on_every_target();
}

TEST(TableForward, IsTheTwinForAnyColumnsOnEveryTarget) {
  for (std::size_t columns = 1; columns <= 70; ++columns) Rows(5, columns, 40).expect_twin_on_every_target();
  Rows(5, 70, 300).expect_twin_on_every_target();
}

TEST(TableForward, IsTheTwinForAnyRowsOnEveryTarget) {
  for (const std::size_t rows : {1, 2, 3, 4, 7, 63, 64, 65, 128, 255, 256}) {
    Rows(rows, 9, 33).expect_twin_on_every_target();
  }
}

// W and A plane by plane, as TableMember has them, instead of row by row.
TEST(TableForward, GivesTheSameBitsFromPlanes) {
  for (const std::size_t units : kUnits) {
    const Rows by_row(6, 10, units);
    Rows by_plane = by_row;
    const std::size_t table_rows = by_row.weights.size() / round_up(units, 16);
    by_plane.places = {.plane = table_rows * kTableTile, .stride = kTableTile};
    const auto planes_of = [&](const AlignedVector<float>& table) {
      AlignedVector<float> planes(round_up(units, kTableTile) * table_rows, 0.0F);
      for (std::size_t k = 0; k < table_rows; ++k) {
        for (std::size_t u = 0; u < units; ++u) planes[by_plane.places.at(k, u)] = table[by_row.places.at(k, u)];
      }
      return planes;
    };
    by_plane.weights = planes_of(by_row.weights);
    by_plane.constants = planes_of(by_row.constants);
    const auto expected = by_row.run(Rows::With::gradient, table_forward);
    const auto found = by_plane.run(Rows::With::gradient, table_forward);
    EXPECT_TRUE(test::same_bits(found.scores, expected.scores)) << units;
    EXPECT_TRUE(test::same_bits(found.gradient, expected.gradient)) << units;
  }
}

TEST(TableForward, ANotANumberCellReachesItsRowsScoreAndNoOther) {
  Rows rows(20, 9, 70);
  rows.t[9 * rows.stride + 1] = NAN;
  test::on_every_target([&] {
    const auto found = rows.run(Rows::With::nothing, table_forward);
    for (std::size_t r = 0; r < rows.rows; ++r) EXPECT_EQ(std::isnan(found.scores[r]), r == 9) << r;
  });
}

// Runs of rows in an order that jumps between the blocks of a batch; the second table row has no run.
struct Sums {
  static constexpr std::size_t kTableRows = 5;
  static constexpr std::size_t kStride = kUnitsPerChunk;

  Sums(std::size_t row_count, std::size_t unit_count)
      : rows(row_count),
        units(unit_count),
        bits(random_bits(rows, units)),
        q(test::normal_floats(rows, 1)),
        e(test::normal_floats(rows, 2)) {
    for (std::size_t j = 0; j < rows; ++j) order.push_back(static_cast<std::uint32_t>((j * 7 + 3) % rows));
    const auto at = [&](std::size_t share) { return static_cast<std::uint32_t>(rows * share / 10); };
    runs = {{0, 0, at(1)}, {2, at(1), at(6)}, {3, at(6), at(6) + 1}, {4, at(6) + 1, at(10)}};
  }

  struct Found {
    std::vector<float> q, e;
  };
  Found run(std::size_t first, std::size_t count, bool with_q, bool with_e, void (*kernel)(const TableSums&)) const {
    Found found{std::vector<float>(kTableRows * kStride, 7.0F), std::vector<float>(kTableRows * kStride, 7.0F)};
    kernel({.first = first,
            .count = count,
            .all_units = units,
            .runs = runs.data(),
            .run_count = runs.size(),
            .order = order.data(),
            .bits = bits.data(),
            .q = with_q ? q.data() : nullptr,
            .e = with_e ? e.data() : nullptr,
            .q_sums = found.q.data(),
            .e_sums = found.e.data(),
            .stride = kStride});
    // Up to fifteen sums behind the last unit may be written as zeros.
    for (std::size_t k = 0; k < kTableRows; ++k) {
      for (std::vector<float>* sums : {&found.q, &found.e}) {
        for (std::size_t u = count; u < round_up(count, 16); ++u) (*sums)[k * kStride + u] = 0;
      }
    }
    return found;
  }

  std::size_t rows, units;
  AlignedVector<std::uint32_t> bits;
  AlignedVector<float> q, e;
  std::vector<std::uint32_t> order;
  std::vector<TableRun> runs;
};

TEST(TableSums, AreTheTwinsOnEveryTarget) {
  for (const std::size_t rows : {10, 256, 600}) {
    for (const std::size_t units : kUnits) {
      const Sums sums(rows, units);
      for (std::size_t first = 0; first < units; first += first == 0 && units > 64 ? 64 : 192) {
        const std::size_t count = std::min(units, (first / kUnitsPerChunk + 1) * kUnitsPerChunk) - first;
        for (const auto& [with_q, with_e] : {std::pair(true, true), {true, false}, {false, true}}) {
          const auto expected = sums.run(first, count, with_q, with_e, reference::table_sums);
          test::on_every_target([&] {
            const auto found = sums.run(first, count, with_q, with_e, table_sums);
            EXPECT_TRUE(test::same_bits(found.q, expected.q)) << rows << ' ' << units << ' ' << first;
            EXPECT_TRUE(test::same_bits(found.e, expected.e)) << rows << ' ' << units << ' ' << first;
          });
        }
      }
    }
  }
}

// Shares of the rows of a column, as tables have them.
std::vector<float> means_of(const Column& column) {
  const Stream stream({.seed = 8, .purpose = Purpose::test, .member = 0, .step = 0});
  std::vector<float> means;
  for (std::size_t k = 0; k < column.rows; ++k) means.push_back(stream.uniform(k));
  return means;
}

TEST(TableConstants, AreTheTwinsOnEveryTarget) {
  for (const std::size_t units : kUnits) {
    const std::size_t stride = round_up(units, 16);
    for (const Column& shape : kColumns) {
      const auto weights = table_of(shape.rows, units, 1);
      const auto means = means_of(shape);
      const auto run = [&](const auto& kernel) {
        std::vector<float> constants(shape.rows * stride, 0.0F);
        kernel({.kind = shape.kind, .rows = shape.rows, .has_gap = shape.has_gap, .means = means.data()}, units, stride,
               weights.data(), constants.data());
        return constants;
      };
      const auto expected = run(reference::table_constants);
      test::on_every_target(
          [&] { EXPECT_TRUE(test::same_bits(run(table_constants), expected)) << units << ' ' << shape.rows; });
    }
  }
}

TEST(TableGradients, AreTheTwinsOnEveryTarget) {
  for (const std::size_t units : kUnits) {
    const std::size_t stride = round_up(units, 16);
    const std::size_t sums_stride = stride + 16;
    for (const Column& shape : kColumns) {
      const auto weights = table_of(shape.rows, units, 1);
      const auto constants = table_of(shape.rows, units, 2);
      const auto q = test::normal_floats(shape.rows * sums_stride, 3);
      const auto e = test::normal_floats(shape.rows * sums_stride, 4);
      const auto v = test::normal_floats(units, 5);
      const auto means = means_of(shape);
      struct Out {
        AlignedVector<float> w, v;
      };
      const auto run = [&](const auto& kernel) {
        Out out{AlignedVector<float>(shape.rows * sums_stride, 7.0F), test::normal_floats(units, 6)};
        kernel({.column = {.kind = shape.kind, .rows = shape.rows, .has_gap = shape.has_gap, .means = means.data()},
                .units = units,
                .stride = stride,
                .weights = weights.data(),
                .constants = constants.data(),
                .v = v.data(),
                .sums_stride = sums_stride,
                .q_sums = q.data(),
                .e_sums = e.data(),
                .d_weights = out.w.data(),
                .d_v = out.v.data()});
        // Up to fifteen numbers behind the last unit may be written.
        for (std::size_t k = 0; k < shape.rows; ++k)
          std::fill_n(out.w.data() + k * sums_stride + units, stride - units, 0.0F);
        return out;
      };
      const Out expected = run(reference::table_gradients);
      test::on_every_target([&] {
        const Out out = run(table_gradients);
        EXPECT_TRUE(test::same_bits(out.w, expected.w)) << units << ' ' << shape.rows;
        EXPECT_TRUE(test::same_bits(std::span(out.v).first(units), std::span(expected.v).first(units)))
            << units << ' ' << shape.rows;
      });
    }
  }
}

// A worked case: three levels with shares 1/2, 1/4 and 1/4, and a number with two ramps and a gap.
TEST(TableConstants, OfACaseWorkedOutByHand) {
  const float shares[] = {0.5F, 0.25F, 0.25F};
  AlignedVector<float> weights(3 * 16, 0.0F), constants(3 * 16, 0.0F);
  weights[0] = 8;
  weights[16] = 4;
  weights[32] = -4;
  table_constants({.kind = TableKind::category, .rows = 3, .has_gap = false, .means = shares}, 1, 16, weights.data(),
                  constants.data());
  EXPECT_EQ((std::vector{constants[0], constants[16], constants[32]}), (std::vector{4.0F, 0.0F, -8.0F}));
  table_constants({.kind = TableKind::ramps, .rows = 3, .has_gap = true, .means = shares}, 1, 16, weights.data(),
                  constants.data());
  EXPECT_EQ((std::vector{constants[0], constants[16], constants[32]}), (std::vector{-4.0F, 4.0F, -3.0F}));
}

}  // namespace
}  // namespace perpend::kernels
