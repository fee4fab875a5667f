#include "perpend/data/reading.h"

#include <gtest/gtest.h>

#include "perpend/base/option_mention.h"
#include "perpend/data/cells.h"
#include "perpend/data/encode.h"
#include "tests/data/tables.h"

namespace perpend {
namespace {

using Form = Reading::Form;
using Texts = std::vector<std::string>;

Table table_of(const Texts& cells, char separator = ',') {
  std::string text = "x,y\n";
  for (const std::string& cell : cells) text += "\"" + cell + "\",0\n";
  Table table = csv(text);
  table.separator = separator;
  return table;
}

Reading reading_of(const Texts& cells, char separator = ',') {
  const Table table = table_of(cells, separator);
  return find_reading(table, table.columns[0]);
}

// The numbers of the column by its own reading.
std::vector<double> numbers_of(const Table& table) {
  const NumericCells cells(table.columns[0], find_reading(table, table.columns[0]));
  std::vector<double> numbers;
  for (std::size_t row = 0; row < table.rows; ++row) numbers.push_back(cells.number(row));
  return numbers;
}

TEST(Reading, ReadsNumbersAsPeopleWriteThem) {
  struct Case {
    const char* word;
    Reading reading;
    double number;
  };
  const Reading point{.form = Form::decimal_point};
  const Reading comma{.form = Form::decimal_comma};
  for (const auto& [word, reading, number] : std::vector<Case>{
           {"$1,234", {Form::decimal_point, "$"}, 1234},
           {"-$1,234.50", {Form::decimal_point, "$"}, -1234.5},
           {"$ -5", {Form::decimal_point, "$"}, -5},
           {"€ 12.50", {Form::decimal_point, "€"}, 12.5},
           {"12,50 €", {Form::decimal_comma, "€"}, 12.5},
           {"1.234,56 EUR", {Form::decimal_comma, "EUR"}, 1234.56},
           {"12 %", {Form::decimal_point, "%"}, 12},
           {"12.5%", {Form::decimal_point, "%"}, 12.5},
           {"1 234", point, 1234},
           {"1\u00A0234\u202F567", point, 0},
           {"1\u202F234\u202F567.5", point, 1234567.5},
           {"1'234'567", point, 1234567},
           {"1,234,567", point, 1234567},
           {"\u22125", point, -5},
           {"1,5", comma, 1.5},
           {"0,123", comma, 0.123},
           {"1.234.567", comma, 1234567},
           {"1 234,5", comma, 1234.5},
       }) {
    const auto read = read_number(word, reading);
    if (number == 0) {
      EXPECT_EQ(read, std::nullopt) << word << ": groups are parted by one mark throughout";
    } else {
      EXPECT_EQ(read, number) << word;
    }
  }
}

TEST(Reading, LeavesEverythingElseAWord) {
  for (const char* word :
       {"",     "$",   "%",   "0123", "1,23", "12,3456", "1234,567", "1,234,56", "1.5.2", "18-25", "5 cm",
        "$5 $", "+-5", "$5-", "1,5",  "5,",   "1 2",     "12:30",    "1e5",      "$1e5",  "nan",   "2024-03-01"}) {
    EXPECT_EQ(read_number(word, {Form::decimal_point, "$"}), std::nullopt) << word;
  }
  EXPECT_EQ(read_number("1,5", {}), std::nullopt);
  EXPECT_EQ(read_number("€5", {Form::decimal_point, "$"}), std::nullopt) << "another currency is another quantity";
}

TEST(Reading, IsFoundWhereEveryWordIsANumber) {
  EXPECT_EQ(reading_of({"$1,234", "$12.50", "7", "NA", ""}), (Reading{Form::decimal_point, "$"}));
  EXPECT_EQ(reading_of({"12 %", "3%"}), (Reading{Form::decimal_point, "%"}));
  EXPECT_EQ(reading_of({"1.234,56", "3,5"}), (Reading{Form::decimal_comma, ""}));
  EXPECT_EQ(reading_of({"0,5", "1,25", "3"}), (Reading{Form::decimal_comma, ""}));
}

TEST(Reading, IsPlainWhereAWordIsNone) {
  EXPECT_TRUE(reading_of({"$5", "free"}).is_plain());
  EXPECT_TRUE(reading_of({"$5", "€5"}).is_plain());
  EXPECT_TRUE(reading_of({"$5", "5 %"}).is_plain());
  EXPECT_TRUE(reading_of({"0123", "0456"}).is_plain());
  EXPECT_TRUE(reading_of({"1.5", "2,5"}).is_plain()) << "neither comma nor point begins the decimals of both";
  EXPECT_TRUE(reading_of({"1.5", "NA"}).is_plain());
}

TEST(Reading, OfACommaBeforeThreeDigitsFollowsTheSeparator) {
  EXPECT_EQ(reading_of({"1,234", "5,678"}, ',').form, Form::decimal_point);
  EXPECT_EQ(reading_of({"1,234", "5,678"}, '\t').form, Form::decimal_point);
  EXPECT_EQ(reading_of({"1,234", "5,678"}, ';').form, Form::decimal_comma);
  EXPECT_EQ(reading_of({"1,234", "1,234,567"}, ';').form, Form::decimal_point);
  EXPECT_EQ(reading_of({"1,234", "0.5"}, ';').form, Form::decimal_point);
  EXPECT_EQ(reading_of({"1,234", "0,5"}, ',').form, Form::decimal_comma);
}

TEST(Reading, OfOneThousandIsDecidedByTheOtherCells) {
  using Numbers = std::vector<double>;
  EXPECT_EQ(numbers_of(table_of({"1.000", "999,50"})), (Numbers{1000, 999.5}));
  EXPECT_EQ(numbers_of(table_of({"-12.345", "7", "1,5", "1.234,5"})), (Numbers{-12345, 7, 1.5, 1234.5}));
  EXPECT_EQ(numbers_of(csv("x;y\n1.000;0\n999,50;1\n")), (Numbers{1000, 999.5})) << "cells without quotes";
  EXPECT_EQ(numbers_of(csv("x\n1.000\n0.125\n")), (Numbers{1, 0.125})) << "all are plain numbers";
  EXPECT_EQ(numbers_of(table_of({"1.000", "$5"})), (Numbers{1, 5})) << "nothing speaks of decimal commas";
  EXPECT_EQ(numbers_of(table_of({"1.000", "1,234.5"})), (Numbers{1, 1234.5}));
  EXPECT_EQ(numbers_of(table_of({"1.000", "2.5", "1,234"})), (Numbers{1, 2.5, 1234}));
  EXPECT_TRUE(reading_of({"1.000", "0.123", "999,50"}).is_plain()) << "no thousand begins with 0";
}

TEST(Reading, OfOneThousandThatNoCellDecidesIsRefused) {
  for (const char separator : {',', ';'}) {
    EXPECT_EQ(data_error([&] {
                reading_of({"5,678", "1.234"}, separator);
              }),
              "t.csv:3: column 'x' has '1.234' beside '5,678', and no cell says whether a comma or a point begins the "
              "decimals; write its numbers without marks of thousands");
  }
  EXPECT_EQ(reading_of({"1.234", "5.678 €"}, ',').form, Form::decimal_point);
  data_error([&] { reading_of({"1.234", "5.678 €"}, ';'); });
}

TEST(Reading, OfOneThousandTravelsWithTheModel) {
  const Table table = csv("price;y\n1.000;a\n999,50;b\n2.500;a\n7;b\n");
  FitReport report;
  const Schema schema = fit_schema(table, all_rows(table), {.target = "y", .standardize = false}, &report);
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_TRUE(
      report.warnings[0].starts_with("column 'price' is read as numbers, '999,50' as 999.5 and '1.000' as 1000;"))
      << report.warnings[0];
  const Table later = csv("price\n3.000\n");
  EXPECT_EQ(encode_doubles(later, schema, all_rows(later))(0, 0), 3000);
}

const char kPrices[] = "price;share;y\n1.234,50 €;12 %;a\n99,90 €;7 %;b\n100 €;30 %;a\n5;8,5 %;b\n";

Texts spelled_warnings(const FitReport& report) {
  Texts lines;
  for (const std::string& line : report.warnings) lines.push_back(spelled(line, plain_spelling));
  return lines;
}

TEST(Reading, MakesColumnsOfNumbersAndSaysSo) {
  const Table table = csv(kPrices);
  FitReport report;
  const Schema schema = fit_schema(table, all_rows(table), {.target = "y", .standardize = false}, &report);
  EXPECT_EQ(schema.feature_names(), (Texts{"price", "share"}));
  EXPECT_EQ(spelled_warnings(report),
            (Texts{"column 'price' is read as numbers, '1.234,50 €' as 1234.5; categorical=price reads it as words",
                   "column 'share' is read as numbers, '8,5 %' as 8.5; categorical=share reads it as words"}));
  const auto inputs = encode_doubles(table, schema, all_rows(table));
  EXPECT_EQ(inputs(0, 0), 1234.5);
  EXPECT_EQ(inputs(3, 0), 5);
  EXPECT_EQ(inputs(3, 1), 8.5);
}

TEST(Reading, IsLeftToWhoWantsWords) {
  const Table table = csv(kPrices);
  FitReport report;
  const Schema schema =
      fit_schema(table, all_rows(table), {.target = "y", .categorical = {"price"}, .drop = {"share"}}, &report);
  EXPECT_EQ(schema.columns[0].levels, (Texts{"1.234,50 €", "100 €", "5", "99,90 €"}));
  EXPECT_EQ(report.warnings, Texts{});
}

TEST(Reading, TravelsWithTheModel) {
  const Table table = csv(kPrices);
  const Schema schema =
      schema_from_json(schema_to_json(fit_schema(table, all_rows(table), {.target = "y", .standardize = false})));
  EXPECT_EQ(schema.columns[0].reading, (Reading{Form::decimal_comma, "€"}));
  const Table later = csv("share,price\n\"1,5%\",\"2.000 €\"\n2.5,7.25\n,NA\n");
  const std::vector<std::uint32_t> known = {0, 1};
  const auto inputs = encode_doubles(later, schema, known);
  EXPECT_EQ(inputs(0, 0), 2000);
  EXPECT_EQ(inputs(0, 1), 1.5);
  EXPECT_EQ(inputs(1, 0), 7.25);
  EXPECT_NE(data_error([&] { encode_doubles(later, schema, all_rows(later)); }).find("t.csv:4"), std::string::npos);
  const Table dollars = csv("share,price\n1,$5\n");
  EXPECT_EQ(data_error([&] { encode_doubles(dollars, schema, all_rows(dollars)); }),
            "t.csv:2: column 'price' is '$5', but the model expects a number");
}

TEST(Reading, OfTheTargetTravelsWithTheModel) {
  std::string text = "x;price\n";
  for (int i = 0; i < 30; ++i)
    text += std::to_string(i * 37 % 401) + ";" + std::to_string(1 + i % 7) + ".000," + std::to_string(10 + i) + " €\n";
  const Table table = csv(text);
  FitReport report;
  const Schema found = fit_schema(table, all_rows(table), {.target = "price"}, &report);
  ASSERT_EQ(report.warnings.size(), 2U);
  EXPECT_TRUE(report.warnings[1].starts_with("the target 'price' is read as numbers, '1.000,10 €' as 1000.1"))
      << report.warnings[1];
  const Schema schema = schema_from_json(schema_to_json(found));
  EXPECT_EQ(schema.target_reading, (Reading{Form::decimal_comma, "€"}));
  const Table later = csv("x,price\n1,\"1,234\"\n2,1.000\n3,5\n");
  EXPECT_EQ(encode_targets(later, schema, all_rows(later)), (std::vector<double>{1.234, 1000, 5}));
  const Table dollars = csv("x,price\n1,$5\n");
  EXPECT_EQ(data_error([&] { encode_targets(dollars, schema, all_rows(dollars)); }),
            "t.csv:2: target 'price' is '$5', which is not a number, as a regression needs it");
}

TEST(Reading, IsNotWrittenWhereCellsArePlainNumbers) {
  const Table table = csv("x,y\n1,0\n2,1\n");
  EXPECT_EQ(schema_to_json(fit_schema(table, all_rows(table), {.target = "y"})).find("reading"), std::string::npos);
}

TEST(Reading, ThatPerpendDoesNotWriteIsRefused) {
  const Table table = csv(kPrices);
  const std::string good = schema_to_json(fit_schema(table, all_rows(table), {.target = "y"}));
  const std::string part = R"("reading":{"form":"decimal comma","unit":"€"})";
  ASSERT_NE(good.find(part), std::string::npos) << good;
  for (const char* wrong :
       {R"("reading":{"form":"decimal colon","unit":"€"})", R"("reading":{"form":"plain","unit":""})",
        R"("reading":{"form":"decimal comma","unit":"eggs"})", R"("reading":{"form":"decimal comma"})",
        R"("reading":{"form":"decimal comma","unit":"€","more":1})", R"("reading":7)"}) {
    std::string text = good;
    text.replace(text.find(part), part.size(), wrong);
    message_of(ErrorKind::model_file, [&] { schema_from_json(text); });
  }
}

TEST(Reading, NamesTheWordAmongManyNumbers) {
  std::string text = "price,y\n";
  for (int i = 0; i < 60; ++i) text += "$" + std::to_string(i * 37 % 101) + (i % 2 == 0 ? ",0\n" : ",1\n");
  const Table table = csv(text + "call us,0\n");
  EXPECT_EQ(
      data_error([&] { fit_schema(table, all_rows(table), {.target = "y"}); }),
      "t.csv:62: column 'price' is 'call us' where 60 other rows are numbers; correct it, or give categorical=price "
      "or drop=price");
}

TEST(Reading, OfManyColumnsIsSaidOfAFew) {
  std::string header, first, second;
  for (int c = 0; c < 12; ++c) {
    header += "c" + std::to_string(c) + ";";
    first += "1," + std::to_string(c + 10) + ";";
    second += "2," + std::to_string(90 - c) + ";";
  }
  const Table table = csv(header + "y\n" + first + "0\n" + second + "1\n");
  FitReport report;
  fit_schema(table, all_rows(table), {.target = "y"}, &report);
  ASSERT_EQ(report.warnings.size(), 11U);
  EXPECT_EQ(report.warnings.back(), "2 more columns are read as numbers or dates in this way");
}

}  // namespace
}  // namespace perpend
