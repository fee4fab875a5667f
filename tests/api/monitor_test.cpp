// What monitor says of rows that are like those at home, that moved, and that are far, and of models that cannot be
// monitored.
#include "perpend/api/monitor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "perpend/api/monitor_parts.h"
#include "perpend/base/error.h"
#include "perpend/base/random.h"
#include "perpend/data/read_csv.h"
#include "perpend/data/source.h"
#include "tests/api/small_fit.h"

namespace perpend {
namespace {

// Two numbers and a category. `y` follows the first number. `first` is the first line.
struct Place {
  double shift = 0;        // of a
  std::string level = {};  // of every cell of c; empty: three levels
  bool labels = true;
};
Table table_of_place(int rows, std::uint32_t seed, const Place& place = {}) {
  const Stream random({.seed = seed, .purpose = Purpose::test});
  std::string text = place.labels ? "a,b,c,y\n" : "a,b,c\n";
  const char* words[] = {"red", "green", "blue"};
  for (int r = 0; r < rows; ++r) {
    const auto at = static_cast<std::uint64_t>(4 * r);
    const double a = random.normal(at);
    text += std::to_string(a + place.shift) + "," + std::to_string(random.normal(at + 1)) + ",";
    text += place.level.empty() ? words[random.below(at + 2, 3)] : place.level;
    if (place.labels) text += a + 0.3 * random.normal(at + 3) > 0 ? ",yes" : ",no";
    text += "\n";
  }
  return read_csv(bytes_in_memory("rows.csv", text));
}

const TrainedModel& model_at_home() {
  static const TrainedModel model = [] {
    RunOptions options;
    options.schema.target = "y";
    options.train.members = 3;
    options.train.hidden = {8};
    options.train.lambda = 0.1;
    options.train.epochs = 20;
    return fit(table_of_place(600, 1), options).model;
  }();
  return model;
}

TEST(Monitor, LikeRowsAreLike) {
  const Monitoring found = monitor(model_at_home(), table_of_place(200, 2));
  EXPECT_EQ(found.verdict, Verdict::like);
  EXPECT_GE(found.p_value, 0.01);
  EXPECT_EQ(found.moved_columns(), 0U);
  EXPECT_EQ(found.advice, "Keep the model.");
  EXPECT_EQ(found.columns.size(), 3U);
  for (const auto& column : found.columns) EXPECT_FALSE(column.matters.has_value());
}

TEST(Monitor, AMovedColumnIsNamedAndMatters) {
  const Monitoring found = monitor(model_at_home(), table_of_place(200, 3, {.shift = 0.8, .labels = false}));
  EXPECT_EQ(found.verdict, Verdict::moved);
  ASSERT_EQ(found.moved_columns(), 1U);
  EXPECT_EQ(found.columns[0].name, "a");
  EXPECT_GT(found.columns[0].drift, 0.2);
  EXPECT_GT(found.columns[0].matters.value(), 0.1);
  EXPECT_EQ(found.columns[0].members.size(), 3U);
  EXPECT_NE(found.columns[0].change.find("median 0.8"), std::string::npos) << found.columns[0].change;
  EXPECT_NE(found.summary.find("1 of 3 columns moved: 'a'."), std::string::npos) << found.summary;
  EXPECT_FALSE(found.measured.has_value());
}

TEST(Monitor, AColumnThatNoMemberUsesHardlyMatters) {
  const Monitoring found = monitor(model_at_home(), table_of_place(200, 4, {.level = "red"}));
  ASSERT_EQ(found.moved_columns(), 1U);
  EXPECT_EQ(found.columns[0].name, "c");
  EXPECT_LT(found.columns[0].matters.value(), 0.1);
  EXPECT_EQ(found.columns[0].change, "100 % are 'red', was 31 %");
}

TEST(Monitor, ANumberThatMayStandForMissingIsNamedFirst) {
  Table rows = table_of_place(200, 3, {.labels = false});
  std::string text = "a,b,c\n";
  for (std::uint32_t r = 0; r < 200; ++r) {
    text += (r % 2 == 0 ? "-999" : rows.columns[0].text(r)) + "," + rows.columns[1].text(r) + ",red\n";
  }
  const Monitoring found = monitor(model_at_home(), read_csv(bytes_in_memory("gaps.csv", text)));
  const auto column = std::ranges::find(found.columns, "a", &MonitoredColumn::name);
  ASSERT_TRUE(column->gap.has_value());
  EXPECT_EQ(column->gap->value, "-999");
  EXPECT_EQ(found.advice.rfind("The value -999 is new in 'a': 50 % of the cells. It may stand for missing;", 0), 0U)
      << found.advice;
  EXPECT_EQ(nlohmann::json::parse(to_json(found))["columns"][0]["gap"]["share"], 0.5);
}

TEST(Monitor, SaysWhatToTypeNext) {
  const Monitoring moved = monitor(model_at_home(), table_of_place(200, 3, {.shift = 0.8}));
  EXPECT_EQ(next_commands(moved, "m.safetensors", "new rows.csv", false),
            (std::vector<std::string>{"perpend ask m.safetensors 'new rows.csv' -n 32 -o rows.csv",
                                      "# write the labels into its last column",
                                      "perpend adapt m.safetensors rows.csv -o adapted.safetensors"}));
  EXPECT_TRUE(next_commands(moved, "m.safetensors", "-", false).empty());
  EXPECT_TRUE(next_commands(monitor(model_at_home(), table_of_place(200, 2)), "m", "new.csv", false).empty());
  const Monitoring worse = monitor(model_at_home(), table_of_place(300, 6, {.shift = 2}), {.labels = "y"});
  ASSERT_TRUE(worse.measured.has_value());
  EXPECT_EQ(next_commands(worse, "m", "new.csv", true).size(), worse.is_worse() ? 1U : 0U);
}

TEST(Monitor, UnseenLevelsAreFar) {
  const Monitoring found = monitor(model_at_home(), table_of_place(100, 5, {.level = "violet"}));
  EXPECT_EQ(found.verdict, Verdict::far);
  EXPECT_EQ(found.unseen_rows, 100U);
  EXPECT_EQ(found.columns[0].unseen, 100U);
  ASSERT_FALSE(found.look.empty());
  EXPECT_EQ(found.look[0].columns.back(), "c");
  EXPECT_NE(found.summary.find("100 % of the rows have a level that training never saw"), std::string::npos);
}

TEST(Monitor, LabelsAreMeasuredBesideHome) {
  // The shifted rows keep their old labels, so the model is wrong about many.
  const Monitoring found = monitor(model_at_home(), table_of_place(300, 6, {.shift = 2}), {.labels = "y"});
  ASSERT_TRUE(found.measured.has_value());
  EXPECT_LT(*found.measured->accuracy, *found.at_home->accuracy - 0.2);
  EXPECT_THROW(monitor(model_at_home(), table_of_place(20, 6), {.labels = "z"}), DataError);
}

// Rows at home and away as one table. Away, column a says the opposite.
Table table_of_two_places() {
  const Stream random({.seed = 21, .purpose = Purpose::test});
  std::string text = "a,b,place,y\n";
  for (int r = 0; r < 800; ++r) {
    const bool away = r >= 600;
    const auto at = static_cast<std::uint64_t>(4 * r);
    const double a = random.normal(at);
    const bool yes = (a + 0.3 * random.normal(at + 3) > 0) != away;
    text += std::to_string(a) + "," + std::to_string(random.normal(at + 1) + (away ? 3 : 0)) +
            (away ? ",away," : ",home,") + (yes ? "yes\n" : "no\n");
  }
  return read_csv(bytes_in_memory("places.csv", text));
}

RunOptions options_of_two_members() {
  RunOptions options = test::small_options();
  options.train.members = 2;
  options.train.lambda = 0.1;
  options.train.epochs = 20;
  return options;
}

// The test rows of split domain are the rows away. So the figures before are those of validation rows, which are at
// home.
TEST(Monitor, NeverComparesRowsAwayWithThemselves) {
  RunOptions options = options_of_two_members();
  options.split.kind = SplitKind::domain;
  options.domain = "place";
  options.split.test_domains = {"away"};
  const Table rows = table_of_two_places();
  const TrainedModel model = fit(rows, options).model;
  Table away = rows;
  away.rows = 200;
  for (Column& column : away.columns) {
    if (!column.numbers.empty()) column.numbers.erase(column.numbers.begin(), column.numbers.begin() + 600);
    if (!column.marks.empty()) column.marks.erase(column.marks.begin(), column.marks.begin() + 600);
  }
  const Monitoring found = monitor(model, away, {.labels = "y"});
  EXPECT_NE(found.verdict, Verdict::like);
  EXPECT_LT(*found.measured->auc, 0.5);
  EXPECT_GT(*found.at_home->auc, 0.9);
  EXPECT_EQ(found.rows_at_home(), "the 120 validation rows of the training's table");
  EXPECT_NE(found.advice.find("on the 120 validation rows of the training's table: adapt the model"), std::string::npos)
      << found.advice;
  EXPECT_NE(text_of(found).find("AUC, accuracy and log-loss before: on the 120 validation rows"), std::string::npos);
  const auto before = nlohmann::json::parse(to_json(found)).at("before");
  EXPECT_EQ(before.at("part"), "validation");
  EXPECT_EQ(before.at("rows"), 120);
  EXPECT_GT(before.at("auc").get<double>(), 0.9);
}

// With split by-column, the validation rows are as late as the test rows.
TEST(Monitor, DoesNotKeepAModelByFiguresOfRowsThatMovedToo) {
  RunOptions options = options_of_two_members();
  options.split.kind = SplitKind::by_column;
  options.split_column = "b";
  const TrainedModel model = fit(table_of_place(600, 1), options).model;
  const Monitoring found = monitor(model, table_of_place(200, 3, {.shift = 0.8}), {.labels = "y"});
  ASSERT_NE(found.verdict, Verdict::like);
  Monitoring equal = found;
  equal.measured->auc = equal.at_home->auc;
  EXPECT_TRUE(equal.cannot_compare());
  EXPECT_EQ(next_commands(equal, "m", "new.csv", true).size(), 1U);
  EXPECT_EQ(advice_of(equal).find("keep the model"), std::string::npos) << advice_of(equal);
  EXPECT_NE(advice_of(equal).find("not like the training rows either"), std::string::npos) << advice_of(equal);
  equal.home_is_beyond = false;
  EXPECT_NE(advice_of(equal).find(": keep the model."), std::string::npos) << advice_of(equal);
}

TEST(Monitor, TestRowsThatWereDrawnAtRandomAreAtHome) {
  const Monitoring found = monitor(model_at_home(), table_of_place(300, 6), {.labels = "y"});
  EXPECT_EQ(found.rows_at_home(), "the 120 test rows of the training's table");
}

TEST(Monitor, WindowsSayFromWhichRowOn) {
  Table rows = table_of_place(600, 7);
  const Table moved = table_of_place(400, 8, {.shift = 2});
  for (std::size_t r = 200; r < 600; ++r) rows.columns[0].numbers[r] = moved.columns[0].number(r - 200);
  const Monitoring found = monitor(model_at_home(), rows, {.labels = "y", .window = "100"});
  ASSERT_EQ(found.windows.size(), 6U);
  EXPECT_EQ(found.windows[2].name, "rows 201-300");
  EXPECT_EQ(found.windows[2].first, 201U);
  EXPECT_GE(found.windows[0].p_value, 0.01);
  EXPECT_LT(found.windows[3].p_value, 0.01);
  ASSERT_FALSE(found.changes.empty());
  EXPECT_EQ(found.changes[0].measure, "error");
  EXPECT_NEAR(static_cast<double>(found.changes[0].row), 201, 64);
  EXPECT_GT(found.changes[0].after, found.changes[0].before);
}

TEST(Monitor, AWindowThatMovedIsNamedWhereAllRowsTogetherDidNot) {
  Table rows = table_of_place(1000, 7);
  const Table moved = table_of_place(50, 8, {.shift = 2});
  for (std::size_t r = 0; r < 50; ++r) rows.columns[0].numbers[950 + r] = moved.columns[0].number(r);
  const Monitoring found = monitor(model_at_home(), rows, {.window = "100"});
  EXPECT_EQ(found.verdict, Verdict::like);
  EXPECT_NE(found.advice.find("but 'rows 901-1000' moved"), std::string::npos) << found.advice;
}

TEST(Monitor, AColumnNamesWindows) {
  const Monitoring found = monitor(model_at_home(), table_of_place(90, 9), {.window = "c"});
  ASSERT_EQ(found.windows.size(), 3U);
  std::size_t rows = 0;
  for (const auto& window : found.windows) rows += window.rows;
  EXPECT_EQ(rows, 90U);
  EXPECT_THROW(monitor(model_at_home(), table_of_place(20, 9), {.window = "d"}), DataError);
  EXPECT_THROW(monitor(model_at_home(), table_of_place(20, 9), {.window = "0"}), ConfigError);
}

TEST(Monitor, DoesNotDependOnThreadsAndSurvivesTheFile) {
  const Table rows = table_of_place(300, 10, {.shift = 0.5});
  const std::string one = to_json(monitor(model_at_home(), rows, {.threads = 1}));
  const TrainedModel back = model_from_bytes(to_bytes(model_at_home()), "m");
  EXPECT_EQ(to_json(monitor(back, rows, {.threads = 3})), one);
}

TEST(Monitor, NumbersAreMonitoredToo) {
  RunOptions options;
  options.schema.target = "a";
  options.train.members = 2;
  options.train.hidden = {8};
  options.train.lambda = 0.1;
  options.train.epochs = 10;
  const TrainedModel model = fit(table_of_place(400, 11), options).model;
  ASSERT_TRUE(model.schema.quantity.has_value());
  const Monitoring found = monitor(model, table_of_place(200, 12, {.level = "red"}), {.labels = "a"});
  EXPECT_TRUE(found.regression);
  EXPECT_TRUE(found.measured->rmse.has_value());
  EXPECT_NE(found.verdict, Verdict::like);
  EXPECT_NE(text_of(found).find("RMSE"), std::string::npos);
}

TEST(Monitor, SaysWhyAModelCannotBeMonitored) {
  TrainedModel older = model_at_home();
  older.home = {};
  const auto refusal = [](const TrainedModel& model) -> std::string {
    try {
      monitor(model, table_of_place(20, 13));
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal(older).find("does not remember the rows"), std::string::npos);
  RunOptions plain = test::small_options();
  plain.schema.target = "y";
  plain.views_auto = false;
  plain.train.views = {};
  EXPECT_NE(refusal(fit(table_of_place(200, 14), plain).model).find("plain features"), std::string::npos);
  EXPECT_THROW(monitor(model_at_home(), table_of_place(0, 1)), DataError);
  EXPECT_THROW(monitor(model_at_home(), table_of_place(20, 1), {.alarm = 0}), ConfigError);
}

TEST(Monitor, JsonHasTheInterfacesNames) {
  const auto json = nlohmann::json::parse(to_json(monitor(model_at_home(), table_of_place(100, 15, {.shift = 1}))));
  for (const char* name : {"rows", "verdict", "p_value", "columns", "disagreement", "expected", "advice"}) {
    EXPECT_TRUE(json.contains(name)) << name;
  }
  for (const char* name : {"name", "drift", "p_value", "outside", "unseen", "matters"}) {
    EXPECT_TRUE(json["columns"][0].contains(name)) << name;
  }
  EXPECT_EQ(json["verdict"], "moved");
  EXPECT_TRUE(json["disagreement"].contains("home") && json["disagreement"].contains("new"));
}

}  // namespace
}  // namespace perpend
