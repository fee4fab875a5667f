#include <gtest/gtest.h>

#include "perpend/base/error.h"
#include "tests/api/small_fit.h"

namespace perpend {
namespace {

using test::small_options;
using test::small_table;

class Recorder : public FitCallback {
 public:
  void on_prepared(const Prepared& data, const std::vector<std::string>& found) override {
    rows = data.train.rows();
    remarks = found;
    ++prepared;
  }
  void on_lambda_choice(const LambdaChoice& choice) override { chosen = choice.lambda; }
  void on_epoch(const EpochRecord&, int) override { ++epochs; }
  bool stop_requested() override { return stop_after >= 0 && epochs >= stop_after; }

  std::size_t rows = 0;
  std::vector<std::string> remarks;
  int prepared = 0, epochs = 0, stop_after = -1;
  std::optional<double> chosen;
};

// One training, without a choice of lambda.
RunOptions one_training() {
  RunOptions options = small_options();
  options.train.lambda = 0.3;
  options.train.batch_size = 256;
  return options;
}

TEST(Fit, GivesAModelThatKnowsWhatItIsWorth) {
  Recorder heard;
  const Fitted fitted = fit(small_table(), one_training(), {.callback = &heard});
  EXPECT_EQ(fitted.model.ensemble.members.size(), 3U);
  EXPECT_EQ(fitted.model.summary.rows.train, fitted.split.train.size());
  EXPECT_EQ(fitted.model.summary.judged().name, "test");
  EXPECT_EQ(fitted.model.summary.judged().rows, fitted.split.test.size());
  EXPECT_EQ(heard.prepared, 1);
  EXPECT_EQ(heard.rows, fitted.split.train.size());
  EXPECT_EQ(heard.epochs, 6);
  ASSERT_EQ(heard.remarks.size(), 1U);  // fewer rows than a batch
  EXPECT_NE(heard.remarks[0].find("fewer than a batch"), std::string::npos);
  EXPECT_FALSE(fitted.reading.empty());
}

// In a small table the trial of the chosen lambda is the training itself, so it is not trained again.
TEST(Fit, AChosenLambdaGivesTheModelOfThatLambda) {
  RunOptions options = small_options();
  options.train.members = 6;
  options.split.kind = SplitKind::none;
  Recorder by_choice;
  const Fitted chosen = fit(small_table(), options, {.callback = &by_choice});
  ASSERT_TRUE(by_choice.chosen.has_value());
  options.train.lambda = *by_choice.chosen;
  const Fitted given = fit(small_table(), options);
  ASSERT_EQ(chosen.model.ensemble.members.size(), given.model.ensemble.members.size());
  EXPECT_EQ(to_bytes(chosen.model), to_bytes(given.model));
  EXPECT_LE(by_choice.epochs, static_cast<int>(lambda_grid().size() + 1) * 6);  // the trials and the refit
}

TEST(Fit, MeasuresLogisticRegressionBesideTheEnsemble) {
  RunOptions options = small_options();
  const Fitted fitted = fit(small_table(), options);
  ASSERT_TRUE(fitted.model.summary.baselines.has_value());
  EXPECT_EQ(fitted.model.summary.baselines->logistic.auc, 1);  // a > 5 is the class
  // The ensemble learns too little for that in six epochs.
  EXPECT_TRUE(fitted.reading.starts_with("The ensemble is worse than")) << fitted.reading;
  EXPECT_NE(to_json(fitted).find(R"("baselines":{"logistic":{"auc":1.0,)"), std::string::npos);
  // The published recipe has fixed batches and keeps its bytes.
  options.train.shuffle = false;
  const Fitted published = fit(small_table(), options);
  EXPECT_FALSE(published.model.summary.baselines.has_value());
  EXPECT_EQ(to_bytes(published.model).find("baselines"), std::string::npos);
}

TEST(Fit, ResolvesLambdaAuto) {
  RunOptions options = small_options();
  options.lambda_auto = true;
  Recorder heard;
  const Fitted fitted = fit(small_table(), options, {.callback = &heard});
  ASSERT_TRUE(fitted.lambda.has_value());
  EXPECT_EQ(heard.chosen, fitted.lambda->lambda);
  EXPECT_EQ(fitted.options.train.lambda, fitted.lambda->lambda);
  EXPECT_FALSE(fitted.options.lambda_auto);
  EXPECT_GE(fitted.lambda->trials.size(), 2U);
  // The model is that of a training with this lambda.
  options.lambda_auto = false;
  options.train.lambda = fitted.lambda->lambda;
  EXPECT_EQ(to_bytes(fitted.model), to_bytes(fit(small_table(), options).model));
}

TEST(Fit, ThatDivergesIsAnErrorThatNamesTheStep) {
  RunOptions options = small_options();
  options.train.learning_rate = 1e30;
  try {
    fit(small_table(), options);
    FAIL() << "it did not diverge";
  } catch (const DivergedError& error) {
    EXPECT_NE(std::string(error.what()).find("training diverged at step"), std::string::npos) << error.what();
    EXPECT_EQ(error.exit_code(), 7);
  }
}

TEST(Fit, RefusesAStartOfOtherColumnsAndOptionsThatCannotBe) {
  const Fitted fitted = fit(small_table(90, 3), small_options());
  EXPECT_THROW(fit(small_table(90, 2), small_options(), {.start = &fitted.model}), ConfigError);
  RunOptions options = small_options();
  options.train.members = 0;
  EXPECT_THROW(fit(small_table(), options), ConfigError);
}

TEST(Fit, RefusesAnOptionThatItsMethodWouldIgnore) {
  RunOptions options = small_options();
  options.train.method = Method::restarts;
  options.manifold = "pca:2";
  EXPECT_NO_THROW(fit(small_table(), options));  // cos^2 is measured along it, for any method
  options = small_options();
  options.train.method = Method::restarts;
  options.train.penalty_reduction = PenaltyReduction::sum;
  EXPECT_THROW(fit(small_table(), options), ConfigError);
  options = small_options();
  options.train.method = Method::ncl;
  const Table unlabeled = small_table(20);
  EXPECT_THROW(fit(small_table(), options, {.unlabeled = &unlabeled}), ConfigError);
}

TEST(Fit, GoesOnFromAModel) {
  const Fitted first = fit(small_table(), small_options());
  const Fitted second = fit(small_table(), small_options(), {.start = &first.model});
  EXPECT_NE(to_bytes(first.model), to_bytes(second.model));
}

TEST(Fit, KeepsWhatIsTrainedWhenItIsStopped) {
  Recorder heard;
  heard.stop_after = 2;
  const Fitted fitted = fit(small_table(), one_training(), {.callback = &heard});
  EXPECT_EQ(fitted.model.summary.status, "stopped");
  EXPECT_EQ(fitted.log.epochs.size(), 2U);
}

TEST(Fit, TakesRowsToValidateOnAndRowsWithoutLabels) {
  RunOptions options = small_options();
  options.split.kind = SplitKind::none;
  const Table validation = small_table(30);
  const Table unlabeled = small_table(20);
  const Fitted fitted = fit(small_table(), options, {.validation = &validation, .unlabeled = &unlabeled});
  EXPECT_EQ(fitted.model.summary.rows, (RowCounts{90, 30, 0, 20}));
  EXPECT_EQ(fitted.model.summary.judged().name, "validation");
  EXPECT_TRUE(fitted.model.summary.unlabeled_cos2.has_value());
}

TEST(Fit, SaysWhichDomainsAreLeftOut) {
  RunOptions options = small_options();
  options.split.kind = SplitKind::domain;
  options.domain = "c";
  options.train.seed = 1;
  const Fitted fitted = fit(small_table(), options);
  EXPECT_EQ(fitted.left_out, (LeftOut{{"green"}, 3}));
  EXPECT_EQ(fitted.model.summary.rows, (RowCounts{48, 12, 30, 0}));
  EXPECT_NE(to_json(fitted).find(R"("left_out":["green"])"), std::string::npos);
  EXPECT_EQ(to_json(fit(small_table(), small_options())).find("left_out"), std::string::npos);
}

TEST(Split, IsThatOfTheFit) {
  const Split rows = split(small_table(), small_options());
  const Fitted fitted = fit(small_table(), small_options());
  EXPECT_EQ(rows.train, fitted.split.train);
  EXPECT_EQ(rows.test, fitted.split.test);
}

TEST(Split, RefusesTheOptionsThatFitRefuses) {
  RunOptions options = small_options();
  options.domain = "c";
  options.split.test_domains = {"green"};
  EXPECT_THROW(split(small_table(), options), ConfigError);
  options.split.kind = SplitKind::domain;
  EXPECT_EQ(split(small_table(), options).test.size(), 30U);
}

}  // namespace
}  // namespace perpend
