#include "perpend/data/read_arff.h"

#include <gtest/gtest.h>

#include "tests/data/tables.h"

namespace perpend {
namespace {

const char kWeather[] =
    "% a comment\n"
    "@RELATION 'the weather'\n\n"
    "@attribute outlook {sunny, 'very cloudy', \"it's\"}\r\n"
    "@attribute 'air temperature' REAL\n"
    "@attribute humid\tinteger\n"
    "@attribute note string\n"
    "@attribute code { 1, 2.0 ,?}\n"
    "@data\n"
    "sunny, 21.5, 80, 'a, b\\'s', 1\n"
    "% another\n"
    "'very cloudy' ,?,-1e3,?,2.0\n"
    "\"it's\",3,0,7,?\n";

TEST(ReadArff, ReadsDeclaredColumns) {
  const Table table = arff(kWeather);
  ASSERT_EQ(table.rows, 3U);
  EXPECT_EQ(table.names(), (std::vector<std::string>{"outlook", "air temperature", "humid", "note", "code"}));
  EXPECT_TRUE(table.columns[0].nominal);
  EXPECT_FALSE(table.columns[1].nominal);
  EXPECT_EQ(table.columns[0].text(1), "very cloudy");
  EXPECT_EQ(table.columns[0].text(2), "it's");
  EXPECT_EQ(table.columns[1].numbers[0], 21.5);
  EXPECT_TRUE(table.columns[1].is_missing(1));
  EXPECT_EQ(table.columns[2].numbers[1], -1000);
  EXPECT_EQ(table.columns[3].text(0), "a, b's");
  EXPECT_TRUE(table.columns[4].is_missing(2));
  EXPECT_EQ(table.place(1), "t.arff:12");
}

TEST(ReadArff, NumbersAsLevelsAreNamedByTheirValueAsInCsv) { EXPECT_EQ(arff(kWeather).columns[4].text(1), "2"); }

TEST(ReadArff, MissingMarkIsALevelWhenQuoted) {
  const Table table = arff("@relation r\n@attribute a {x,'?'}\n@data\n'?'\n?\n");
  EXPECT_EQ(table.columns[0].text(0), "?");
  EXPECT_TRUE(table.columns[0].is_missing(1));
}

}  // namespace
}  // namespace perpend
