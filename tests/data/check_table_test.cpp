#include "perpend/data/check_table.h"

#include <gtest/gtest.h>

#include <limits>

#include "perpend/data/encode.h"
#include "tests/data/tables.h"

namespace perpend {
namespace {

Column numbers(const char* name, std::vector<double> values) {
  Column column;
  column.name = name;
  column.numbers = std::move(values);
  return column;
}

// Three rows: a column of numbers with a missing cell, and a column of words.
Table built() {
  Column age = numbers("age", {55, 0, 61});
  age.marks = {kNumberCell, kMissingCell, kNumberCell};
  Column paid = numbers("paid", {0, 0, 0});
  paid.words = {"yes", "no"};
  paid.marks = {0, 1, 0};
  return {.source = "built", .rows = 3, .columns = {age, paid}};
}

Schema schema_of(const Table& table) {
  return fit_schema(table, all_rows(table), {.target = "paid", .missing = Missing::mean});
}

TEST(CheckTable, AcceptsOneCellPerRowAndAViewOfThem) {
  Table table = built();
  EXPECT_NO_THROW(check_table(table));
  const double values[] = {1, 2, 3};
  table.columns.push_back(numbers("debt", {}));
  table.columns[2].view = {.first = values, .step = sizeof(double)};
  EXPECT_NO_THROW(check_table(table));
}

TEST(CheckTable, RefusesAColumnThatIsTooShortOrTooLong) {
  Table table = built();
  table.columns[0].numbers.pop_back();
  EXPECT_EQ(data_error([&] { check_table(table); }),
            "built has 3 rows, but column 'age' has 2 numbers; give each column one per row");
  table = built();
  table.columns[1].marks.push_back(0);
  EXPECT_EQ(data_error([&] { check_table(table); }),
            "built has 3 rows, but column 'paid' has 4 marks; give each column one per row");
  table = built();
  table.rows = 0;
  table.source.clear();
  EXPECT_EQ(data_error([&] { check_table(table); }),
            "the table has 0 rows, but column 'age' has 3 numbers; give each column one per row");
}

TEST(CheckTable, RefusesTwoColumnsOfOneName) {
  Table table = built();
  table.columns.push_back(table.columns[0]);
  EXPECT_EQ(data_error([&] { check_table(table); }), "built: columns 1 and 3 are both called 'age'");
}

TEST(CheckTable, IsMadeByWhatReadsTheTable) {
  Table table = built();
  const Schema schema = schema_of(table);
  table.columns[0].numbers.pop_back();
  data_error([&] { schema_of(table); });
  data_error([&] { fit_classes(table, {.target = "paid"}); });
  data_error([&] { encode(table, schema, all_rows(table)); });
  data_error([&] { encode_inputs(table, schema, all_rows(table)); });
  data_error([&] { encode_labels(table, schema, all_rows(table)); });
}

TEST(CheckTable, ANumberThatIsNanGetsTheAdviceToMarkIt) {
  Table table = built();
  const Schema schema = schema_of(table);
  table.columns[0].numbers[2] = std::numeric_limits<double>::quiet_NaN();
  const std::string message =
      "built[2]: column 'age' is NaN, but its mark says that it is a number; the mark of a missing cell is "
      "kMissingCell";
  EXPECT_EQ(data_error([&] { encode_inputs(table, schema, all_rows(table)); }), message);
  EXPECT_EQ(data_error([&] { schema_of(table); }), message);
}

}  // namespace
}  // namespace perpend
