// A number that stands for missing in new rows is found. Numbers that simply occur often are not taken for one.
#include "perpend/evaluate/column_change.h"

#include <gtest/gtest.h>

#include <vector>

#include "perpend/evaluate/home_columns.h"

namespace perpend {
namespace {

Inputs one_column(const std::vector<float>& cells) {
  Inputs rows(cells.size(), 1);
  for (std::size_t r = 0; r < cells.size(); ++r) rows(r, 0) = cells[r];
  return rows;
}

// Numbers from 100 to 100 + rows - 1, of which the first `zeros` are replaced by 0.
std::vector<float> mostly_different(std::size_t rows, std::size_t zeros) {
  std::vector<float> cells;
  for (std::size_t r = 0; r < rows; ++r) cells.push_back(r < zeros ? 0 : 100 + static_cast<float>(r));
  return cells;
}

Schema schema_of_number(double low, double high) {
  Schema schema;
  InputColumn column;
  column.name = "chol";
  column.kind = ColumnKind::numeric;
  column.range = NumberRange{low, high};
  schema.columns = {column};
  schema.features = {{.name = "chol", .column = 0, .level = Feature::kNumber}};
  schema.by_column = true;
  return schema;
}

struct Change {
  std::optional<PossibleGap> gap;
  std::string text;
};
Change change_of(const std::vector<float>& home, const std::vector<float>& here, double low) {
  const Schema schema = schema_of_number(low, 100 + static_cast<double>(home.size()));
  const Inputs at_home = one_column(home), now = one_column(here);
  const InputsView part = at_home.view();
  const auto columns = home_columns({&part, 1}, schema.level_counts());
  return {possible_gap(columns[0], schema, 0, now.view()), change_text(columns[0], schema, 0, now.view())};
}

TEST(ColumnChange, AValueThatFillsTheColumnMayStandForMissing) {
  const Change change = change_of(mostly_different(500, 10), mostly_different(200, 200), 0);
  ASSERT_TRUE(change.gap.has_value());
  EXPECT_EQ(change.gap->value, "0");
  EXPECT_EQ(change.gap->share, 1);
  // This is an upper bound: the bin that has the zeros has a few other cells.
  EXPECT_GE(change.gap->home_most, 0.02);
  EXPECT_LT(change.gap->home_most, 0.05);
  EXPECT_EQ(change.text.rfind("100 % are 0, was at most ", 0), 0U) << change.text;
}

TEST(ColumnChange, AValueThatTrainingNeverHadIsNew) {
  const Change change = change_of(mostly_different(500, 0), mostly_different(200, 50), 100);
  ASSERT_TRUE(change.gap.has_value());
  EXPECT_EQ(change.gap->home_most, 0);
  EXPECT_EQ(change.text, "25 % are 0, was 0 %");
}

TEST(ColumnChange, FrequentValuesOfBothOrOfManyNumbersAreNoGap) {
  // There are as many zeros at home.
  EXPECT_FALSE(change_of(mostly_different(500, 125), mostly_different(200, 60), 0).gap);
  // Too few of the cells are zero.
  EXPECT_FALSE(change_of(mostly_different(500, 0), mostly_different(200, 12), 100).gap);
  // All are young, so each of a few numbers occurs more often than before.
  std::vector<float> young;
  for (int r = 0; r < 200; ++r) young.push_back(100 + static_cast<float>(r % 4));
  EXPECT_FALSE(change_of(mostly_different(500, 0), young, 100).gap);
  // The share of yes in a column of yes and no may well change.
  std::vector<float> flags, more_flags;
  for (int r = 0; r < 400; ++r) flags.push_back(r % 20 == 0 ? 1.0F : 0.0F);
  for (int r = 0; r < 100; ++r) more_flags.push_back(1);
  EXPECT_FALSE(change_of(flags, more_flags, 0).gap);
}

}  // namespace
}  // namespace perpend
