#include "perpend/kernels/tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "perpend/kernels/reference.h"
#include "tests/support/targets.h"

namespace perpend::kernels {
namespace {

// Sizes around the sixteen floats of a load, planes of 32 units, tiles of 64, 128 and 256, and chunks of 256.
const std::vector<std::size_t> kUnits = {1,  15, 16,  17,  31,  32,  33,  48,  63,  64,  65,
                                         80, 96, 127, 128, 129, 144, 192, 255, 256, 257, 300};

struct Shape {
  TableKind kind;
  std::uint32_t rows;  // including the gap's
  bool has_gap;
};
// Every kind of column, in turn.
constexpr Shape kShapes[] = {
    {TableKind::linear, 1, false}, {TableKind::ramps, 6, false},    {TableKind::category, 5, true},
    {TableKind::ramps, 2, true},   {TableKind::category, 2, false}, {TableKind::ramps, 4, true},
    {TableKind::linear, 1, false}, {TableKind::category, 1, true},  {TableKind::ramps, 9, false},
};

// Bits by row, for whole blocks. Half of them are set, but none of units that do not exist.
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
struct Tables {
  Tables(std::size_t row_count, std::size_t column_count, std::size_t unit_count)
      : rows(row_count),
        units(unit_count),
        stride(round_up(rows, 16) + 16),
        bits(random_bits(rows, units)),
        cells(column_count * stride),
        slope(test::normal_floats(column_count * stride, 2)),
        bias(padded_floats(5)),
        v(padded_floats(6)) {
    std::uint32_t table_rows = 0;
    for (std::uint32_t d = 0; d < column_count; ++d) {
      const auto& [kind, count, has_gap] = kShapes[d % std::size(kShapes)];
      columns.push_back({.kind = kind, .column = d, .first = table_rows, .rows = count, .has_gap = has_gap});
      table_rows += count;
    }
    const Stream stream({.seed = 7, .purpose = Purpose::test, .member = 0, .step = 0});
    for (std::uint32_t k = 0; k < table_rows; ++k) means.push_back(stream.uniform(k));
    for (TableColumn& column : columns) column.means = means.data() + column.first;
    weights.assign(table_rows * pad_units(units), 0.0F);
    const auto numbers = test::normal_floats(table_rows * units, 3);
    std::size_t next = 0;
    for (const TableColumn& column : columns) {
      for (std::size_t k = 0; k < column.rows; ++k) {
        for (std::size_t u = 0; u < units; ++u) weights[column.at(k, u, pad_units(units))] = numbers[next++];
      }
    }
    const auto t = test::normal_floats(cells.size(), 1);
    for (const TableColumn& column : columns) {
      for (std::size_t r = 0; r < rows; ++r) {
        const std::size_t at = column.column * stride + r;
        cells[at] = {.row = stream.word(at) % column.rows, .t = t[at]};
        if (at % 11 != 10) continue;
        cells[at] = {.row = column.rows, .t = 0};
        slope[at] = 0;
      }
    }
    std::ranges::stable_sort(columns, {}, &TableColumn::kind);
  }
  AlignedVector<float> padded_floats(std::uint64_t seed) const {
    auto floats = test::normal_floats(units, seed);
    floats.resize(pad_units(units), 0.0F);
    return floats;
  }

  struct Forward {
    std::vector<float> scores;
    AlignedVector<std::uint32_t> bits;
  };
  Forward forward(bool with_bits, void (*kernel)(const TableForward&)) const {
    Forward found{std::vector<float>(rows, 7.0F), bits};
    AlignedVector<float> scratch(forward_scratch(columns), 7.0F);
    kernel(
        {.rows = rows,
         .cells = {.stride = stride, .cells = cells.data()},
         .member = {.units = units, .columns = columns, .weights = weights.data(), .bias = bias.data(), .v = v.data()},
         .bits = with_bits ? found.bits.data() : nullptr,
         .constant = 0.3F,
         .scores = found.scores.data(),
         .scratch = scratch.data()});
    return found;
  }
  void expect_forward_on_every_target() const {
    SCOPED_TRACE(std::to_string(rows) + " rows, " + std::to_string(columns.size()) + " columns, " +
                 std::to_string(units) + " units");
    for (const bool with_bits : {false, true}) {
      const Forward expected = forward(with_bits, reference::table_forward);
      test::on_every_target([&] {
        const Forward found = forward(with_bits, table_forward);
        EXPECT_TRUE(test::same_bits(found.scores, expected.scores)) << with_bits;
        EXPECT_EQ(found.bits, expected.bits) << with_bits;
      });
    }
  }

  // The rows, sorted by the table row that they pick.
  struct Sorted {
    std::vector<TableRun> runs;
    std::vector<std::uint32_t> rows;
    TableOrder order() const { return {.runs = runs, .rows = rows}; }
  };
  Sorted sorted(const TableColumn& column) const {
    Sorted out;
    for (std::uint32_t k = 0; k <= column.rows; ++k) {
      const auto begin = static_cast<std::uint32_t>(out.rows.size());
      for (std::uint32_t r = 0; r < rows; ++r) {
        if (cells[column.column * stride + r].row == k) out.rows.push_back(r);
      }
      const auto end = static_cast<std::uint32_t>(out.rows.size());
      if (k < column.rows && end > begin) out.runs.push_back({k, begin, end});
    }
    return out;
  }

  std::vector<float> input_gradient(const TableColumn& column, std::size_t first, std::size_t count,
                                    void (*kernel)(const TableInputGradient&)) const {
    std::vector<float> gradient(rows * 3, 7.0F);
    const Sorted by_row = sorted(column);
    kernel({.first = first,
            .count = count,
            .order = by_row.order(),
            .slope = slope.data() + column.column * stride,
            .units = units,
            .column = column,
            .weights = weights.data(),
            .v = v.data(),
            .bits = bits.data() + first * kWordsPerRow,
            .gradient = gradient.data() + 1,
            .stride = 3});
    return gradient;
  }
  void expect_input_gradients_on_every_target(std::size_t first, std::size_t count) const {
    for (const TableColumn& column : columns) {
      SCOPED_TRACE(std::to_string(column.column) + " of " + std::to_string(units) + " units");
      const auto expected = input_gradient(column, first, count, reference::table_input_gradient);
      test::on_every_target(
          [&] { EXPECT_TRUE(test::same_bits(input_gradient(column, first, count, table_input_gradient), expected)); });
    }
  }

  // There are two steps, so that the second one meets moments.
  struct Updated {
    AlignedVector<float> weights, m, moment, d_v;
  };
  Updated update(const TableColumn& column, std::size_t first, std::size_t count, bool with_gradient,
                 bool (*kernel)(const TableUpdate&)) const {
    Updated out{weights, AlignedVector<float>(weights.size(), 0.0F), AlignedVector<float>(weights.size(), 0.0F),
                test::normal_floats(kUnitsPerChunk, 8)};
    std::fill(out.d_v.begin() + static_cast<std::ptrdiff_t>(std::min(count, units - first)), out.d_v.end(), 0.0F);
    const Sorted by_row = sorted(column);
    const auto e = test::normal_floats(rows, 9);
    const auto d_gradient = test::normal_floats(rows * 3, 10);
    AlignedVector<float> scratch(update_scratch(rows, columns), 7.0F);
    for (int step = 0; step < 2; ++step) {
      EXPECT_TRUE(kernel({.rows = rows,
                          .order = by_row.order(),
                          .e = e.data(),
                          .cells = cells.data() + column.column * stride,
                          .slope = slope.data() + column.column * stride,
                          .d_gradient = with_gradient ? d_gradient.data() + 1 : nullptr,
                          .gradient_stride = 3,
                          .units = units,
                          .first = first,
                          .count = count,
                          .bits = bits.data(),
                          .column = column,
                          .step = {.step_size = 0.01F,
                                   .inverse_root = 1.5F,
                                   .epsilon = 1e-8F,
                                   .beta1 = 0.9F,
                                   .beta2 = 0.999F,
                                   .weight_decay = 1e-3F},
                          .weights = out.weights.data(),
                          .m = out.m.data(),
                          .moment = out.moment.data(),
                          .v = v.data(),
                          .d_v = out.d_v.data(),
                          .scratch = scratch.data()}));
    }
    return out;
  }
  void expect_update_on_every_target(std::size_t first, std::size_t count, bool with_gradient) const {
    for (const TableColumn& column : columns) {
      SCOPED_TRACE(std::to_string(column.column) + " of " + std::to_string(units) + " units, from " +
                   std::to_string(first));
      const Updated expected = update(column, first, count, with_gradient, reference::table_update);
      EXPECT_FALSE(test::same_bits(expected.weights, weights));
      test::on_every_target([&] {
        const Updated found = update(column, first, count, with_gradient, table_update);
        EXPECT_TRUE(test::same_bits(found.weights, expected.weights));
        EXPECT_TRUE(test::same_bits(found.m, expected.m));
        EXPECT_TRUE(test::same_bits(found.moment, expected.moment));
        EXPECT_TRUE(test::same_bits(found.d_v, expected.d_v));
      });
    }
  }

  std::size_t rows, units, stride;
  AlignedVector<std::uint32_t> bits;
  std::vector<TableColumn> columns;
  std::vector<float> means;
  std::vector<TableCell> cells;
  AlignedVector<float> slope, weights, bias, v;
};

TEST(TableForward, IsTheTwinForAnyUnitsOnEveryTarget) {
  for (const std::size_t units : kUnits) Tables(6, 10, units).expect_forward_on_every_target();
}

TEST(TableForward, IsTheTwinForAnyColumnsOnEveryTarget) {
  for (std::size_t columns = 1; columns <= 80; ++columns) Tables(5, columns, 40).expect_forward_on_every_target();
}

TEST(TableForward, IsTheTwinForAnyRowsOnEveryTarget) {
  for (const std::size_t rows : {1, 2, 3, 4, 7, 63, 64, 65, 128, 255, 256}) {
    Tables(rows, 9, 33).expect_forward_on_every_target();
  }
}

TEST(TableForward, ANotANumberCellReachesItsRowsScoreAndNoOther) {
  Tables tables(20, 9, 70);
  tables.cells[1 * tables.stride + 9].t = NAN;
  test::on_every_target([&] {
    const auto found = tables.forward(false, table_forward);
    for (std::size_t r = 0; r < tables.rows; ++r) EXPECT_EQ(std::isnan(found.scores[r]), r == 9) << r;
  });
}

// There are two columns. One has two levels with shares 3/4 and 1/4 and weights 8 and 4, so A is 1 and -3. The other is
// a number that has a ramp of weight 2 and mean 1/2, and a gap of weight -4 and share 1/4, so A is 0 and -3.
TEST(TableForward, OfACaseWorkedOutByHand) {
  const float shares[] = {0.75F, 0.25F};
  const float means[] = {0.5F, 0.25F};
  const std::vector<TableColumn> columns = {
      {.kind = TableKind::ramps, .column = 0, .first = 0, .rows = 2, .has_gap = true, .means = means},
      {.kind = TableKind::category, .column = 1, .first = 2, .rows = 2, .has_gap = false, .means = shares}};
  AlignedVector<float> weights(4 * kTableTile, 0.0F), bias(kTableTile, 0.0F), v(kTableTile, 0.0F);
  weights[columns[0].at(0, 0, kTableTile)] = 2;
  weights[columns[0].at(1, 0, kTableTile)] = -4;
  weights[columns[1].at(0, 0, kTableTile)] = 8;
  weights[columns[1].at(1, 0, kTableTile)] = 4;
  bias[0] = 10;
  v[0] = 1;
  // The cells of four rows: ramp and first level, gap and second level, nothing and first level, ramp and nothing.
  const TableCell cells[] = {{0, 0.5F}, {1, 0}, {2, 0}, {0, 1}, {0, 0}, {1, 0}, {0, 0}, {2, 0}};
  std::vector<float> scores(4);
  AlignedVector<float> scratch(forward_scratch(columns));
  table_forward(
      {.rows = 4,
       .cells = {.stride = 4, .cells = cells},
       .member = {.units = 1, .columns = columns, .weights = weights.data(), .bias = bias.data(), .v = v.data()},
       .scores = scores.data(),
       .scratch = scratch.data()});
  EXPECT_EQ(scores, (std::vector{10.0F + 0 + 0.5F * 2 + 1, 10.0F - 3 - 3, 10.0F + 1, 10.0F + 0 + 2}));
}

TEST(TableInputGradient, IsTheTwinForAnyUnitsOnEveryTarget) {
  for (const std::size_t units : kUnits) Tables(40, 9, units).expect_input_gradients_on_every_target(0, 40);
}

TEST(TableInputGradient, IsTheTwinForAnyRowsOnEveryTarget) {
  for (const std::size_t rows : {1, 15, 16, 17, 65, 255, 256}) {
    Tables(rows, 9, 33).expect_input_gradients_on_every_target(0, rows);
  }
  Tables(200, 9, 40).expect_input_gradients_on_every_target(64, 64);
}

TEST(TableUpdate, IsTheTwinForAnyUnitsOnEveryTarget) {
  for (const std::size_t units : kUnits) {
    const Tables tables(30, 9, units);
    for (std::size_t first = 0; first < units; first += first == 0 && units > 64 ? 64 : 192) {
      const std::size_t end = std::min(units, (first / kUnitsPerChunk + 1) * kUnitsPerChunk);
      tables.expect_update_on_every_target(first, pad_units(end - first), true);
    }
  }
}

TEST(TableUpdate, IsTheTwinForAnyRowsOnEveryTarget) {
  for (const std::size_t rows : {1, 2, 17, 256, 600}) Tables(rows, 9, 33).expect_update_on_every_target(0, 64, true);
  Tables(30, 9, 33).expect_update_on_every_target(0, 64, false);
}

TEST(TableUpdate, TellsThatAWeightLeftTheNumbers) {
  Tables tables(20, 9, 40);
  const TableColumn& ramps = *std::ranges::find(tables.columns, TableKind::ramps, &TableColumn::kind);
  const auto sorted = tables.sorted(ramps);
  auto e = test::normal_floats(tables.rows, 9);
  AlignedVector<float> m(tables.weights.size(), 0.0F), moment = m, d_v(64, 0.0F);
  AlignedVector<float> scratch(update_scratch(tables.rows, tables.columns));
  std::fill(tables.bits.begin(), tables.bits.end(), ~0U);
  e[sorted.rows[0]] = NAN;
  test::on_every_target([&] {
    EXPECT_FALSE(table_update({.rows = tables.rows,
                               .order = sorted.order(),
                               .e = e.data(),
                               .cells = tables.cells.data() + ramps.column * tables.stride,
                               .slope = tables.slope.data() + ramps.column * tables.stride,
                               .units = tables.units,
                               .first = 0,
                               .count = 64,
                               .bits = tables.bits.data(),
                               .column = ramps,
                               .step = {.step_size = 0.01F,
                                        .inverse_root = 1,
                                        .epsilon = 1e-8F,
                                        .beta1 = 0.9F,
                                        .beta2 = 0.999F,
                                        .weight_decay = 0},
                               .weights = tables.weights.data(),
                               .m = m.data(),
                               .moment = moment.data(),
                               .v = tables.v.data(),
                               .d_v = d_v.data(),
                               .scratch = scratch.data()}));
  });
}

}  // namespace
}  // namespace perpend::kernels
