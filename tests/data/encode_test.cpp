#include "perpend/data/encode.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/data/tables.h"

namespace perpend {
namespace {

using Texts = std::vector<std::string>;
using Numbers = std::vector<double>;

const char kTraining[] = "age,job,town,w,y\n30,cook,A,1,no\n40,nurse,B,2,yes\n50,cook,C,0,no\n60,nurse,A,1,yes\n";

Schema fit(const Table& table, SchemaOptions options = {}) {
  if (options.target.empty()) options.target = "y";
  return fit_schema(table, all_rows(table), options);
}

Numbers row_of(const Matrix<double, axis::Row, axis::Feature>& matrix, std::size_t row) {
  return {matrix.row(row), matrix.row(row) + matrix.cols()};
}

Numbers encoded_row(const Table& table, const Schema& schema, std::size_t row, EncodeReport* report = nullptr) {
  return row_of(encode_doubles(table, schema, all_rows(table), report), row);
}

TEST(Encode, NumbersAreStandardisedAndLevelsAreOneHot) {
  const Table table = csv(kTraining);
  const Schema schema = fit(table, {.sample_weight = "w"});
  const double sd = std::sqrt(125.0);
  EXPECT_EQ(encoded_row(table, schema, 0), (Numbers{-15 / sd, 0, 1, 0, 0}));
  EXPECT_EQ(encoded_row(table, schema, 1), (Numbers{-5 / sd, 1, 0, 1, 0}));
}

TEST(Encode, WithoutStandardisationNumbersAreThemselves) {
  const Table table = csv(kTraining);
  EXPECT_EQ(encoded_row(table, fit(table, {.drop = {"w"}, .standardize = false}), 3), (Numbers{60, 1, 1, 0, 0}));
}

TEST(Encode, OneHotIsStandardisedWhenAsked) {
  const Table table = csv("c,y\na,0\nb,1\nb,1\nb,0\n");
  const double sd = std::sqrt((0.5625 + 3 * 0.0625) / 4);
  EXPECT_EQ(encoded_row(table, fit(table, {.standardize_one_hot = true}), 0), (Numbers{-0.75 / sd}));
  EXPECT_EQ(encoded_row(table, fit(table, {.standardize_one_hot = true}), 1), (Numbers{0.25 / sd}));
}

TEST(Encode, DatasetHoldsLabelsClassesNamesAndWeightsInTheOrderOfTheRows) {
  const Table table = csv(kTraining);
  const Schema schema = fit(table, {.sample_weight = "w"});
  const std::vector<std::uint32_t> rows = {3, 0, 0};
  const Dataset dataset = encode(table, schema, rows);
  EXPECT_EQ(dataset.labels, (std::vector<std::int32_t>{1, 0, 0}));
  EXPECT_EQ(dataset.classes, (Texts{"no", "yes"}));
  EXPECT_EQ(dataset.features, schema.feature_names());
  EXPECT_EQ(dataset.weights, (std::vector<float>{1, 1, 1}));
  const auto doubles = encode_doubles(table, schema, rows);
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < dataset.inputs.cols(); ++c) {
      EXPECT_EQ(dataset.inputs(r, c), static_cast<float>(doubles(r, c)));
    }
  }
}

TEST(Encode, ColumnsAreMatchedByName) {
  const Table training = csv(kTraining);
  const Schema schema = fit(training, {.drop = {"w"}});
  const Table other = csv("town,extra,w,age,job\nB,1,9,40,nurse\n");
  EncodeReport report;
  EXPECT_EQ(encoded_row(other, schema, 0, &report), encoded_row(training, schema, 1));
  EXPECT_EQ(report.extra, (Texts{"extra"}));
  EXPECT_EQ(report.warnings(), (Texts{"the model does not know column 'extra' and does not use it"}));
}

TEST(Encode, WhatIsSaidOfSeveralColumnsIsOneLine) {
  const Table table = csv("a,b,c,d,e,f,g,y\n1,1,1,1,1,1,1,0\n2,2,2,2,2,2,2,1\n,,,,,,,1\n,3,3,3,3,3,3,0\n");
  const Schema schema = fit_schema(table, all_rows(table), {.target = "y", .missing = Missing::mean});
  EncodeReport report;
  encode_inputs(table, schema, all_rows(table), &report);
  EXPECT_EQ(
      report.warnings(),
      (Texts{"7 columns have 8 cells missing or infinite: 'a' (2), 'b' (1), 'c' (1), 'd' (1), 'e' (1) and 2 more; "
             "the model reads such cells as the training mean"}));
  EncodeReport two;
  const Table more = csv("a,b,c,d,e,f,g,one,two\n1,1,1,1,1,1,,x,y\n");
  encode_inputs(more, schema, all_rows(more), &two);
  EXPECT_EQ(two.warnings(), (Texts{"column 'g' has 1 cell missing or infinite, first at t.csv:2; the model reads such "
                                   "cells as the training mean",
                                   "the model does not know the columns 'one' and 'two' and does not use them"}));
}

TEST(Encode, SaysHowTheModelReadsGapsAndGroupsNewLevels) {
  const Table table = csv("a,b,y\n1,p,0\n2,q,1\n,p,1\n3,q,0\n");
  const Schema schema = fit_schema(table, all_rows(table), {.target = "y", .missing = Missing::indicator});
  EncodeReport report;
  encode_inputs(table, schema, all_rows(table), &report);
  EXPECT_EQ(report.warnings(),
            (Texts{"column 'a' has 1 cell missing or infinite, first at t.csv:4; the model reads such "
                   "cells as missing, or as the training mean where training had none"}));
  EncodeReport levels;
  levels.unseen = {{"job", 1, "t.csv:2", "'pilot'"}, {"town", 2, "t.csv:2", "'X'"}};
  levels.rows = 3;
  levels.unseen_rows = 2;
  EXPECT_EQ(
      levels.warnings(),
      (Texts{"2 columns have 3 cells with a level that training never saw: 'job' (1, first 'pilot' at t.csv:2) and "
             "'town' (2, first 'X' at t.csv:2), in 2 of 3 rows; the model reads such cells as zeros"}));
}

TEST(Encode, NothingIsSaidOfTheRowNumbersThatAskWrites) {
  const Schema schema = fit(csv(kTraining), {.drop = {"w"}});
  const auto extra = [&](const std::string& text) {
    EncodeReport report;
    const Table table = csv(text);
    encode_inputs(table, schema, all_rows(table), &report);
    return report.extra;
  };
  EXPECT_EQ(extra("row,town,age,job\n17,B,40,nurse\n"), Texts{});
  EXPECT_EQ(extra("row_,row,town,age,job\n17,1,B,40,nurse\n"), Texts{"row"});
  EXPECT_EQ(extra("row,town,age,job\n1.5,B,40,nurse\n"), Texts{"row"});
  EXPECT_EQ(extra("rows,town,age,job\n17,B,40,nurse\n"), Texts{"rows"});
}

TEST(Encode, AMissingColumnIsNamed) {
  const Schema schema = fit(csv(kTraining));
  const Table other = csv("Age,job,town,w\n40,nurse,B,1\n");
  EXPECT_EQ(data_error([&] { encode_inputs(other, schema, all_rows(other)); }),
            "t.csv has no column 'age', which the model needs; did you mean 'Age'?");
  const Table few = csv("age,job,w\n40,nurse,1\n");
  EXPECT_EQ(data_error([&] { encode_inputs(few, schema, all_rows(few)); }),
            "t.csv has no column 'town', which the model needs; add it, or train a model without it by drop=town");
  const Table none = csv("x,z\n40,nurse\n");
  EXPECT_EQ(data_error([&] { encode_inputs(none, schema, all_rows(none)); }),
            "t.csv has no column 'age', which the model needs, nor 3 other columns that it needs; add them, or train a "
            "model without them by drop");
}

TEST(Encode, AnUnseenLevelIsZerosAndCounted) {
  const Schema schema = fit(csv(kTraining), {.drop = {"w"}, .standardize = false});
  const Table other = csv("age,job,town\n1,pilot,X\n2,cook,Y\n3,cook,A\n");
  EncodeReport report;
  EXPECT_EQ(encoded_row(other, schema, 0, &report), (Numbers{1, 0, 0, 0, 0}));
  ASSERT_EQ(report.unseen.size(), 2U);
  EXPECT_EQ(report.unseen[0], (ColumnCount{"job", 1, "t.csv:2", "'pilot'"}));
  EXPECT_EQ(report.unseen[1], (ColumnCount{"town", 2, "t.csv:2", "'X'"}));
  EncodeReport sum = report;
  sum += report;
  EXPECT_EQ(sum.unseen[1].count, 4U);
  EXPECT_EQ(sum.unseen.size(), 2U);
}

const char kGaps[] = "x,c,d,y\n1,a,p,0\n,b,q,1\n3,,q,1\nNA,c,q,0\n-inf,a,,1\n";

TEST(Encode, MissingTakesTheTrainingMean) {
  const Table table = csv(kGaps);
  const Schema schema = fit(table, {.missing = Missing::mean, .standardize = false});
  EXPECT_EQ(schema.feature_names(), (Texts{"x", "c=a", "c=b", "c=c", "d=q"}));
  EncodeReport report;
  EXPECT_EQ(encoded_row(table, schema, 1, &report), (Numbers{2, 0, 1, 0, 1}));
  EXPECT_EQ(encoded_row(table, schema, 2), (Numbers{3, 0.5, 0.25, 0.25, 1}));
  EXPECT_EQ(encoded_row(table, schema, 4), (Numbers{2, 1, 0, 0, 0.75}));
  ASSERT_EQ(report.filled.size(), 3U);
  EXPECT_EQ(report.filled[0], (ColumnCount{"x", 3, "t.csv:3", "empty"}));
  EXPECT_EQ(report.filled[1].count, 1U);
}

TEST(Encode, MissingIsZeroOnceStandardised) {
  const Table table = csv(kGaps);
  EXPECT_EQ(encoded_row(table, fit(table, {.missing = Missing::mean}), 1)[0], 0);
  EXPECT_EQ(encoded_row(table, fit(table, {.missing = Missing::mean}), 0)[0], -1);
}

TEST(Encode, MissingHasItsIndicator) {
  const Table table = csv(kGaps);
  const Schema schema = fit(table, {.missing = Missing::indicator, .standardize = false});
  EXPECT_EQ(schema.feature_names(),
            (Texts{"x", "x=missing", "c=a", "c=b", "c=c", "c=missing", "d=p", "d=q", "d=missing"}));
  EXPECT_EQ(encoded_row(table, schema, 0), (Numbers{1, 0, 1, 0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(encoded_row(table, schema, 2), (Numbers{3, 0, 0, 0, 0, 1, 0, 1, 0}));
  EXPECT_EQ(encoded_row(table, schema, 4), (Numbers{2, 1, 1, 0, 0, 0, 0, 0, 1}));
}

TEST(Encode, GapsAtPredictionFollowTheModelsRule) {
  const Table training = csv("x,c,y\n1,a,0\n3,b,1\n");
  const Table other = csv("x,c\n,\n");
  EXPECT_EQ(encoded_row(other, fit(training, {.missing = Missing::indicator, .standardize = false}), 0),
            (Numbers{2, 0.5}));
  EXPECT_EQ(data_error([&] { encoded_row(other, fit(training), 0); }),
            "t.csv:2: column 'x' is empty, but the model was trained with missing=error, which refuses missing and "
            "infinite cells; fill the cell or train with missing=mean or missing=indicator");
}

TEST(Encode, TextWhereTheModelExpectsANumberIsRefused) {
  const Schema schema = fit(csv("x,y\n1,0\n3,1\n"), {.missing = Missing::mean});
  const Table words = csv("x\n5\nabc\n");
  EXPECT_EQ(data_error([&] { encoded_row(words, schema, 0); }),
            "t.csv:3: column 'x' is 'abc', but the model expects a number");
  const Table large = csv("x\n1e39\n");
  EXPECT_EQ(data_error([&] { encoded_row(large, schema, 0); }),
            "t.csv:2: column 'x' is '1e39', a number outside float range (3.4e38)");
}

TEST(Encode, TakesTheLargestFloatAsNumpyPrintsIt) {
  const Table table = csv("x,z,y\n3.4028235e+38,1,0\n-3.4028235e+38,2,1\n");
  SchemaOptions options{.target = "y"};
  options.standardize = false;
  const Schema schema = fit_schema(table, all_rows(table), options);
  const Inputs inputs = encode_inputs(table, schema, all_rows(table));
  EXPECT_EQ(inputs(0, 0), std::numeric_limits<float>::max());
  EXPECT_EQ(inputs(1, 0), -std::numeric_limits<float>::max());
  EXPECT_NE(data_error([] {
              const Table t = csv("x,y\n3.4028236e+38,0\n1,1\n");
              fit_schema(t, all_rows(t), {.target = "y"});
            }),
            "");
}

TEST(Encode, CountsPerRowWhatIsUnlikeTheTrainingRows) {
  const Table training = csv("when,x,c,y\n2024-01-01,1,u,a\n2024-01-09,2,v,b\n2024-01-17,,u,a\n2024-01-25,4,v,b\n");
  const Schema schema = fit_schema(training, all_rows(training), {.target = "y", .missing = Missing::mean});
  const Table other = csv("when,x,c\n2024-01-02,4,u\n2025-06-30,5,w\n,-1,w\n2024-01-02,,\n");
  EncodeReport report;
  RowsUnlike unlike;
  encode_inputs(other, schema, all_rows(other), &report, &unlike);
  using Counts = std::vector<std::uint32_t>;
  EXPECT_EQ(unlike.unseen, (Counts{0, 1, 1, 0}));
  EXPECT_EQ(unlike.outside, (Counts{0, 2, 1, 0})) << "a date is one column, though several inputs are made of it";
  EXPECT_EQ(unlike.missing, (Counts{0, 0, 1, 2}));
  EXPECT_EQ(report.rows, 4U);
  EXPECT_EQ(report.unseen_rows, 2U);
  EXPECT_EQ(report.outside_rows, 2U);
  EXPECT_EQ(report.missing_cells(), 3U);
}

TEST(Encode, ARangeIsThatOfFloats) {
  const Table training = csv("x,y\n0.1,a\n0.7,b\n");
  const Schema schema = fit(training);
  EncodeReport report;
  const Table other = csv("x\n0.100000001\n0.699999988\n0.7001\n");
  encode_inputs(other, schema, all_rows(other), &report);
  EXPECT_EQ(report.outside_rows, 1U);
  Schema older = schema;
  older.columns[0].range.reset();
  encode_inputs(other, older, all_rows(other), &report);
  EXPECT_FALSE(report.outside_rows) << "a model without ranges cannot say";
}

TEST(EncodeReport, NamesAFewColumnsOfManyAlike) {
  EncodeReport report;
  for (int i = 0; i < 2000; ++i) {
    report.extra.push_back("e" + std::to_string(i));
    report.unseen.push_back({"u" + std::to_string(i), 1, "t.csv:2", "'x'"});
  }
  EXPECT_EQ(report.warnings().size(), 2U);
  EXPECT_EQ(report.warnings().back(),
            "the model does not know the columns 'e0', 'e1', 'e2', 'e3', 'e4' and 1,995 more and does not use them");
}

TEST(Encode, ANumberThatStandardisesBeyondFloatIsRefused) {
  const Schema schema = fit(csv("x,y\n1e-10,0\n3e-10,1\n"));
  const Table other = csv("x\n1e30\n");
  EXPECT_NE(
      data_error([&] { encoded_row(other, schema, 0); }).find("t.csv:2: column 'x' is '1e+30', outside float range"),
      std::string::npos);
}

TEST(Encode, ALabelThatIsNoClassIsRefused) {
  const Schema schema = fit(csv("x,y\n1,a\n3,b\n"));
  const Table other = csv("x,y\n1,a\n2,c\n");
  EXPECT_EQ(data_error([&] { encode(other, schema, all_rows(other)); }),
            "t.csv:3: label 'y' is 'c', which is not one of the model's classes");
  const Table gap = csv("x,y\n1,a\n2,\n");
  EXPECT_EQ(data_error([&] { encode(gap, schema, all_rows(gap)); }),
            "t.csv:3: label 'y' is empty; every row needs one");
}

TEST(Encode, CsvAndArffOfOneTableEncodeAlike) {
  const Table from_csv = csv("n,c,y\n1,2.0,a\n2,1,b\n3,10,a\n");
  const Table from_arff = arff(
      "@relation r\n@attribute n real\n@attribute c {1,2.0,10}\n@attribute y {b,a}\n@data\n1,2.0,a\n2,1,b\n3,10,a\n");
  const Schema schema = fit(from_csv, {.categorical = {"c"}});
  EXPECT_EQ(schema, fit(from_arff));
  for (std::size_t row = 0; row < 3; ++row)
    EXPECT_EQ(encoded_row(from_csv, schema, row), encoded_row(from_arff, schema, row));
}

}  // namespace
}  // namespace perpend
