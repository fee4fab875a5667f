#include "perpend/study/trial.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "perpend/data/generate.h"
#include "perpend/data/source.h"

namespace perpend {
namespace {

RunOptions quick_options() {
  RunOptions options;
  options.schema.target = kGeneratedTarget;
  options.train.hidden = {8};
  options.train.epochs = 2;
  return options;
}

const Table& shortcut() {
  static const Table table = table_of(generate("shortcut"), "builtin:shortcut");
  return table;
}

std::vector<TrialData> two_splits(const RunOptions& options) {
  std::vector<TrialData> data;
  for (const auto split : {SplitKind::random, SplitKind::extrapolation}) {
    data.push_back(prepare_trials(shortcut(), options, split, 0));
  }
  return data;
}

TEST(Grid, MethodsWithoutLambdaHaveOneTrialForEachNumberOfMembers) {
  Grid values = default_grid(PenaltyReduction::mean);
  values.members = {2, 5};
  for (const auto method : {Method::restarts, Method::bagging, Method::adaboost}) {
    const auto trials = grid(values, method, SplitKind::random, 3);
    ASSERT_EQ(trials.size(), 2U);
    EXPECT_EQ(trials[1], (Trial{SplitKind::random, method, 5, std::nullopt, 3}));
  }
  const auto trials = grid(values, Method::lit, SplitKind::extrapolation, 0);
  ASSERT_EQ(trials.size(), 2 * values.lambdas.at(Method::lit).size());
  EXPECT_EQ(trials[1], (Trial{SplitKind::extrapolation, Method::lit, 2, values.lambdas.at(Method::lit)[1], 0}));
}

TEST(Grid, OfASumIsThatOfAMeanTimesTwoOverABatch) {
  const auto mean = default_grid(PenaltyReduction::mean).lambdas.at(Method::lit);
  const auto sum = default_grid(PenaltyReduction::sum).lambdas.at(Method::lit);
  ASSERT_EQ(mean.size(), sum.size());
  for (std::size_t i = 0; i < mean.size(); ++i) EXPECT_NEAR(sum[i] * 256 / 2 / mean[i], 1, 0.3);
}

TEST(Trials, GiveTheSameResultsOnAnyNumberOfThreads) {
  const RunOptions options = quick_options();
  const auto data = two_splits(options);
  Grid values{.members = {2, 3}, .lambdas = {{Method::ncl, {0.5}}, {Method::ace, {0.1}}, {Method::lit, {0.1, 1}}}};
  auto trials = grid(values, usual_methods(), SplitKind::random, 0);
  const auto more = grid(values, usual_methods(), SplitKind::extrapolation, 0);
  trials.insert(trials.end(), more.begin(), more.end());
  const auto one = run_trials(data, options, trials, Threads(1));
  ASSERT_EQ(one.size(), trials.size());
  for (std::size_t i = 0; i < trials.size(); ++i) {
    EXPECT_EQ(one[i].trial, trials[i]);
    EXPECT_TRUE(one[i].test.auc);
  }
  EXPECT_TRUE(run_trials(data, options, trials, Threads(2)) == one);
  EXPECT_TRUE(run_trials(data, options, trials, Threads(8)) == one);
  std::ranges::reverse(trials);
  auto backwards = run_trials(data, options, trials, Threads(2));
  std::ranges::reverse(backwards);
  EXPECT_TRUE(backwards == one);
}

TEST(Trials, OfARestartAreThoseOfARunWithTheSeedOfThatRestart) {
  RunOptions options = quick_options();
  options.train.seed = 5;
  const TrialData data = prepare_trials(shortcut(), options, SplitKind::random, 2);
  const auto result = run_trial(data, options, {SplitKind::random, Method::lit, 3, 0.5, 2});

  options.train.seed = 7;
  options.train.members = 3;
  options.train.lambda = 0.5;
  const Prepared prepared = prepare(shortcut(), options);
  EXPECT_EQ(data.prepared.split, prepared.split);
  const RunResult expected = run(prepared, options);
  EXPECT_EQ(result.test, *expected.test);
  EXPECT_EQ(result.validation_merit, expected.validation->auc);
}

TEST(Trials, ReportDivergenceAsAStatus) {
  RunOptions options = quick_options();
  options.train.learning_rate = 1e30;
  options.train.epochs = 20;
  const TrialData data = prepare_trials(shortcut(), options, SplitKind::random, 0);
  const auto result = run_trial(data, options, {SplitKind::random, Method::lit, 2, 1.0, 0});
  EXPECT_EQ(result.status, TrialStatus::diverged);
  EXPECT_FALSE(result.validation_merit);
  EXPECT_FALSE(result.test.auc);
}

TEST(Trials, ThatWereStoppedHaveNoResult) {
  const RunOptions options = quick_options();
  const auto data = two_splits(options);
  const auto trials = grid(default_grid(PenaltyReduction::mean), usual_methods(), SplitKind::random, 0);
  std::size_t finished = 0;
  const auto results = run_trials(
      data, options, trials, Threads(1),
      {.stop_requested = [&] { return finished >= 2; }, .on_finish = [&](std::size_t done) { finished = done; }});
  const auto ok = std::ranges::count(results, TrialStatus::ok, &TrialResult::status);
  EXPECT_EQ(ok, 2);
  // The costly trials come first.
  for (const auto& result : results)
    EXPECT_TRUE(result.status != TrialStatus::ok || result.trial.method == Method::lit);
}

TEST(Trials, WorkWithMoreThanTwoClasses) {
  Dataset three = generate("shortcut");
  three.classes = {"a", "b", "c"};
  for (std::size_t r = 0; r < three.labels.size(); ++r) three.labels[r] = static_cast<std::int32_t>(r % 3);
  const RunOptions options = quick_options();
  const std::vector<TrialData> data = {prepare_trials(table_of(three, "three"), options, SplitKind::random, 0)};
  for (const auto& result :
       run_trials(data, options, grid(default_grid(PenaltyReduction::mean), usual_methods(), SplitKind::random, 0),
                  Threads(2))) {
    EXPECT_EQ(result.status, TrialStatus::ok) << name_of(result.trial.method);
    EXPECT_TRUE(result.validation_merit && result.test.auc) << name_of(result.trial.method);
  }
}

}  // namespace
}  // namespace perpend
