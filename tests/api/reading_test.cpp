// What the reading of a summary says. It never praises a weak ensemble for its members' independence.
#include <gtest/gtest.h>

#include "perpend/api/fit.h"
#include "perpend/base/option_mention.h"

namespace perpend {
namespace {

constexpr const char* kPraise = "they are locally independent explanations.";

// Two members on test rows, independent of each other.
RunSummary summary_of(double log_loss, double of_logistic, double standard_error, double of_majority = 0.693) {
  RunSummary summary;
  summary.rows = {300, 0, 100, 0};
  Evaluation seen;
  seen.auc = 0.8;
  seen.log_loss = log_loss;
  seen.grad_cos2 = 0.01;
  seen.members.resize(2);
  for (Scores& member : seen.members) {
    member.auc = 0.8;
    member.log_loss = 0.6;
  }
  summary.test = seen;
  summary.train = seen;
  Baselines beside;
  beside.logistic.auc = 0.85;
  beside.logistic.log_loss = of_logistic;
  beside.majority.log_loss = of_majority;
  beside.behind_logistic = log_loss - of_logistic;
  beside.standard_error = standard_error;
  summary.baselines = beside;
  return summary;
}

std::string read(const RunSummary& summary, const RunOptions& options = {}) {
  return spelled(reading(summary, options), plain_spelling);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Reading, OfAnEnsembleWorseThanLogisticRegressionSaysThatFirstAndPraisesNothing) {
  const std::string text = read(summary_of(0.599, 0.505, 0.02));
  EXPECT_TRUE(
      text.starts_with("The ensemble is worse than one logistic regression (log-loss 0.599 against 0.505), so do "
                       "not read anything into its members' independence. "))
      << text;
  EXPECT_FALSE(has(text, "cos²")) << text;
  EXPECT_FALSE(has(text, "independent")) << text;
}

TEST(Reading, AdvisesNoOtherLambdaWhereValidationChoseOne) {
  RunOptions options;
  options.train.lambda = 0.3;
  for (const double cos2 : {0.3, 0.8}) {
    RunSummary summary = summary_of(0.4, 0.505, 0.02);
    summary.test->grad_cos2 = cos2;
    EXPECT_TRUE(has(read(summary, options), "a larger lambda")) << cos2;
    const std::string text = spelled(reading(summary, options, true), plain_spelling);
    EXPECT_FALSE(has(text, "a larger lambda")) << text;
    EXPECT_TRUE(has(text, "at the lambda that validation chose (0.3)")) << text;
  }
}

TEST(Reading, OfAnEnsembleWorseThanTheMajorityClassSaysSo) {
  // The difference from logistic regression is within noise. The difference from the majority class still counts.
  const std::string text = read(summary_of(0.999, 0.9, 0.5));
  EXPECT_TRUE(
      text.starts_with("The ensemble is worse than the majority class (log-loss 0.999 against 0.693, and 0.900 of "
                       "one logistic regression), so do not read anything into its members' independence."))
      << text;
  EXPECT_FALSE(has(text, "cos²")) << text;
}

TEST(Reading, OfADifferenceWithinNoisePraisesTheMembersAndNothingElse) {
  const std::string text = read(summary_of(0.52, 0.505, 0.02));
  EXPECT_TRUE(has(text, kPraise)) << text;
  EXPECT_TRUE(has(text, "The ensemble is about as good as one logistic regression (log-loss 0.520 against 0.505)."))
      << text;
}

// A logistic regression and trees are members of another kind.
TEST(Reading, OfWorthComparesNetworksAlone) {
  RunOptions options;
  RunSummary summary = summary_of(0.4, 0.505, 0.02);
  summary.test->members.resize(static_cast<std::size_t>(options.train.members), summary.test->members[0]);
  summary.test->members.back().auc = 0.99;
  EXPECT_FALSE(has(read(summary, options), "are not equally good"));
  summary.test->members.front().auc = 0.6;
  EXPECT_TRUE(has(read(summary, options), "The networks are not equally good (AUC 0.600 to 0.800)"));
}

TEST(Reading, OfRowsThatBothSolveFindsNoDifference) {
  const std::string text = read(summary_of(0.014, 0.009, 0.001));
  EXPECT_TRUE(has(text, kPraise)) << text;
  EXPECT_TRUE(has(text, "about as good as one logistic regression (log-loss 0.014 against 0.009).")) << text;
}

TEST(Reading, OfABetterEnsembleSaysByHowMuch) {
  const std::string text = read(summary_of(0.3, 0.505, 0.02));
  EXPECT_TRUE(has(text, kPraise)) << text;
  EXPECT_TRUE(text.ends_with("The ensemble is better than one logistic regression (log-loss 0.300 against 0.505)."))
      << text;
}

TEST(Reading, TellsOfRowsWithoutLabels) {
  RunSummary summary = summary_of(0.3, 0.505, 0.02);
  summary.unlabeled_cos2 = 0.123;
  EXPECT_TRUE(has(read(summary), "At the rows without labels cos² is 0.123.")) << read(summary);
}

TEST(Reading, OfAnOlderModelHasNothingToCompareWith) {
  RunSummary summary = summary_of(0.9, 0.5, 0.02);
  summary.baselines.reset();
  EXPECT_TRUE(read(summary).ends_with(kPraise)) << read(summary);
}

TEST(Reading, NamesMembersWorseThanTheMajorityClass) {
  RunSummary summary = summary_of(0.3, 0.505, 0.02);
  EXPECT_FALSE(has(read(summary), "majority class"));
  summary.test->members[1].log_loss = 0.8;
  EXPECT_TRUE(has(read(summary), "Alone, member 2 is worse than the majority class (log-loss above 0.693)."))
      << read(summary);
  EXPECT_FALSE(has(read(summary), kPraise)) << read(summary);
  summary.test->members.push_back(summary.test->members[1]);
  EXPECT_TRUE(has(read(summary), "Alone, members 2 and 3 are worse")) << read(summary);
  summary = summary_of(0.999, 0.505, 0.02);
  for (Scores& member : summary.test->members) member.log_loss = 1.2;
  EXPECT_TRUE(has(read(summary), "Alone, every member is worse")) << read(summary);
}

TEST(Reading, AdvisesByWhetherTheTrainingRowsAreFitted) {
  RunSummary summary = summary_of(0.599, 0.505, 0.02);
  RunOptions options;
  EXPECT_TRUE(has(read(summary, options),
                  "It is no better on its training rows (log-loss 0.599): a smaller lambda or more epochs"))
      << read(summary, options);
  options.train.method = Method::restarts;
  EXPECT_TRUE(
      has(read(summary, options), "It is no better on its training rows (log-loss 0.599): more epochs may help."))
      << read(summary, options);
  summary.train->log_loss = 0.1;
  EXPECT_TRUE(has(read(summary, options),
                  "It fits its training rows (log-loss 0.100) and not the test rows: early stopping (early_stopping)"))
      << read(summary, options);
}

TEST(Reading, OfRowsFromElsewhereAdvisesMonitorAskAndAdapt) {
  RunSummary summary = summary_of(0.599, 0.505, 0.02);
  summary.train->log_loss = 0.1;
  RunOptions options;
  for (const SplitKind kind : {SplitKind::domain, SplitKind::by_column, SplitKind::extrapolation}) {
    options.split.kind = kind;
    const std::string text = read(summary, options);
    for (const char* verb : {"monitor says", "ask chooses", "adapt learns"}) EXPECT_TRUE(has(text, verb)) << text;
    EXPECT_FALSE(has(text, "early")) << text;
  }
}

TEST(Reading, DoesNotAdviseEarlyStoppingWhereItWasOn) {
  RunSummary summary = summary_of(0.599, 0.505, 0.02);
  summary.train->log_loss = 0.1;
  summary.validation = summary.test;
  RunOptions options;
  EXPECT_TRUE(has(read(summary, options), "and not the test rows: a larger weight_decay or")) << read(summary, options);
  options.train.early_stopping = 0;
  EXPECT_TRUE(has(read(summary, options), "early stopping (early_stopping)")) << read(summary, options);
}

TEST(Reading, SaysWhenTheRankingIsBetter) {
  RunSummary summary = summary_of(0.599, 0.505, 0.02);
  EXPECT_FALSE(has(read(summary), "ranks"));
  summary.test->auc = 0.9;
  EXPECT_TRUE(
      has(read(summary),
          "It ranks the test rows better (AUC 0.900 against 0.850), so it is its probabilities that are worse."))
      << read(summary);
}

TEST(Reading, OfOneMemberComparesItToo) {
  RunSummary summary = summary_of(0.599, 0.505, 0.02);
  summary.test->members.resize(1);
  EXPECT_TRUE(
      read(summary).starts_with("The model is worse than one logistic regression (log-loss 0.599 against "
                                "0.505). It is no better on"))
      << read(summary);
  summary = summary_of(0.3, 0.505, 0.02);
  summary.test->members.resize(1);
  EXPECT_TRUE(has(read(summary), "nothing to disagree with")) << read(summary);
  EXPECT_TRUE(has(read(summary), "The model is better than one logistic regression")) << read(summary);
}

}  // namespace
}  // namespace perpend
