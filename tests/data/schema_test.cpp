#include "perpend/data/schema.h"

#include <gtest/gtest.h>

#include "perpend/base/option_mention.h"
#include "perpend/data/encode.h"
#include "tests/data/tables.h"

namespace perpend {
namespace {

using Texts = std::vector<std::string>;

Schema fit(const Table& table, SchemaOptions options = {}, FitReport* report = nullptr) {
  if (options.target.empty()) options.target = "y";
  return fit_schema(table, all_rows(table), options, report);
}

const char kMixed[] = "age,job,town,y\n30,cook,A,no\n40.5,nurse,B,yes\n50,cook,C,no\n35,nurse,A,no\n";

TEST(Schema, KindsLevelsAndNamesAreFoundInAFixedOrder) {
  const Schema schema = fit(csv(kMixed));
  ASSERT_EQ(schema.columns.size(), 3U);
  EXPECT_EQ(schema.columns[0].kind, ColumnKind::numeric);
  EXPECT_EQ(schema.columns[1].levels, (Texts{"cook", "nurse"}));
  EXPECT_EQ(schema.feature_names(), (Texts{"age", "job=nurse", "town=A", "town=B", "town=C"}));
  EXPECT_EQ(schema.classes, (Texts{"no", "yes"}));
}

TEST(Schema, NumericClassesAreSortedByValueAndWordsBytewise) {
  EXPECT_EQ(fit(csv("x,y\n1,10\n2,9\n3,1.0\n4,1\n")).classes, (Texts{"1", "9", "10"}));
  EXPECT_EQ(fit(csv("x,y\n1,b\n2,B\n3,a\n")).classes, (Texts{"B", "a", "b"}));
}

TEST(Schema, SixNumbersThatAreClassesAreSaidUnlessAskedFor) {
  const auto said = [](int classes, Task task) {
    std::string text = "x,z,stars\n";
    for (int i = 0; i < 60; ++i)
      text += std::to_string(i * 7 % 23) + "," + std::to_string(i * 5 % 13) + "," + std::to_string(i % classes) + "\n";
    FitReport report;
    fit(csv(text), {.target = "stars", .task = task}, &report);
    return report.warnings.empty() ? "" : spelled(report.warnings[0], plain_spelling);
  };
  EXPECT_EQ(said(6, Task::automatic),
            "the target 'stars' has 6 different numbers, so each is a class; task=regress predicts the number");
  EXPECT_EQ(said(5, Task::automatic), "");
  EXPECT_EQ(said(6, Task::classify), "");
}

TEST(Schema, PositiveClassComesSecond) {
  EXPECT_EQ(fit(csv(kMixed), {.positive = "no"}).classes, (Texts{"yes", "no"}));
  EXPECT_EQ(fit(csv(kMixed), {.positive = "yes"}).classes, (Texts{"no", "yes"}));
  EXPECT_EQ(fit(csv("x,y\n1,0\n2,1\n"), {.positive = "0.0"}).classes, (Texts{"1", "0"}));
}

TEST(Schema, CategoricalListTurnsNumbersIntoLevelsNamedByValue) {
  const Schema schema = fit(csv("ward,y\n10,0\n2,1\n2.0,1\n1,0\n"), {.categorical = {"ward"}});
  EXPECT_EQ(schema.feature_names(), (Texts{"ward=1", "ward=10", "ward=2"}));
}

TEST(Schema, MissingWordsAreLevelsAmongWords) {
  const Schema schema = fit(csv("root,y\n?,0\nNA,1\nb,1\n?,0\n"));
  EXPECT_EQ(schema.columns[0].levels, (Texts{"?", "NA", "b"}));
}

TEST(Schema, MostlyWordsIsCategoricalWithAWarning) {
  FitReport report;
  const Schema schema = fit(csv("x,y\nlow,0\nhigh,1\n3,1\n"), {}, &report);
  EXPECT_EQ(schema.columns[0].levels, (Texts{"3", "high", "low"}));
  EXPECT_EQ(report.warnings, (Texts{"column 'x' mixes 1 number with 2 words; it is read as categorical"}));
}

TEST(Schema, ConstantColumnsAreDroppedWithAWarningUnlessKept) {
  const Table table = csv("c,d,e,x,y\n7,k,,1,0\n7,k,,2,1\n");
  FitReport report;
  const Schema schema = fit(table, {}, &report);
  EXPECT_EQ(schema.feature_names(), (Texts{"x"}));
  EXPECT_EQ(schema.ignored, (Texts{"c", "d", "e"}));
  EXPECT_EQ(report.warnings.size(), 3U);
  EXPECT_EQ(report.warnings[0], "column 'c' is constant and was dropped");
  EXPECT_EQ(fit(table, {.keep = {"c", "d"}}).feature_names(), (Texts{"c", "d=k", "x"}));
}

std::string with_rows(const std::string& header, int count, const std::function<std::string(int)>& row) {
  std::string text = header + "\n";
  for (int i = 0; i < count; ++i) text += row(i) + "\n";
  return text;
}

Texts dropped_ids(const Table& table, SchemaOptions options = {}) {
  FitReport report;
  fit(table, std::move(options), &report);
  Texts names;
  for (const DroppedColumn& dropped : report.dropped) {
    if (dropped.reason == DroppedColumn::Reason::id_like) names.push_back(dropped.name);
  }
  return names;
}

TEST(Schema, IdLikeColumnsAreDroppedWithAWarningUnlessKept) {
  const Table table = csv(with_rows("name,counter,shuffled,patient_id,income,x,y", 50, [](int i) {
    return "n" + std::to_string(i) + "," + std::to_string(1000 + 7 * i) + "," + std::to_string(i * 17 % 50) + "," +
           std::to_string(i * 7919 % 10007) + "," + std::to_string(20000 + i * 7919 % 10007) + "," +
           std::to_string(i * 0.37) + "," + std::to_string(i % 2);
  }));
  EXPECT_EQ(dropped_ids(table), (Texts{"name", "counter", "shuffled", "patient_id"}));
  EXPECT_EQ(dropped_ids(table, {.keep = {"counter", "name"}}), (Texts{"shuffled", "patient_id"}));
  EXPECT_EQ(dropped_ids(table, {.categorical = {"name"}}), (Texts{"counter", "shuffled", "patient_id"}));
}

TEST(Schema, FewRowsAreNoEvidenceOfAnId) {
  EXPECT_TRUE(dropped_ids(csv(with_rows("id,y", 19, [](int i) {
                return std::to_string(i) + "," + std::to_string(i % 2);
              }))).empty());
}

TEST(Schema, EqualColumnsAreNamed) {
  FitReport report;
  fit(csv("a,b,c,d,e,y\n1,1,1,u,u,0\n2,2,3,v,v,1\n0.5,.5,0,u,u,1\n"), {}, &report);
  EXPECT_EQ(report.warnings, (Texts{"columns 'a' and 'b' are equal in every training row",
                                    "columns 'd' and 'e' are equal in every training row"}));
}

TEST(Schema, StatisticsComeFromTheGivenRowsOnly) {
  const Table table = csv("x,c,y\n1,a,0\n3,b,1\n1000,z,0\n");
  const std::vector<std::uint32_t> training = {0, 1};
  const Schema schema = fit_schema(table, training, {.target = "y"});
  EXPECT_EQ(schema.features[0].mean, 2);
  EXPECT_EQ(schema.features[0].sd, 1);
  EXPECT_EQ(schema.columns[1].levels, (Texts{"a", "b"}));
}

TEST(Schema, IndicatorsBelongToColumnsWithGapsInTraining) {
  const Table table = csv("a,b,c,d,e,y\n1,1,u,u,k,0\n,2,,v,,1\n3,3,v,u,k,1\n4,4,w,v,k,0\n");
  EXPECT_EQ(fit(table, {.missing = Missing::indicator}).feature_names(),
            (Texts{"a", "a=missing", "b", "c=u", "c=v", "c=w", "c=missing", "d=v", "e=missing"}));
  EXPECT_EQ(fit(table, {.missing = Missing::mean}).feature_names(), (Texts{"a", "b", "c=u", "c=v", "c=w", "d=v"}));
}

// Rows 0 and 1 train. Column 'c' has a value only in row 2.
TEST(Schema, AColumnWithoutAValueInTrainingIsDroppedEvenIfKept) {
  const Table table = csv("c,x,y\n,1,0\n,2,1\n3,3,0\n");
  const std::vector<std::uint32_t> training = {0, 1};
  for (const std::vector<std::string>& keep : {Texts{}, Texts{"c"}}) {
    FitReport report;
    const Schema schema = fit_schema(
        table, training, {.target = "y", .categorical = {"c"}, .keep = keep, .missing = Missing::mean}, &report);
    EXPECT_EQ(schema.feature_names(), (Texts{"x"}));
    EXPECT_EQ(schema.columns.size(), 1U);
    EXPECT_EQ(schema.ignored, (Texts{"c"}));
    ASSERT_EQ(report.warnings.size(), 1U);
    EXPECT_TRUE(report.warnings[0].starts_with("column 'c'") && report.warnings[0].ends_with("dropped"));
  }
}

// For all cells, kinds, gaps and options of a column, the loader accepts what fit_schema finds.
TEST(Schema, EveryColumnThatStaysHasAFeature) {
  const std::vector<std::string> cells[] = {{"", ""}, {"k", ""}, {"k", "k"}, {"7", "7"}, {"7", ""}, {"k", "l"}};
  for (const auto& two : cells) {
    for (const Missing missing : {Missing::error, Missing::mean, Missing::indicator}) {
      for (const bool categorical : {false, true}) {
        for (const bool kept : {false, true}) {
          const Table table = csv("c,x,y\n" + two[0] + ",1,0\n" + two[1] + ",2,1\n8,3,0\n");
          const std::vector<std::uint32_t> training = {0, 1};
          try {
            const Schema schema = fit_schema(table, training,
                                             {.target = "y",
                                              .categorical = categorical ? Texts{"c"} : Texts{},
                                              .keep = kept ? Texts{"c"} : Texts{},
                                              .missing = missing});
            EXPECT_EQ(schema_from_json(schema_to_json(schema)), schema);
          } catch (const DataError&) {
            // The table has a word among numbers, or a missing cell that is not allowed.
          }
        }
      }
    }
  }
}

TEST(Schema, TheFirstDifferenceIsThatOfNamesNotOfStatistics) {
  const Schema schema = fit(csv(kMixed));
  EXPECT_EQ(first_difference(schema, schema), "");
  Schema other = schema;
  other.features[0].mean += 1;
  EXPECT_EQ(first_difference(schema, other), "");
  other.features[2].name = "town=Z";
  EXPECT_EQ(first_difference(schema, other), "encoded column 3 is 'town=A' there and 'town=Z' here");
  other = schema;
  other.features.pop_back();
  EXPECT_EQ(first_difference(schema, other), "encoded column 5 is 'town=C' there and absent here");
  other = schema;
  std::swap(other.classes[0], other.classes[1]);
  EXPECT_EQ(first_difference(schema, other), "class 1 is 'no' there and 'yes' here");
}

TEST(SchemaJson, RoundTripsExactly) {
  for (const Missing missing : {Missing::mean, Missing::indicator}) {
    const Schema schema = fit(csv("a b,\"j\"\"\xC3\xB6\",w,y\n0.1,u,1,0\n,,2,1\n1e-30,v,3,1\n4,w,1,0\n"),
                              {.sample_weight = "w", .missing = missing, .standardize_one_hot = true});
    const std::string json = schema_to_json(schema);
    EXPECT_EQ(schema_from_json(json), schema);
    EXPECT_EQ(schema_to_json(schema_from_json(json)), json);
    EXPECT_EQ(json.find('\n'), std::string::npos);
  }
}

TEST(SchemaJson, DamageIsAModelFileError) {
  const std::string good = schema_to_json(fit(csv(kMixed)));
  const auto broken = [&](const std::string& from, const std::string& to) {
    std::string bad = good;
    const std::size_t at = bad.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    bad.replace(at, from.size(), to);
    return message_of(ErrorKind::model_file, [&] { schema_from_json(bad); });
  };
  broken("}", "");
  broken("\"target\"", "\"tarot\"");
  broken("\"target\":\"y\"", "\"target\":\"y\",\"more\":1");
  broken("\"target\":\"y\"", "\"target\":\"y\",\"target\":\"y\"");
  broken("\"target\":\"y\"", "\"target\":1");
  broken("\"missing\":\"error\"", "\"missing\":\"maybe\"");
  broken("\"level\":2", "\"level\":3");
  broken("\"column\":2", "\"column\":9");
  broken("\"sd\":1.0", "\"sd\":0.0");
  broken("\"sd\":1.0", "\"sd\":null");
  broken("\"classes\":[\"no\",\"yes\"]", "\"classes\":[\"no\"]");
  broken("[\"cook\",\"nurse\"]", "[\"nurse\",\"cook\"]");
  EXPECT_EQ(schema_from_json(good), fit(csv(kMixed)));
}

// The line that refuses a changed schema.
template <class Change>
std::string refusal_of(const Change& change) {
  Schema schema = fit(csv("age,job,town,y\n30,cook,A,no\n,nurse,B,yes\n50,cook,C,no\n35,nurse,A,no\n"),
                      {.missing = Missing::indicator});
  change(schema);
  return message_of(ErrorKind::model_file, [&] { schema_from_json(schema_to_json(schema)); });
}

// Features: age, age=missing, job=nurse, town=A, town=B, town=C.
TEST(FitSchema, NamesAFewOfManyColumnsThatItDrops) {
  std::string header, row;
  for (int c = 0; c < 500; ++c) {
    header += "c" + std::to_string(c) + ",";
    row += "7,";
  }
  const Table table = csv(header + "x,y\n" + row + "1,0\n" + row + "2,1\n");
  FitReport report;
  fit_schema(table, all_rows(table), {.target = "y"}, &report);
  EXPECT_EQ(report.dropped.size(), 500U);
  ASSERT_EQ(report.warnings.size(), 11U);
  EXPECT_EQ(report.warnings.back(), "490 more columns are constant and were dropped");
}

TEST(SchemaJson, FeaturesOutOfOrderAreRefused) {
  for (std::size_t i = 0; i + 1 < 6; ++i) {
    EXPECT_TRUE(refusal_of([&](Schema& schema) {
                  std::swap(schema.features[i], schema.features[i + 1]);
                }).ends_with("features out of order"));
  }
  refusal_of([](Schema& schema) { schema.features.push_back(schema.features.back()); });
}

TEST(SchemaJson, NumbersOfColumnsAndLevelsAreWhole) {
  const Table table = csv("x,y\n1,0\n2,1\n");
  const std::string good = schema_to_json(fit_schema(table, all_rows(table), {.target = "y"}));
  ASSERT_NE(good.find("\"level\":-1"), std::string::npos);
  for (const std::string wrong : {"-3e38", "-1.0", "4294967295", "null"}) {
    std::string text = good;
    text.replace(text.find("\"level\":-1"), 10, "\"level\":" + wrong);
    EXPECT_THROW(schema_from_json(text), ModelFileError) << wrong;
  }
}

TEST(SchemaJson, AColumnWithoutAFeatureIsRefused) {
  const auto no_feature = [](const std::string& line, const std::string& name) {
    EXPECT_TRUE(line.ends_with("column '" + name + "' has no feature")) << line;
  };
  no_feature(refusal_of([](Schema& s) { s.features.erase(s.features.begin() + 2); }), "job");
  no_feature(refusal_of([](Schema& s) { s.features.erase(s.features.begin(), s.features.begin() + 2); }), "age");
  no_feature(refusal_of([](Schema& s) { s.features.erase(s.features.begin()); }), "age");
  no_feature(refusal_of([](Schema& s) { s.columns.push_back({.name = "more", .levels = {}}); }), "more");
}

TEST(SchemaJson, NamesThatFeaturesDoNotHaveAreRefused) {
  refusal_of([](Schema& schema) { schema.features[0].name = ""; });
  refusal_of([](Schema& schema) { schema.features[1].name = "age=gone"; });
  refusal_of([](Schema& schema) { schema.features[3].name = "t"; });
  refusal_of([](Schema& schema) { schema.columns[1].name = "age"; });
}

TEST(SchemaJson, StatisticsThatNoCellsHaveAreRefused) {
  for (const double wrong : {1e300, -1e300}) {
    refusal_of([&](Schema& schema) { schema.features[0].mean = wrong; });
    refusal_of([&](Schema& schema) { schema.features[0].fill = wrong; });
    refusal_of([&](Schema& schema) { schema.features[4].mean = wrong; });
  }
  refusal_of([](Schema& schema) { schema.features[1].sd = 1e-300; });
  refusal_of([](Schema& schema) { schema.features[4].sd = 1e-300; });
}

TEST(SchemaJson, DeepNestingAndDoubledKeysAreRefused) {
  message_of(ErrorKind::model_file, [] { schema_from_json(std::string(100'000, '[')); });
}

// A table with the towns t0, t1, ... The first `often` towns have twelve rows each, and all others three.
Table towns(int often, int rarely) {
  std::string text = "town,x,y\n";
  for (int town = 0; town < often + rarely; ++town) {
    for (int i = 0; i < (town < often ? 12 : 3); ++i) {
      text += "t" + std::to_string(town) + "," + std::to_string(i) + (i % 2 == 0 ? ",a\n" : ",b\n");
    }
  }
  return csv(text);
}

TEST(ManyLevels, RareOnesArePooledAloudAndCountAsNeverSeen) {
  const Table table = towns(3, 100);
  FitReport report;
  const Schema schema = fit(table, {}, &report);
  EXPECT_EQ(schema.columns[0].levels, (Texts{"t0", "t1", "t2"}));
  EXPECT_EQ(schema.columns[0].pooled, 100U);
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_EQ(
      spelled(report.warnings[0], plain_spelling),
      "column 'town' has 103 levels; 100 of them have fewer than 10 training rows each (300 of 336 in all) and are "
      "read as if they had never been seen, so the model learns nothing from their cells; keep=town keeps them");
  EncodeReport met;
  const auto inputs = encode_doubles(table, schema, all_rows(table), &met);
  EXPECT_EQ(inputs(0, 0), 1);
  for (std::size_t level = 0; level < 3; ++level) EXPECT_EQ(inputs(335, level), 0);
  EXPECT_TRUE(met.unseen.empty()) << "it was said when the schema was found";
  const Table other = csv("town,x,y\nt50,0,a\nnew,0,a\n12,0,b\n");
  encode_doubles(other, schema_from_json(schema_to_json(schema)), all_rows(other), &met);
  ASSERT_EQ(met.unseen.size(), 1U) << "a pooled level was seen, and others are new";
  EXPECT_EQ(met.unseen[0], (ColumnCount{"town", 2, "t.csv:3", "'new'"}));
  EXPECT_EQ(met.unseen_rows, 2U);
  Schema without_marks = schema;
  without_marks.columns[0].pooled_marks.clear();
  encode_doubles(other, without_marks, all_rows(other), &met);
  EXPECT_TRUE(met.unseen.empty());
  ASSERT_EQ(met.warnings().size(), 1U);
  EXPECT_EQ(met.warnings()[0],
            "column 'town' has 3 cells with a level that was rare in training or is new, first 't50' at t.csv:2; the "
            "model cannot tell which, and reads such cells as zeros");
  const Schema by_column = fit(table, {.by_column = true});
  EXPECT_EQ(encode_inputs(table, by_column, all_rows(table))(335, 0), -1);
}

TEST(ManyLevels, ArePooledByTrainingRowsAlone) {
  const Table table = towns(101, 1);
  const std::vector<std::uint32_t> rows = {0, 1, 2, 12, 24};
  EXPECT_EQ(fit_schema(table, rows, {.target = "y"}).columns[0].levels, (Texts{"t0", "t1", "t2"}))
      << "a hundred levels or fewer are all kept, however rare";
}

TEST(ManyLevels, AreNeverSilent) {
  FitReport report;
  const Schema schema = fit(towns(101, 0), {}, &report);
  EXPECT_EQ(schema.columns[0].levels.size(), 101U);
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_EQ(spelled(report.warnings[0], plain_spelling),
            "column 'town' has 101 levels, each with weights of its own; drop=town leaves it out");
}

TEST(ManyLevels, ThatAreAllRareAreDroppedUnlessKept) {
  FitReport report;
  const Schema schema = fit(towns(0, 101), {}, &report);
  EXPECT_EQ(schema.feature_names(), (Texts{"x"}));
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_EQ(spelled(report.warnings[0], plain_spelling),
            "column 'town' has more than 100 levels, none with 10 training rows, and was dropped; keep=town keeps it");
  EXPECT_EQ(fit(towns(0, 101), {.keep = {"town"}}).columns[0].levels.size(), 101U);
}

TEST(ManyLevels, TwoThatAreOftenAndOthersAreThreeStates) {
  const Schema schema = fit(towns(2, 100));
  EXPECT_EQ(schema.feature_names(), (Texts{"town=t0", "town=t1", "x"}));
  EXPECT_EQ(schema_from_json(schema_to_json(schema)), schema);
}

TEST(ManyLevels, PooledAreInTheFileWhereThereAreAny) {
  EXPECT_EQ(schema_to_json(fit(towns(5, 5))).find("pooled"), std::string::npos);
  const std::string good = schema_to_json(fit(towns(3, 100)));
  const std::string part = R"("pooled":100)";
  ASSERT_NE(good.find(part), std::string::npos) << good;
  for (const char* wrong : {R"("pooled":0)", R"("pooled":-1)", R"("pooled":1.5)", R"("pooled":"100")"}) {
    std::string text = good;
    text.replace(text.find(part), part.size(), wrong);
    message_of(ErrorKind::model_file, [&] { schema_from_json(text); });
  }
}

TEST(Ranges, AreInTheFileAndBelievedNothingOf) {
  const Schema schema = fit(csv("x,c,y\n1.5,u,a\n-2,v,b\n7,u,a\n"));
  ASSERT_TRUE(schema.columns[0].range && !schema.columns[1].range);
  EXPECT_EQ(*schema.columns[0].range, (NumberRange{-2, 7}));
  const std::string good = schema_to_json(schema);
  EXPECT_EQ(schema_from_json(good), schema);
  const std::string part = R"("range":[-2.0,7.0])";
  ASSERT_NE(good.find(part), std::string::npos) << good;
  for (const char* wrong : {R"("range":[8.0,7.0])", R"("range":[-2.0])", R"("range":[-2.0,7.0,9.0])", R"("range":7.0)",
                            R"("range":[-2.0,1e300])", R"("range":null)"}) {
    std::string text = good;
    text.replace(text.find(part), part.size(), wrong);
    message_of(ErrorKind::model_file, [&] { schema_from_json(text); });
  }
}

}  // namespace
}  // namespace perpend
