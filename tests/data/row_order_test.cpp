#include "perpend/data/row_order.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "perpend/data/encode.h"
#include "tests/data/tables.h"

namespace perpend {
namespace {

// The rows as text, in the order given.
std::vector<std::string> texts(const Table& table, const std::vector<std::uint32_t>& rows) {
  std::vector<std::string> out;
  for (const auto row : rows) {
    std::string text;
    for (const Column& column : table.columns) text += column.text(row) + "|";
    out.push_back(text);
  }
  return out;
}

TEST(RowsByContent, DoNotDependOnTheOrderOfTheTable) {
  const Table table = csv("a,b,y\n1,x,0\n2,y,1\n3,,0\n1.5,x,1\n-0,z,1\n");
  const Table turned = csv("a,b,y\n0,z,1\n3,,0\n1.50,x,1\n1,x,0\n2,y,1\n");
  const auto order = rows_by_content(table, "");
  EXPECT_EQ(order.size(), 5U);
  EXPECT_EQ(texts(table, order), texts(turned, rows_by_content(turned, "")));
}

TEST(RowsByContent, MixASortedTable) {
  std::string text = "a,y\n";
  for (int i = 0; i < 200; ++i) text += std::to_string(i) + (i < 100 ? ",0\n" : ",1\n");
  const Table table = csv(text);
  const auto order = rows_by_content(table, "");
  int changes = 0;
  for (std::size_t i = 1; i < order.size(); ++i) changes += (order[i] < 100) != (order[i - 1] < 100) ? 1 : 0;
  EXPECT_GT(changes, 60);
}

TEST(RowsByContent, AWholeWeightIsThatManyCopies) {
  const Table weighted = csv("a,y,w\n1,0,2\n2,1,0\n3,1,1\n4,0,3\n");
  const Table copied = csv("a,y\n4,0\n1,0\n3,1\n4,0\n1,0\n4,0\n");
  std::vector<double> from_weights;
  std::vector<double> from_copies;
  for (const auto row : rows_by_content(weighted, "w")) from_weights.push_back(weighted.columns[0].number(row));
  for (const auto row : rows_by_content(copied, "")) from_copies.push_back(copied.columns[0].number(row));
  EXPECT_EQ(from_weights, from_copies);
  EXPECT_EQ(from_weights.size(), 6U);
}

TEST(RowsByContent, AColumnThatIsNotUsedDoesNotCount) {
  const Table with = csv("a,place,b,y\n1,x,3,0\n2,y,1,1\n3,,2,0\n1.5,x,7,1\n-0,z,5,1\n");
  const Table without = csv("a,b,y\n1,3,0\n2,1,1\n3,2,0\n1.5,7,1\n-0,5,1\n");
  const std::vector<std::string> unused = {"place"};
  EXPECT_EQ(rows_by_content(with, "", unused), rows_by_content(without, ""));
  EXPECT_NE(rows_by_content(with, ""), rows_by_content(without, ""));
}

TEST(RowsByContent, FractionsStayWeightsAndZeroLeavesARowOut) {
  const Table table = csv("a,y,w\n1,0,0.5\n2,1,0\n3,1,1\n");
  EXPECT_FALSE(copies_of_rows(table, "w"));
  EXPECT_EQ(rows_by_content(table, "w").size(), 2U);
  EXPECT_FALSE(copies_of_rows(csv("a,w\n1,100\n2,1\n"), "w")) << "a hundred copies of two rows are too many";
}

TEST(NumbersView, ReadsAnArrayAsItsCopyWouldBeRead) {
  // (rows, columns) in C order, as in NumPy.
  const std::array<float, 8> array = {1, 10.25F, NAN, -20, 3, 1e30F, 4, INFINITY};
  Table table{.source = "X", .rows = 4, .columns = {}, .lines = {}, .first_row = 0};
  for (std::size_t c = 0; c < 2; ++c) {
    Column column;
    column.name = "x" + std::to_string(c);
    column.view = {.first = &array[c], .step = 8, .floats = true};
    table.columns.push_back(column);
  }
  table.columns[0].marks = {kNumberCell, kMissingCell, kNumberCell, kNumberCell};
  Table copy = csv("x0,x1,target\n1,10.25,a\n,-20,b\n3,1.00000001504746622e30,a\n4,inf,b\n");
  table.columns.push_back(copy.columns[2]);
  SchemaOptions options;
  options.target = "target";
  options.missing = Missing::indicator;
  const auto rows = all_rows(table);
  const Schema schema = fit_schema(table, rows, options);
  EXPECT_EQ(schema, fit_schema(copy, rows, options));
  const Inputs seen = encode_inputs(table, schema, rows);
  const Inputs wanted = encode_inputs(copy, schema, rows);
  for (std::size_t r = 0; r < 4; ++r) {
    for (std::size_t f = 0; f < seen.cols(); ++f) EXPECT_EQ(seen(r, f), wanted(r, f));
  }
}

}  // namespace
}  // namespace perpend
