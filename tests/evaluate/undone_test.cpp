// A column that is put back looks as at home and keeps its order.
#include "perpend/evaluate/undone.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "perpend/evaluate/home_columns.h"

namespace perpend {
namespace {

constexpr float kNoCell = std::numeric_limits<float>::quiet_NaN();

Inputs column_of(const std::vector<float>& cells) {
  Inputs rows(cells.size(), 1);
  for (std::size_t r = 0; r < cells.size(); ++r) rows(r, 0) = cells[r];
  return rows;
}

Schema schema_of(std::vector<std::string> levels) {
  Schema schema;
  InputColumn column;
  column.name = "a";
  column.kind = levels.empty() ? ColumnKind::numeric : ColumnKind::categorical;
  column.levels = std::move(levels);
  if (column.levels.empty()) column.range = NumberRange{1, 4};
  schema.columns = {column};
  schema.features = {{.name = "a", .column = 0, .level = column.levels.empty() ? Feature::kNumber : Feature::kLevels}};
  schema.by_column = true;
  return schema;
}

std::vector<float> put_back_cells(const std::vector<float>& home, const std::vector<float>& here,
                                  const Schema& schema) {
  const Inputs at_home = column_of(home);
  const InputsView part = at_home.view();
  const auto columns = home_columns({&part, 1}, schema.level_counts());
  return put_back(columns[0], schema, 0, column_of(here).view());
}

TEST(Undone, ANumberKeepsItsOrder) {
  const auto cells = put_back_cells({1, 2, 3, 4}, {14, 11, 13, 12}, schema_of({}));
  EXPECT_LT(cells[1], cells[3]);
  EXPECT_LT(cells[3], cells[2]);
  EXPECT_LT(cells[2], cells[0]);
  for (const float cell : cells) EXPECT_LE(cell, 4);
}

TEST(Undone, WhatHasNotMovedStays) {
  EXPECT_EQ(put_back_cells({1, 2, 3, 4}, {3, 1, 4, 2}, schema_of({})), (std::vector<float>{3, 1, 4, 2}));
  EXPECT_EQ(put_back_cells({0, 1, 1, 0}, {1, 0}, schema_of({"x", "y"})), (std::vector<float>{1, 0}));
}

TEST(Undone, MissingCellsGoBackToo) {
  const auto cells = put_back_cells({1, 2, 3, 4}, {kNoCell, kNoCell, 1, 2}, schema_of({}));
  for (const float cell : cells) EXPECT_FALSE(std::isnan(cell));
}

TEST(Undone, ALevelIsGivenToAsManyRowsAsAtHome) {
  // At home half are x and half are y. Here all are y, or unknown.
  EXPECT_EQ(put_back_cells({0, 0, 1, 1}, {1, 1, 1, 1}, schema_of({"x", "y"})), (std::vector<float>{1, 1, 0, 0}));
  EXPECT_EQ(put_back_cells({0, 0, 1, 1}, {-1, -1, -1, -1}, schema_of({"x", "y"})), (std::vector<float>{0, 0, 1, 1}));
}

}  // namespace
}  // namespace perpend
