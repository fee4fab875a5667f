#include "perpend/api/compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <nlohmann/json.hpp>

#include "perpend/api/compare_summary.h"
#include "perpend/base/error.h"
#include "perpend/evaluate/ensemble.h"
#include "perpend/run/baselines.h"
#include "perpend/run/option_table.h"
#include "tests/api/small_fit.h"

namespace perpend {
namespace {

using test::small_options;
using test::small_table;

CompareOptions quick() {
  CompareOptions options;
  options.run = small_options();
  options.run.train.epochs = 2;
  options.splits = {SplitKind::random};
  options.members = {2};
  options.lambdas = {0.5};
  options.restarts = 2;
  return options;
}

TEST(Compare, TrainsEveryMethodOnTheSameSplits) {
  const Compared found = compare(small_table(), quick());
  EXPECT_EQ(found.restarts, 2U);
  EXPECT_EQ(found.results.size() % 2, 0U);
  ASSERT_EQ(found.summaries.size(), 1U);
  EXPECT_GE(found.summaries[0].models.size(), 7U);
  EXPECT_EQ(found.epochs_share, 1);
  EXPECT_FALSE(reading(found.summaries[0]).empty());
  const auto json = nlohmann::json::parse(to_json(found));
  EXPECT_EQ(json["splits"].size(), 1U);
  EXPECT_FALSE(json["options"].contains("method"));
  EXPECT_TRUE(json["budget_seconds"].is_null());
}

TEST(Compare, LogisticRegressionLearnsFromTheSameTrainingRowsAndIsJudgedByTheSameTestRows) {
  const CompareOptions options = quick();
  const Compared found = compare(small_table(), options);
  ASSERT_EQ(found.others.size(), 2U);
  std::vector<Metric> aucs;
  for (int restart = 0; restart < 2; ++restart) {
    RunOptions one = options.run;
    one.train.seed = static_cast<std::uint64_t>(restart);
    const Prepared data = prepare(small_table(), one);
    const Scores expected = score_classes(logistic_answers(data.train, data.test).view(), data.test.labels);
    EXPECT_EQ(found.others[static_cast<std::size_t>(restart)].test, expected);
    aucs.push_back(expected.auc);
  }
  const auto& models = found.summaries[0].models;
  const auto logistic = std::ranges::find(models, std::string(kLogistic), &ComparedModel::name);
  ASSERT_NE(logistic, models.end());
  EXPECT_EQ(logistic->auc.mean, summarize(aucs).mean);
  EXPECT_FALSE(logistic->method);
  EXPECT_EQ(found.summaries[0].over_logistic->over, kLogistic);
}

TEST(Compare, OtherModelsAreLinesOfTheTableAndAFailureSaysWhy) {
  const OtherModel sure{.name = "sure", .answers = [](const TrialData& rows) {
                          Matrix<double, axis::Row, axis::Out> answers(rows.prepared.test.rows(), 2);
                          for (std::size_t r = 0; r < answers.rows(); ++r) {
                            for (std::size_t k = 0; k < 2; ++k) {
                              answers(r, k) = rows.prepared.test.labels[r] == static_cast<int>(k) ? 0.9 : 0.1;
                            }
                          }
                          return answers;
                        }};
  const OtherModel broken{.name = "broken", .answers = [](const TrialData&) -> Matrix<double, axis::Row, axis::Out> {
                            throw DataError("no such luck");
                          }};
  const Compared found = compare(small_table(), quick(), {.others = {sure, broken}});
  const ComparedSplit& split = found.summaries[0];
  ASSERT_EQ(split.models.size(), 9U);
  EXPECT_EQ(split.models[7].auc.mean, 1.0);
  EXPECT_NEAR(*split.models[7].log_loss.mean, -std::log(0.9), 1e-12);
  EXPECT_NEAR(*split.models[7].ece.mean, 0.1, 1e-12);
  EXPECT_FALSE(split.models[8].auc.mean);
  const std::string text = to_text(found);
  EXPECT_NE(text.find("\nsure "), std::string::npos) << text;
  EXPECT_NE(text.find("\nbroken failed in 2 restarts: no such luck\n"), std::string::npos) << text;
}

// `train` with the options that a table gives makes the table's first restart again.
void expect_retrained(const Table& table, const Compared& found) {
  for (const auto& split : found.summaries) {
    ASSERT_TRUE(split.retrain);
    const auto selected = select_by_validation(found.results);
    const auto shown = std::ranges::find_if(selected, [&](const TrialResult& result) {
      return result.trial.split == split.split && result.trial.restart == 0 &&
             result.trial.method == split.models[*split.best_method].method;
    });
    const Fitted again = fit(table, *split.retrain);
    EXPECT_EQ(again.model.summary.test, shown->test);
  }
}

TEST(Compare, TrainGivesWhatTheTableShowsOfTheFirstRestart) {
  CompareOptions options = quick();
  options.splits = {SplitKind::random, SplitKind::extrapolation};
  options.run.train.seed = 7;
  expect_retrained(small_table(), compare(small_table(), options));
  options.run.train.epochs = 20000;  // the budget cuts them
  options.run.train.early_stopping = 0;
  options.restarts = 1;
  options.seconds = 0.5;
  const Compared cut = compare(small_table(), options);
  ASSERT_LT(cut.epochs_share, 1);
  EXPECT_LT(cut.summaries[0].retrain->train.epochs, 20000);
  expect_retrained(small_table(), cut);
}

TEST(Compare, AggregatesAsTrainDoes) {
  CompareOptions options = quick();
  options.methods = {Method::restarts, Method::adaboost};
  options.restarts = 1;
  const Table table = small_table(1400);  // a stack wants 200 validation rows
  const Compared mean = compare(table, options);
  options.run.aggregate = Aggregate::stack;
  const Compared stack = compare(table, options);
  ASSERT_EQ(mean.results.size(), 2U);
  EXPECT_NE(mean.results[0].test.log_loss, stack.results[0].test.log_loss);
  EXPECT_EQ(mean.results[1].test.log_loss, stack.results[1].test.log_loss) << "adaboost weighs its members itself";
  options.methods = {Method::restarts};
  expect_retrained(table, compare(table, options));
}

TEST(Compare, HasMethodsThatNeedRowsWithoutLabelsWhereThereAreSome) {
  CompareOptions options = quick();
  options.restarts = 1;
  options.lambdas = {0.3};
  const Table unlabeled = small_table(20);
  const Compared found = compare(small_table(), options, {.unlabeled = &unlabeled});
  EXPECT_EQ(found.results.size(), (usual_methods().size() + 2) * options.members.size()) << "divdis and dbat too";
  for (const auto& result : found.results) {
    RunOptions one = options.run;
    one.train.method = result.trial.method;
    one.train.members = result.trial.members;
    one.train.lambda = result.trial.lambda;
    const bool uses_them = support_of(one.train).unlabeled;
    const Fitted fitted = fit(small_table(), one, {.unlabeled = uses_them ? &unlabeled : nullptr});
    EXPECT_EQ(result.test, fitted.model.summary.test) << name_of(result.trial.method);
  }
}

TEST(Compare, HasTheMethodsThatAreNamedAndNoOthers) {
  CompareOptions options = quick();
  options.restarts = 1;
  options.methods = {Method::subspaces, Method::restarts};
  const Compared found = compare(small_table(), options);
  std::vector<Method> compared;
  for (const auto& model : found.summaries.at(0).models) {
    if (model.method) compared.push_back(*model.method);
  }
  EXPECT_EQ(compared, (std::vector{Method::restarts, Method::subspaces})) << "in the order of the table";
  options.methods = {Method::dbat};
  EXPECT_THROW(compare(small_table(), options), ConfigError) << "it is named, so it is not left out";
}

TEST(Compare, TrainsEachMethodAsTrainDoesByDefault) {
  CompareOptions options = quick();
  options.members = {};
  options.lambdas = {};
  options.restarts = 1;
  const Compared found = compare(small_table(), options);
  EXPECT_EQ(found.results.size(), usual_methods().size());
  for (const auto& result : found.results) {
    RunOptions one = options.run;
    one.train.method = result.trial.method;
    const Fitted fitted = fit(small_table(), one);
    EXPECT_EQ(result.test, fitted.model.summary.test) << name_of(result.trial.method);
    if (has_lambda(result.trial.method)) {
      EXPECT_EQ(result.trial.lambda, lambda_of(fitted.options.train)) << name_of(result.trial.method);
    }
  }
}

TEST(Compare, ThePublishedRecipeChoosesFromAFewLambdas) {
  CompareOptions options = quick();
  options.members = {};
  options.lambdas = {};
  apply_preset("published", options.run);
  options.run.train.hidden = {4};
  options.run.train.epochs = 1;
  options.restarts = 1;
  const Compared found = compare(small_table(), options);
  EXPECT_EQ(found.grid.members, std::vector<int>{5});
  EXPECT_EQ(found.results.size(), 3U + 3 * 4);
}

TEST(Compare, CutsEpochsToABudgetAndFinishesOneRestart) {
  CompareOptions options = quick();
  options.run.train.epochs = 200000;
  options.run.train.early_stopping = 0;  // early stopping would end such a training within the budget
  options.restarts = 5;
  options.seconds = 0.5;  // a hundredth of what the trainings take on any machine
  const Compared found = compare(small_table(), options);
  EXPECT_GE(found.restarts, 1U);
  EXPECT_LT(found.epochs_share, 1);
  EXPECT_NE(work_done(found).find("% of the epochs"), std::string::npos) << work_done(found);
}

TEST(Compare, KeepsFinishedRestartsWhenItIsStopped) {
  class Stopper : public CompareCallback {
   public:
    void on_progress(int restart, std::size_t done, std::size_t trainings, double) override {
      stop_ = restart == 2 && done < trainings;
    }
    bool stop_requested() override { return stop_; }

   private:
    std::atomic<bool> stop_ = false;
  } stopper;
  const Compared found = compare(small_table(), quick(), {.callback = &stopper});
  EXPECT_EQ(found.restarts, 1U);
}

TEST(Compare, TakesADoubledSplitOnce) {
  CompareOptions options = quick();
  options.splits = {SplitKind::random, SplitKind::random};
  options.restarts = 1;
  const Compared found = compare(small_table(), options);
  EXPECT_EQ(found.summaries.size(), 1U);
  options.splits = {SplitKind::random};
  EXPECT_EQ(found.results.size(), compare(small_table(), options).results.size());
}

TEST(Compare, RemarksOnTheLargestNumberOfMembersThatIsTried) {
  struct Listener : CompareCallback {
    void on_prepared(std::span<const TrialData>, const std::vector<std::string>& found) override { remarks = found; }
    bool stop_requested() override { return true; }
    std::vector<std::string> remarks;
  } few, many;
  CompareOptions options = quick();
  options.run.train.members = 77;  // not used
  compare(small_table(), options, {.callback = &few});
  options.members = {40, 2};
  compare(small_table(), options, {.callback = &many});
  const auto mentions = [](const Listener& heard, const char* text) {
    return std::ranges::any_of(heard.remarks, [&](const std::string& remark) { return remark.starts_with(text); });
  };
  EXPECT_FALSE(mentions(few, "there are 75 networks"));
  EXPECT_TRUE(mentions(many, "there are 38 networks"));
}

CompareOptions quick_domains() {
  CompareOptions options = quick();
  options.splits = {SplitKind::domain};
  options.run.domain = "c";
  options.restarts = 4;
  return options;
}

TEST(Compare, RestartsLeaveOutOneDomainAfterTheOther) {
  const Compared found = compare(small_table(), quick_domains());
  ASSERT_EQ(found.restarts, 4U);
  const auto json = nlohmann::json::parse(to_json(found));
  EXPECT_EQ(json["left_out"], nlohmann::json::parse(R"([["blue"],["green"],["red"],["blue"]])"));
  EXPECT_NE(to_text(found).find("\ndomain split\neach restart leaves one of 3 domains out of training and tests on it: "
                                "'blue', 'green' and 'red'\n"),
            std::string::npos)
      << to_text(found);
}

TEST(Compare, LeavesNamedDomainsOutOfAllRestarts) {
  CompareOptions options = quick_domains();
  options.run.split.test_domains = {"red"};
  options.splits = {SplitKind::random, SplitKind::domain};
  options.restarts = 2;
  const Compared found = compare(small_table(), options);
  EXPECT_EQ(found.left_out.size(), 2U);
  EXPECT_NE(
      to_text(found).find("\ndomain 'red' is left out of training, and its rows are the test rows (1 of 3 domains)\n"),
      std::string::npos)
      << to_text(found);
}

TEST(Compare, RefusesAComingDomainBeforeTheFirstTraining) {
  // Every `yes` is green, so the second restart, which leaves green out, cannot be trained.
  std::string text = "a,c,y\n";
  for (int i = 0; i < 90; ++i) {
    const char* const words[] = {"red,no", "green,yes", "blue,no"};
    text += std::to_string(i % 7) + "," + words[i % 3] + "\n";
  }
  struct Listener : CompareCallback {
    void on_progress(int, std::size_t, std::size_t, double) override { began = true; }
    bool began = false;
  } listener;
  EXPECT_THROW(compare(read_csv(bytes_in_memory("g.csv", text)), quick_domains(), {.callback = &listener}), DataError);
  EXPECT_FALSE(listener.began);
}

TEST(Compare, RefusesWhatCannotBeCompared) {
  CompareOptions options = quick();
  options.splits = {SplitKind::none};
  EXPECT_THROW(compare(small_table(), options), ConfigError);
  options = quick();
  options.members = {0};
  EXPECT_THROW(compare(small_table(), options), ConfigError);
  options = quick();
  options.run.split_column = "a";  // used by neither split
  EXPECT_THROW(compare(small_table(), options), ConfigError);
}

// A comparison of two methods and logistic regression with these test figures, one per restart.
struct Figures {
  std::vector<double> restarts, lit, logistic;
  double lit_log_loss = 0.5, logistic_log_loss = 0.5;
};
std::string reading_of(const Figures& figures) {
  std::vector<TrialResult> results;
  std::vector<OtherResult> others;
  for (std::size_t r = 0; r < figures.lit.size(); ++r) {
    const auto restart = static_cast<int>(r);
    for (const Method method : {kBaseline, kDefaultMethod}) {
      TrialResult result;
      result.trial = {.method = method, .restart = restart};
      result.validation_merit = 0.5;
      result.test.auc = (method == kBaseline ? figures.restarts : figures.lit)[r];
      result.test.log_loss = figures.lit_log_loss + 0.001 * static_cast<double>(r);
      results.push_back(result);
    }
    others.push_back({.name = kLogistic, .split = SplitKind::random, .restart = restart, .test = {}, .problem = {}});
    others.back().test.auc = figures.logistic[r];
    others.back().test.log_loss = figures.logistic_log_loss;
  }
  return reading(summarize(results, others)[0]);
}

TEST(ReadingOfAComparison, PraisesAMethodThatIsBetterThanLogisticRegressionByMoreThanNoise) {
  EXPECT_EQ(reading_of({.restarts = {0.80, 0.81, 0.82}, .lit = {0.90, 0.91, 0.93}, .logistic = {0.70, 0.71, 0.72}}),
            "lit has the best mean AUC; its lead is 0.103 (0.089 to 0.118) over restarts, more than noise, and 0.203 "
            "(0.189 to 0.218) over logistic regression, more than noise.\n");
}

TEST(ReadingOfAComparison, PraisesNoMethodThatIsWithinNoiseOfLogisticRegression) {
  EXPECT_EQ(reading_of({.restarts = {0.80, 0.81, 0.82}, .lit = {0.90, 0.91, 0.93}, .logistic = {0.91, 0.80, 0.93}}),
            "No method is better than logistic regression by more than noise: the best mean AUC is that of lit, 0.033 "
            "(-0.132 to 0.199) above it.\n");
  EXPECT_EQ(reading_of({.restarts = {0.80}, .lit = {0.90}, .logistic = {0.70}}),
            "One restart cannot tell whether a method is better than logistic regression: the best mean AUC is that of "
            "lit, 0.200 above it.\n");
}

TEST(ReadingOfAComparison, SaysThatLogisticRegressionIsAhead) {
  EXPECT_EQ(reading_of({.restarts = {0.80, 0.81, 0.82}, .lit = {0.90, 0.91, 0.93}, .logistic = {0.95, 0.96, 0.97}}),
            "logistic regression has the best mean AUC; lit, the best method, is behind it by 0.047 (0.032 to 0.061), "
            "more than noise.\n");
}

TEST(ReadingOfAComparison, SaysThatALogLossIsWorse) {
  const std::string text = reading_of({.restarts = {0.80, 0.81, 0.82},
                                       .lit = {0.90, 0.91, 0.93},
                                       .logistic = {0.70, 0.71, 0.72},
                                       .lit_log_loss = 0.999,
                                       .logistic_log_loss = 0.505});
  EXPECT_TRUE(text.ends_with(" The log-loss of lit is worse than that of logistic regression (1.000 against 0.505).\n"))
      << text;
}

TEST(ReadingOfAComparison, ModelsThatShareTheLeadAreNotToldApart) {
  EXPECT_EQ(reading_of({.restarts = {1, 1}, .lit = {1, 1}, .logistic = {1, 1}}),
            "restarts, lit, logistic regression have the same mean AUC: it does not tell them apart here.\n");
}

TEST(OptionsToGive, AreTheChoicesAndWhatDiffersFromDefaults) {
  RunOptions options;
  options.schema.target = "y";
  options.schema.drop = {"a", "b,c"};
  options.train.lambda = 0.3;
  options.train.epochs = 12;
  options.train.threads = 3;
  std::string text;
  for (const auto& given : options_to_give(options)) text += given.name + "=" + given.json + " ";
  EXPECT_EQ(text,
            "target=\"y\" drop=[\"a\",\"b,c\"] split=\"random\" method=\"lit\" members=12 lambda=0.3 epochs=12 "
            "seed=0 ");
}

TEST(OptionsToGive, LeaveOutWhatTheMethodIgnores) {
  RunOptions options;
  options.train.method = Method::snapshot;
  options.train.early_stopping = 3;
  options.train.rate_drops = 5;
  const auto names = [&] {
    std::string text;
    for (const auto& given : options_to_give(options)) text += given.name + " ";
    return text;
  };
  EXPECT_EQ(names(), "target split method members seed ");
  options.train.method = Method::restarts;
  EXPECT_EQ(names(), "target split method members early_stopping rate_drops seed ");
}

}  // namespace
}  // namespace perpend
