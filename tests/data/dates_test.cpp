#include "perpend/data/dates.h"

#include <gtest/gtest.h>

#include "perpend/base/option_mention.h"
#include "perpend/data/encode.h"
#include "tests/data/tables.h"

namespace perpend {
namespace {

using Form = Reading::Form;
using Texts = std::vector<std::string>;

TEST(Dates, AreDaysSince1970) {
  const auto days = [](std::string_view text, DateOrder order) { return parse_date(text, order).value().days; };
  EXPECT_EQ(days("1970-01-01", DateOrder::year_first), 0);
  EXPECT_EQ(days("2024-03-01", DateOrder::year_first), 19783);
  EXPECT_EQ(days("2024/03/01", DateOrder::year_first), 19783);
  EXPECT_EQ(days("01.03.2024", DateOrder::day_first), 19783);
  EXPECT_EQ(days("1/3/2024", DateOrder::day_first), 19783);
  EXPECT_EQ(days("3/1/2024", DateOrder::month_first), 19783);
  EXPECT_EQ(days("2024-03-01 12:30", DateOrder::year_first), 19783 + 12.5 / 24);
  EXPECT_EQ(days("2024-03-01T12:30:00Z", DateOrder::year_first), 19783 + 12.5 / 24);
  EXPECT_EQ(days("2024-03-01T12:30:00+02:00", DateOrder::year_first), 19783 + 10.5 / 24);
  EXPECT_EQ(days("2024-03-01T12:30-0530", DateOrder::year_first), 19783 + 18.0 / 24);
  EXPECT_EQ(days("3/1/2024 1:30 PM", DateOrder::month_first), 19783 + 13.5 / 24);
  EXPECT_EQ(days("3/1/2024 12:00 AM", DateOrder::month_first), 19783);
  EXPECT_EQ(days("2024-03-01 00:00:01.5", DateOrder::year_first), 19783 + 1.5 / 3600 / 24);
}

TEST(Dates, HaveTheirPartsAsWritten) {
  const DateTime date = parse_date("2024-03-01T00:30:00+02:00", DateOrder::year_first).value();
  EXPECT_EQ(date.month, 3);
  EXPECT_EQ(date.weekday, 5) << "a Friday";
  EXPECT_EQ(date.hour, 0.5);
}

TEST(Dates, AreOfTheCalendarAndWhole) {
  for (const char* text : {"", "2024", "2024-03", "2023-02-29", "2024-13-01", "2024-00-01", "2024-03-01x",
                           "2024-03-01 ", "2024-03-01 12", "2024-03-01 25:00", "2024-03/01", "2024.03.01", "20240301",
                           "2024-03-01T12:30:00Q", "2024-03-01 13:00 PM", "2024-03-01 12:30:00.", "24-03-01"}) {
    EXPECT_FALSE(parse_date(text, DateOrder::year_first)) << text;
  }
  EXPECT_FALSE(parse_date("13/01/2024", DateOrder::month_first));
  EXPECT_FALSE(parse_date("1/3/24", DateOrder::day_first));
  EXPECT_FALSE(parse_date("1/3.2024", DateOrder::day_first));
}

Reading reading_of(const Texts& cells) {
  std::string text = "x,y\n";
  for (const std::string& cell : cells) text += cell + ",0\n";
  const Table table = csv(text);
  return find_reading(table, table.columns[0]);
}

TEST(Dates, HaveTheOrderThatReadsAllOfThem) {
  EXPECT_EQ(reading_of({"2024-03-01", "", "NA", "2024-12-31 23:59"}).form, Form::year_first);
  EXPECT_EQ(reading_of({"01/03/2024", "13/03/2024"}).form, Form::day_first);
  EXPECT_EQ(reading_of({"01/03/2024", "03/13/2024"}).form, Form::month_first);
  EXPECT_TRUE(reading_of({"13/03/2024", "03/13/2024"}).is_plain());
  EXPECT_TRUE(reading_of({"2024-03-01", "soon"}).is_plain());
  EXPECT_TRUE(reading_of({"2024-03-01", "2024"}).is_plain());
}

TEST(Dates, WhoseOrderNoCellSaysFollowTheirMarks) {
  EXPECT_EQ(reading_of({"01/03/2024", "02/03/2024"}).form, Form::month_first);
  EXPECT_EQ(reading_of({"01.03.2024", "02.03.2024"}).form, Form::day_first);
  EXPECT_EQ(reading_of({"01-03-2024", "02-03-2024"}).form, Form::day_first);
}

// Thirty rows with ascending dates, as in most tables with a date.
std::string visits(const char* clock = "") {
  std::string text = "when,x,y\n";
  for (int i = 0; i < 30; ++i) {
    text += "2024-" + std::string(i < 10 ? "01" : "02") + "-" + std::to_string(10 + i % 10) + clock + "," +
            std::to_string(i * 7 % 11) + (i % 2 == 0 ? ",a\n" : ",b\n");
  }
  return text;
}

TEST(Dates, BecomeTheTimeAndThePartsThatVary) {
  const Table table = csv(visits(" 12:30"));
  FitReport report;
  const Schema schema = fit_schema(table, all_rows(table), {.target = "y", .standardize = false}, &report);
  EXPECT_EQ(schema.feature_names(), (Texts{"when", "when.month", "when.weekday", "x"}));
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_EQ(spelled(report.warnings[0], plain_spelling),
            "column 'when' is read as dates, '2024-01-10 12:30' as 2024-01-10, in the inputs 'when', 'when.month', "
            "'when.weekday'; categorical=when reads it as words");
  const auto inputs = encode_doubles(table, schema, all_rows(table));
  EXPECT_EQ(inputs(0, 0), 19732 + 12.5 / 24);
  EXPECT_EQ(inputs(0, 1), 1);
  EXPECT_EQ(inputs(0, 2), 3);
  EXPECT_EQ(inputs(29, 1), 2);
}

TEST(Dates, ThatAscendAndAllDifferAreNoIds) {
  std::string text = "when,y\n";
  for (int i = 0; i < 28; ++i) text += "2024-02-" + std::to_string(101 + i).substr(1) + (i % 3 == 0 ? ",a\n" : ",b\n");
  const Table table = csv(text);
  EXPECT_EQ(fit_schema(table, all_rows(table), {.target = "y"}).feature_names(), (Texts{"when", "when.weekday"}));
}

TEST(Dates, SayWhereDayAndMonthAreOpen) {
  const Table table = csv("when,y\n01/02/2024,a\n03/04/2024,b\n");
  FitReport report;
  fit_schema(table, all_rows(table), {.target = "y"}, &report);
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_NE(report.warnings[0].find("'01/02/2024' as 2024-01-02 (no cell says whether day or month is first)"),
            std::string::npos)
      << report.warnings[0];
}

TEST(Dates, AreLeftToWhoWantsWordsOrNothing) {
  const Table table = csv(visits());
  EXPECT_EQ(fit_schema(table, all_rows(table), {.target = "y", .drop = {"when"}}).feature_names(), (Texts{"x"}));
  EXPECT_EQ(fit_schema(table, all_rows(table), {.target = "y", .categorical = {"when"}}).columns[0].levels.size(), 20U);
}

TEST(Dates, TravelWithTheModel) {
  const Table table = csv(visits());
  const Schema schema =
      schema_from_json(schema_to_json(fit_schema(table, all_rows(table), {.target = "y", .standardize = false})));
  const Table later = csv("x,when\n1,2025-12-31T06:00:00Z\n");
  EncodeReport report;
  const auto inputs = encode_doubles(later, schema, all_rows(later), &report);
  EXPECT_EQ(inputs(0, 0), 20453.25);
  EXPECT_EQ(inputs(0, 1), 12);
  EXPECT_TRUE(report.extra.empty());
  for (const char* wrong : {"soon", "2024", "31.12.2025"}) {
    const Table bad = csv("x,when\n1," + std::string(wrong) + "\n");
    EXPECT_EQ(data_error([&] { encode_doubles(bad, schema, all_rows(bad)); }),
              "t.csv:2: column 'when' is '" + std::string(wrong) + "', but the model expects a date");
  }
}

TEST(Dates, ThatAreMissingAreOneGapAmongPlainFeatures) {
  const Table table = csv(visits() + ",3,a\n");
  const Schema schema = fit_schema(table, all_rows(table), {.target = "y", .missing = Missing::indicator});
  EXPECT_EQ(schema.feature_names(), (Texts{"when", "when=missing", "when.month", "when.weekday", "x"}));
  EXPECT_EQ(schema_from_json(schema_to_json(schema)), schema);
}

TEST(Dates, InAModelHaveKnownPartsUnderTheirNames) {
  const Table table = csv(visits());
  const std::string good = schema_to_json(fit_schema(table, all_rows(table), {.target = "y"}));
  const std::string part = R"({"form":"year first","part":"month"})";
  ASSERT_NE(good.find(part), std::string::npos) << good;
  for (const char* wrong :
       {R"({"form":"year first","part":"hour"})", R"({"form":"year first","part":"century"})",
        R"({"form":"year last","part":"month"})", R"({"form":"year first","part":"month","unit":""})"}) {
    std::string text = good;
    text.replace(text.find(part), part.size(), wrong);
    message_of(ErrorKind::model_file, [&] { schema_from_json(text); });
  }
}

TEST(Dates, NameTheWordAmongThem) {
  std::string text = "when,y\n";
  for (int i = 0; i < 28; ++i) text += "2024-02-" + std::to_string(101 + i).substr(1) + (i % 2 == 0 ? ",0\n" : ",1\n");
  const Table table = csv(text + "later,0\n");
  EXPECT_EQ(data_error([&] { fit_schema(table, all_rows(table), {.target = "y"}); }),
            "t.csv:30: column 'when' is 'later' where 28 other rows are dates; correct it, or give categorical=when or "
            "drop=when");
}

}  // namespace
}  // namespace perpend
