#include "perpend/run/baselines.h"

#include <gtest/gtest.h>

#include "perpend/data/generate.h"
#include "perpend/data/source.h"
#include "perpend/run/option_table.h"

namespace perpend {
namespace {

RunOptions options_of(const std::string& method) {
  RunOptions options;
  options.schema.target = "target";
  options.train.method = find_method(method)->id;
  options.train.members = 2;
  options.train.hidden = {8};
  options.train.epochs = 3;
  options.train.early_stopping = 0;
  options.train.threads = 1;
  return options;
}

Prepared prepared(const RunOptions& options) {
  return prepare(table_of(generate("shortcut", {.seed = 0, .rows = 400}), "t"), options);
}

TEST(Baselines, AreMeasuredOnTheRowsThatSpeakForTheModel) {
  for (const std::string method : {"lit", "adaboost"}) {
    RunOptions options = options_of(method);
    for (const SplitKind split : {SplitKind::random, SplitKind::none}) {
      options.split.kind = split;
      const Prepared data = prepared(options);
      const RunResult result = run(data, options);
      const Baselines found = measure_baselines(data, result.trained, Threads(1));
      const Evaluation& judged = split == SplitKind::none ? *result.train : *result.test;
      EXPECT_NEAR(found.behind_logistic, *judged.log_loss - *found.logistic.log_loss, 1e-6) << method;
      EXPECT_GT(found.standard_error, 0);
      EXPECT_GT(*found.logistic.auc, 0.95);  // column ward tells the class
      EXPECT_NEAR(*found.majority.log_loss, 0.69, 0.02);
      EXPECT_EQ(found.majority.auc, 0.5);
    }
  }
}

TEST(Baselines, AreLeftOutByRunWhichStudiesCall) {
  const RunOptions options = options_of("lit");
  EXPECT_FALSE(run(prepared(options), options).baselines.has_value());
}

TEST(Baselines, AreNotWantedOfThePublishedRecipe) {
  RunOptions options = options_of("lit");
  EXPECT_TRUE(wants_baselines(options.train));
  apply_preset("published", options);
  EXPECT_FALSE(wants_baselines(options.train));
}

TEST(MajorityClass, HasItsShareOfTheTrainingRowsWeight) {
  Dataset train;
  train.inputs = Inputs(3, 1);
  train.labels = {0, 1, 2};
  train.classes = {"a", "b", "c"};
  Dataset part;
  part.inputs = Inputs(2, 1);
  const auto equal = majority_answers(train, part);
  EXPECT_EQ(equal(1, 2), 1.0 / 3);
  train.weights = {1, 3, 0};
  const auto weighted = majority_answers(train, part);
  EXPECT_EQ(weighted(0, 0), 0.25);
  EXPECT_EQ(weighted(1, 1), 0.75);
  EXPECT_EQ(weighted(1, 2), 0);
}

TEST(MeanOverRows, HasTheStandardErrorOfAMean) {
  const MeanOverRows found = mean_over_rows({1, 3, 1, 3});
  EXPECT_EQ(found.mean, 2);
  EXPECT_EQ(found.standard_error, 0.5);
}

}  // namespace
}  // namespace perpend
