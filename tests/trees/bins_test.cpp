#include "perpend/trees/bins.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/trees/made_rows.h"

namespace perpend {
namespace {

std::size_t bin_of(const BinnedRows& binned, std::size_t row, std::size_t column) {
  return binned.block(column / kBlockColumns)[row] >> 8 * (column % kBlockColumns) & 255U;
}

Inputs column_of(const std::vector<float>& values) {
  Inputs x(values.size(), 1);
  for (std::size_t r = 0; r < values.size(); ++r) x(r, 0) = values[r];
  return x;
}

TEST(Bins, NumberIsInTheBinThatItsThresholdsSay) {
  const auto made = test::made_rows(3000, 1);
  const auto tables = test::made_tables();
  const BinnedRows binned = bin_rows(made.inputs.view(), tables, {}, 255, Threads(1));
  for (std::size_t c = 0; c < test::kMadeColumns; ++c) {
    const ColumnBins& own = binned.columns[c];
    if (own.is_category) continue;
    EXPECT_EQ(own.count, 256);
    for (std::size_t r = 0; r < made.inputs.rows(); ++r) {
      const float x = made.inputs(r, c);
      std::size_t bin = 0;
      while (bin < own.thresholds.size() && x > own.thresholds[bin]) ++bin;
      ASSERT_EQ(bin_of(binned, r, c), std::isnan(x) ? own.count - 1 : bin) << r << " " << c;
    }
  }
}

TEST(Bins, FewValuesHaveABinEach) {
  const Inputs x = column_of({3, -1, -1, 0, 3, NAN, -1});
  const BinnedRows binned = bin_rows(x.view(), {}, {}, 255, Threads(1));
  EXPECT_EQ(binned.columns[0].thresholds, (std::vector<float>{-0.5F, 1.5F}));
  EXPECT_EQ(bin_of(binned, 5, 0), 3);
}

TEST(Bins, ThresholdBetweenNeighbouringFloatsPartsThem) {
  const float next = std::nextafter(1.0F, 2.0F);
  const BinnedRows binned = bin_rows(column_of({next, 1.0F}).view(), {}, {}, 255, Threads(1));
  EXPECT_NE(bin_of(binned, 0, 0), bin_of(binned, 1, 0));
}

TEST(Bins, QuantilesShareTheRowsEvenly) {
  const auto made = test::made_rows(10'000, 2);
  const BinnedRows binned = bin_rows(made.inputs.view(), {}, {}, 20, Threads(1));
  std::vector<std::size_t> count(21, 0);
  for (std::size_t r = 0; r < 10'000; ++r) ++count[bin_of(binned, r, 0)];
  for (std::size_t b = 0; b < 20; ++b) EXPECT_NEAR(static_cast<double>(count[b]), 500, 2) << b;
}

TEST(Bins, HeavyValueHasABinOfItsOwn) {
  std::vector<float> values;
  for (int i = 0; i < 1000; ++i) values.push_back(i % 2 == 0 ? 0.0F : static_cast<float>(i - 500));
  const BinnedRows binned = bin_rows(column_of(values).view(), {}, {}, 10, Threads(1));
  for (std::size_t r = 1; r < values.size(); r += 2) ASSERT_NE(bin_of(binned, r, 0), bin_of(binned, 0, 0));
  EXPECT_EQ(binned.columns[0].thresholds.size(), 9);
}

TEST(Bins, WeightsCountAsCopies) {
  const auto made = test::made_rows(900, 3);
  std::vector<float> weights;
  std::vector<float> values;
  std::vector<float> copies;
  for (std::size_t r = 0; r < 900; ++r) {
    weights.push_back(static_cast<float>(r % 4));
    values.push_back(made.inputs(r, 0));
    copies.insert(copies.end(), r % 4, made.inputs(r, 0));
  }
  const auto weighted = bin_rows(column_of(values).view(), {}, weights, 30, Threads(1));
  const auto copied = bin_rows(column_of(copies).view(), {}, {}, 30, Threads(1));
  EXPECT_EQ(weighted.columns[0].thresholds, copied.columns[0].thresholds);
}

TEST(Bins, RareLevelsShareTheBinOfUnseenOnes) {
  std::vector<float> codes;
  for (int level = 0; level < 400; ++level) codes.insert(codes.end(), level < 200 ? 2 : 3, static_cast<float>(level));
  codes.push_back(-1);
  std::vector<ColumnTable> tables(1);
  tables[0].is_category = true;
  tables[0].means.assign(400, 1.0F / 400);
  const BinnedRows binned = bin_rows(column_of(codes).view(), tables, {}, 255, Threads(1));
  EXPECT_EQ(binned.columns[0].count, 256);
  EXPECT_EQ(bin_of(binned, codes.size() - 1, 0), 0);
  std::vector<std::size_t> levels_of_bin(256, 0);
  for (std::size_t code = 0; code < 402; ++code) ++levels_of_bin[binned.columns[0].bin_of_code[code]];
  EXPECT_EQ(levels_of_bin[0], 402 - 255);
  for (std::size_t level = 200; level < 400; ++level) EXPECT_NE(binned.columns[0].bin_of_code[level + 1], 0);
}

TEST(Bins, SameOnAnyNumberOfThreads) {
  const auto made = test::made_rows(2000, 4);
  const auto tables = test::made_tables();
  const auto one = bin_rows(made.inputs.view(), tables, {}, 100, Threads(1));
  const auto eight = bin_rows(made.inputs.view(), tables, {}, 100, Threads(8));
  EXPECT_EQ(one.cells, eight.cells);
}

}  // namespace
}  // namespace perpend
