// The model card has true figures, invents nothing, and no column's name can break it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "perpend/api/fit.h"
#include "perpend/api/model.h"
#include "perpend/api/report.h"
#include "perpend/base/random.h"
#include "perpend/data/read_csv.h"
#include "perpend/records/json.h"

namespace perpend {
namespace {

// y is mostly yes where a is above 0. Where y is a number, it is a + noise.
Table card_table(const std::string& name, bool number = false, std::size_t rows = 200) {
  const Stream stream({.seed = 3, .purpose = Purpose::test, .member = 0, .step = 0});
  std::string text = "\"" + name + "\",c,y\n";
  for (std::size_t i = 0; i < rows; ++i) {
    const double a = stream.normal(2 * i);
    const double y = a + 0.5 * stream.normal(2 * i + 1);
    text += std::to_string(a) + "," + (i % 2 == 0 ? "u" : "v") + "," +
            (number ? std::to_string(y) : std::string(y > 0 ? "yes" : "no")) + "\n";
  }
  return read_csv(bytes_in_memory("t.csv", text));
}

RunOptions card_options() {
  RunOptions options;
  options.schema.target = "y";
  options.train.threads = 1;
  options.train.epochs = 20;
  return options;
}

bool card_has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Card, HasTheFiguresOfTheSummary) {
  const TrainedModel model = fit(card_table("a"), card_options()).model;
  const std::string text = card(model);
  EXPECT_TRUE(card_has(text, inspect(model).sha256));
  EXPECT_TRUE(card_has(text, model.summary.data_sha256)) << text;
  EXPECT_EQ(model.summary.data_sha256.size(), 64U);
  EXPECT_TRUE(card_has(text, fmt::format("| AUC | {:.4g} |", *model.summary.test->auc))) << text;
  EXPECT_TRUE(card_has(text, "There were 128 rows for training, 32 for validation and 40 for the test.")) << text;
  EXPECT_TRUE(card_has(text, "drawn at random from the same table")) << text;
  EXPECT_TRUE(card_has(text, "| c | category | 2 levels |")) << text;
}

TEST(Card, IntervalsHoldTheirMetric) {
  for (const bool number : {false, true}) {
    const RunSummary summary = fit(card_table("a", number), card_options()).model.summary;
    ASSERT_EQ(summary.ranges.size(), 3U);
    const Scores& scores = *summary.test;
    using Named = std::map<std::string, Metric>;
    const Named values = number
                             ? Named{{"rmse", scores.rmse}, {"mae", scores.mae}, {"r2", scores.r2}}
                             : Named{{"auc", scores.auc}, {"accuracy", scores.accuracy}, {"log_loss", scores.log_loss}};
    for (const auto& [name, value] : values) {
      const MetricRange range = summary.ranges.at(name);
      EXPECT_LE(range.low, *value) << name;
      EXPECT_GE(range.high, *value) << name;
      EXPECT_LT(range.low, range.high);
    }
  }
}

TEST(Card, SurvivesTheFileAndSaysNothingThatAnOlderFileDoesNotKnow) {
  TrainedModel model = fit(card_table("a"), card_options()).model;
  const RunSummary again = run_summary_from_json(to_json(model.summary));
  EXPECT_EQ(again.ranges, model.summary.ranges);
  EXPECT_EQ(again.data_sha256, model.summary.data_sha256);
  model.summary.ranges.clear();
  model.summary.data_sha256.clear();
  model.summary.baselines.reset();
  const std::string text = card(model);
  EXPECT_FALSE(card_has(text, "interval") || card_has(text, "logistic regression") ||
               card_has(text, "all rows, as the model"));
  EXPECT_TRUE(card_has(text, "| metric | ensemble |"));
}

TEST(Card, TellsRowsApart) {
  EXPECT_EQ(fit(card_table("a"), card_options()).model.summary.data_sha256,
            fit(card_table("b"), card_options()).model.summary.data_sha256)
      << "names are not rows";
  EXPECT_NE(fit(card_table("a"), card_options()).model.summary.data_sha256,
            fit(card_table("a", false, 201), card_options()).model.summary.data_sha256);
}

TEST(Card, NamesCannotBecomeMarkup) {
  const std::string name = "<script>alert(1)</script>|`x`\n# h";
  const Table table = card_table(name);
  const TrainedModel model = fit(table, card_options()).model;
  const std::string text = card(model);
  EXPECT_FALSE(card_has(text, "<script>") || card_has(text, "\n# h")) << text;
  EXPECT_TRUE(card_has(text, "\\<script\\>")) << text;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| \\<script")) continue;
    std::size_t bars = 0;
    for (std::size_t i = 0; i < line.size(); ++i) bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\') ? 1 : 0;
    EXPECT_EQ(bars, 4U) << line;
  }
  const std::string page = report(model, "m", {.data = &table, .newer = nullptr, .newer_name = {}}, {});
  EXPECT_TRUE(card_has(page, "The model card"));
  EXPECT_FALSE(card_has(page, "<script>alert"));
}

}  // namespace
}  // namespace perpend
