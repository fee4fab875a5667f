// A target that is a number, from the table to predictions, files and graphs.
#include <gtest/gtest.h>

#include <cmath>

#include "perpend/api/adapt.h"
#include "perpend/api/compare.h"
#include "perpend/api/evaluate.h"
#include "perpend/api/explain.h"
#include "perpend/api/fit.h"
#include "perpend/api/predict.h"
#include "perpend/api/report.h"
#include "perpend/base/error.h"
#include "perpend/base/random.h"
#include "perpend/data/read_csv.h"

namespace perpend {
namespace {

// y = 100 + 20 a + 10 [c is blue] + noise with standard deviation `noise`.
Table number_table(std::size_t rows = 300, double noise = 1, std::uint64_t seed = 0) {
  const char* const words[] = {"red", "green", "blue"};
  const Stream stream({.seed = seed, .purpose = Purpose::test, .member = 0, .step = 0});
  std::string text = "a,b,c,y\n";
  for (std::size_t i = 0; i < rows; ++i) {
    const double a = stream.normal(3 * i);
    const double y = 100 + 20 * a + (i % 3 == 2 ? 10 : 0) + noise * stream.normal(3 * i + 1);
    text += std::to_string(a) + "," + std::to_string(stream.normal(3 * i + 2)) + "," + words[i % 3] + "," +
            std::to_string(y) + "\n";
  }
  return read_csv(bytes_in_memory("numbers.csv", text));
}

RunOptions options_for(Method method = Method::lit) {
  RunOptions options;
  options.schema.target = "y";
  options.train.method = method;
  options.train.threads = 2;
  return options;
}

std::string message_of(const Table& table, const RunOptions& options, const Table* unlabeled = nullptr) {
  try {
    fit(table, options, {.unlabeled = unlabeled});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Regression, IsFoundInTheTargetAndSaidAloud) {
  const Fitted fitted = fit(number_table(), options_for());
  ASSERT_TRUE(fitted.model.schema.quantity.has_value());
  EXPECT_TRUE(fitted.model.schema.classes.empty());
  EXPECT_NE(fitted.warnings.at(0).find("so this is a regression"), std::string::npos);
  const Evaluation& test = *fitted.model.summary.test;
  EXPECT_TRUE(test.regression);
  EXPECT_LT(*test.rmse, 3);  // the noise is 1, and the standard deviation of y is about 20
  EXPECT_GT(*test.r2, 0.97);
  EXPECT_NEAR(*test.coverage, 0.9, 0.12);
}

TEST(Regression, PredictsAsItIsMeasured) {
  const Table table = number_table();
  RunOptions options = options_for();
  options.split.kind = SplitKind::none;
  const Fitted fitted = fit(table, options);
  const Predictions answers = predict(fitted.model, table, {.interval = 0.8, .members = true});
  const Evaluation metrics = evaluate(fitted.model, table).metrics;
  double squares = 0;
  for (std::size_t r = 0; r < table.rows; ++r) {
    const double error = answers.numbers[r] - table.columns[3].number(r);
    squares += error * error;
    EXPECT_LT(answers.low[r], answers.numbers[r]);
    EXPECT_GT(answers.high[r], answers.numbers[r]);
  }
  EXPECT_NEAR(std::sqrt(squares / static_cast<double>(table.rows)), *metrics.rmse, 1e-4);
  double mean = 0;
  for (std::size_t m = 0; m < answers.members; ++m) {
    mean += fitted.model.decision.weights[m] * answers.numbers_of_members[m * table.rows];
  }
  EXPECT_NEAR(mean, answers.numbers[0], 1e-9);
}

TEST(Regression, EveryMethodLearnsItWhoseObjectiveIsNotAboutClasses) {
  for (const Method method : all_methods()) {
    RunOptions options = options_for(method);
    options.train.members = 3;
    const std::string word = method_info(method).word;
    const Table more = number_table(20);
    const Table* unlabeled = method_info(method).needs_unlabeled ? &more : nullptr;
    if (method == Method::ace || method == Method::adp || unlabeled != nullptr) {
      EXPECT_NE(message_of(number_table(), options, unlabeled).find("is for classes"), std::string::npos) << word;
      continue;
    }
    const Fitted fitted = fit(number_table(), options);
    // One column has most of the target's information, and some members of the subspaces do not see it.
    EXPECT_GT(*fitted.model.summary.test->r2, method == Method::subspaces ? 0.4 : 0.9) << word;
    EXPECT_EQ(fitted.model.decision.rule == Rule::median, method == Method::adaboost);
    if (method == Method::bagging) {
      EXPECT_GT(*fitted.model.summary.out_of_bag->r2, 0.9);
    }
  }
}

TEST(Regression, AQuantileLiesAboveItsShareOfTheTargets) {
  for (const double q : {0.1, 0.5, 0.9}) {
    RunOptions options = options_for();
    options.schema.loss = {RegressionLoss::Kind::quantile, q};
    options.split.kind = SplitKind::none;
    const Table table = number_table(600, 5);
    const Predictions answers = predict(fit(table, options).model, number_table(2000, 5, 1));
    const Table fresh = number_table(2000, 5, 1);
    std::size_t below = 0;
    for (std::size_t r = 0; r < fresh.rows; ++r) below += fresh.columns[3].number(r) < answers.numbers[r] ? 1 : 0;
    EXPECT_NEAR(static_cast<double>(below) / 2000, q, 0.06) << q;
  }
}

TEST(Regression, AModelIsTheSameFromItsBytesAndWithAnyNumberOfThreads) {
  RunOptions options = options_for();
  const Fitted one = fit(number_table(), options);
  options.train.threads = 1;
  EXPECT_EQ(to_bytes(one.model), to_bytes(fit(number_table(), options).model));
  const TrainedModel back = model_from_bytes(to_bytes(one.model), "back");
  EXPECT_EQ(predict(back, number_table()).numbers, predict(one.model, number_table()).numbers);
  EXPECT_EQ(to_bytes(back), to_bytes(one.model));
}

TEST(Regression, TheUnitsOfTheTargetHaveNoSay) {
  // The same table with y in other units gives the same model, except for mean and sd.
  Table scaled = number_table();
  std::string text = "a,b,c,y\n";
  for (std::size_t r = 0; r < scaled.rows; ++r) {
    for (std::size_t c = 0; c < 3; ++c) text += scaled.columns[c].text(r) + ",";
    text += std::to_string(scaled.columns[3].number(r) * 1e6 - 5e8) + "\n";
  }
  const Fitted one = fit(number_table(), options_for());
  const Fitted other = fit(read_csv(bytes_in_memory("scaled.csv", text)), options_for());
  EXPECT_NEAR(*other.model.summary.test->rmse / *one.model.summary.test->rmse, 1e6, 1e4);
}

TEST(Regression, OptionsOfClassesAreRefused) {
  const auto refused = [](const std::function<void(RunOptions&)>& change) {
    RunOptions options = options_for();
    change(options);
    return message_of(number_table(), options);
  };
  EXPECT_NE(refused([](RunOptions& o) { o.schema.positive = "1"; }).find("is for classes"), std::string::npos);
  EXPECT_NE(refused([](RunOptions& o) { o.class_weight = {"balanced"}; }).find("is for classes"), std::string::npos);
  EXPECT_NE(refused([](RunOptions& o) {
              o.schema.loss.kind = RegressionLoss::Kind::absolute;
              o.train.method = Method::ncl;
            }).find("squared"),
            std::string::npos);
  EXPECT_NE(refused([](RunOptions& o) { o.schema.task = Task::classify; }).find("looks like a quantity"),
            std::string::npos);
}

TEST(Regression, TargetsThatCannotBeUsedAreNamed) {
  RunOptions options = options_for();
  options.schema.task = Task::regress;
  const auto table = [](const std::string& text) { return read_csv(bytes_in_memory("t.csv", text)); };
  EXPECT_NE(message_of(table("a,y\n1,2\n2,x\n3,4\n"), options).find("t.csv:3: target 'y' is 'x'"), std::string::npos);
  EXPECT_NE(message_of(table("a,y\n1,2\n2,\n3,4\n"), options).find("every row needs"), std::string::npos);
  EXPECT_NE(message_of(table("a,y\n1,2\n2,2\n3,2\n4,2\n5,2\n"), options).find("nothing to learn"), std::string::npos);
}

TEST(Regression, IsExplainedAdaptedComparedAndReported) {
  const Table table = number_table();
  RunOptions options = options_for();
  options.train.members = 4;
  const Fitted fitted = fit(table, options);
  const Explained why = explain(fitted.model, table, {.row = 0});
  EXPECT_EQ(why.all.members.size(), 4U);
  EXPECT_NE(to_json(why, fitted.model).find("\"prediction\""), std::string::npos);
  const AdaptedModel adapted = adapt(fitted.model, number_table(16, 1, 3));
  EXPECT_GT(adapted.loss_before, 0);
  EXPECT_EQ(adapted.is_changed, adapted.log_evidence > 0);
  EXPECT_EQ(predict(model_from_bytes(to_bytes(adapted.model), "there"), table).numbers,
            predict(adapted.model, table).numbers);
  const std::string page = report(fitted.model, "numbers", {.data = &table, .newer = nullptr, .newer_name = {}});
  EXPECT_NE(page.find("Ensemble’s RMSE"), std::string::npos);
  EXPECT_EQ(page.find("log-odds"), std::string::npos);
  CompareOptions compared;
  compared.run = options;
  compared.run.train.epochs = 5;
  compared.splits = {SplitKind::random};
  compared.restarts = 2;
  const Compared found = compare(table, compared);
  const std::string text = to_text(found);
  EXPECT_NE(text.find("test R²"), std::string::npos);
  EXPECT_NE(text.find("linear regression"), std::string::npos);
  EXPECT_EQ(text.find("ace"), std::string::npos);
}

TEST(Regression, NumbersWithFewValuesAreClasses) {
  std::string text = "a,y\n";
  for (int i = 0; i < 60; ++i) text += std::to_string(i * 7 % 13) + "," + std::to_string(i % 3) + "\n";
  RunOptions options = options_for();
  options.train.epochs = 2;
  options.train.members = 2;
  EXPECT_EQ(fit(read_csv(bytes_in_memory("t.csv", text)), options).model.schema.classes.size(), 3U);
  options.schema.task = Task::regress;
  EXPECT_TRUE(fit(read_csv(bytes_in_memory("t.csv", text)), options).model.schema.quantity.has_value());
}

}  // namespace
}  // namespace perpend
