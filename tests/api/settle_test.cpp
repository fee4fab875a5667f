// Calibration and threshold through the use cases.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "perpend/api/adapt.h"
#include "perpend/api/evaluate.h"
#include "perpend/api/predict.h"
#include "perpend/base/error.h"
#include "perpend/run/option_table.h"
#include "tests/api/small_fit.h"

namespace perpend {
namespace {

using test::small_options;

// The table has a number that predicts the label, and noise.
Table noisy_table(int rows = 300) {
  std::string text = "a,b,y\n";
  for (int i = 0; i < rows; ++i) {
    const int a = i * 37 % 101;
    const bool yes = (a + i * 53 % 89) > 110;
    text += std::to_string(a) + ".5," + std::to_string(i * 5 % 13) + (yes ? ",yes\n" : ",no\n");
  }
  return read_csv(bytes_in_memory("noisy.csv", text));
}

RunOptions with(const std::string& calibrate, const std::string& threshold = "null") {
  RunOptions options = small_options();
  find_option("calibrate").set(options, calibrate);
  find_option("threshold").set(options, threshold);
  return options;
}

std::string refusal(const Table& table, const RunOptions& options) try {
  fit(table, options);
  return "accepted";
} catch (const Error& error) {
  return error.what();
}

TEST(Settle, MembersStayAndTheEnsembleIsMapped) {
  const TrainedModel plain = fit(noisy_table(), with("none")).model;
  for (const char* kind : {"temperature", "isotonic"}) {
    const TrainedModel model = fit(noisy_table(), with(kind)).model;
    EXPECT_NE(model.decision.map.kind, Calibrator::none);
    EXPECT_EQ(model.decision.weights, plain.decision.weights);
    const Predictions before = predict(plain, noisy_table(), {.members = true});
    const Predictions after = predict(model, noisy_table(), {.members = true});
    EXPECT_EQ(after.of_members, before.of_members);
    for (std::size_t r = 0; r < before.rows; ++r) {
      double both[] = {before.probability(r, 0), before.probability(r, 1)};
      apply(model.decision.map, both);
      ASSERT_EQ(after.probability(r, 1), both[1]);
    }
    EXPECT_EQ(model.summary.test->members, plain.summary.test->members);
    EXPECT_NE(model.summary.test->log_loss, plain.summary.test->log_loss);
    EXPECT_LE(*model.summary.validation->log_loss, *plain.summary.validation->log_loss + 1e-9) << kind;
  }
}

TEST(Settle, WithoutThemAModelIsWhatItWas) {
  const TrainedModel model = fit(noisy_table(), small_options()).model;
  EXPECT_EQ(model.decision.map, ProbabilityMap());
  EXPECT_EQ(model.decision.threshold, std::nullopt);
  for (const char* word : {"calibrat", "threshold"}) {
    EXPECT_EQ(to_bytes(model).find(word), std::string::npos) << word;
  }
}

TEST(Settle, ThresholdReachesItsAimOnTheValidationRows) {
  const Fitted fitted = fit(noisy_table(), with("none", "recall=0.9"));
  const auto& counts = fitted.model.summary.validation->at_threshold;
  ASSERT_TRUE(counts.has_value());
  EXPECT_GE(counts->recall(), 0.9);
  EXPECT_EQ(counts->threshold, fitted.model.decision.threshold);
  ASSERT_TRUE(fitted.model.summary.test->at_threshold.has_value());
  const auto json = nlohmann::json::parse(to_json(fitted));
  EXPECT_EQ(json["threshold"], *fitted.model.decision.threshold);
  EXPECT_EQ(json["options"]["threshold"], "recall=0.9");
  EXPECT_EQ(json["metrics"]["test"]["at_threshold"]["true_positives"],
            fitted.model.summary.test->at_threshold->true_positives);
}

TEST(Settle, EverythingThatPredictsUsesTheThreshold) {
  const TrainedModel half = fit(noisy_table(), small_options()).model;
  const TrainedModel low = fit(noisy_table(), with("none", "0.2")).model;
  const Predictions answers = predict(low, noisy_table());
  const Table table = noisy_table();
  std::size_t right = 0;
  std::size_t moved = 0;
  for (std::size_t r = 0; r < answers.rows; ++r) {
    EXPECT_EQ(answers.predicted[r], answers.probability(r, 1) > 0.2 ? 1U : 0U);
    moved += answers.probability(r, 1) > 0.2 && answers.probability(r, 1) <= 0.5 ? 1 : 0;
    right += low.schema.classes[answers.predicted[r]] == table.find("y")->text(r) ? 1 : 0;
  }
  EXPECT_GT(moved, 0U);
  const Evaluation seen = evaluate(low, table).metrics;
  EXPECT_DOUBLE_EQ(*seen.accuracy, static_cast<double>(right) / static_cast<double>(answers.rows));
  EXPECT_EQ(seen.at_threshold->true_positives + seen.at_threshold->true_negatives, right);
  const Evaluation plain = evaluate(half, table).metrics;
  EXPECT_EQ(seen.members, plain.members);
  EXPECT_EQ(seen.disagreement, plain.disagreement);
  EXPECT_EQ(seen.log_loss, plain.log_loss);
  EXPECT_EQ(plain.at_threshold, std::nullopt);
}

TEST(Settle, IsFoundBeforeTheRefit) {
  RunOptions options = with("temperature", "f1");
  options.split.kind = SplitKind::none;
  options.train.epochs.reset();
  const Fitted fitted = fit(noisy_table(), options);
  options.refit = false;
  const Fitted before = fit(noisy_table(), options);
  EXPECT_NE(to_bytes(fitted.model), to_bytes(before.model));
  EXPECT_NE(fitted.model.ensemble.members[0].layers[0].weight(0, 0),
            before.model.ensemble.members[0].layers[0].weight(0, 0));
  EXPECT_EQ(fitted.model.decision, before.model.decision);
  EXPECT_EQ(fitted.model.summary.validation, before.model.summary.validation);
}

TEST(Settle, IsTheSameWithAnyNumberOfThreads) {
  RunOptions options = with("isotonic", "cost=1:5");
  const std::string one = to_bytes(fit(noisy_table(), options).model);
  options.train.threads = 3;
  EXPECT_EQ(to_bytes(fit(noisy_table(), options).model), one);
}

TEST(Settle, AdaptKeepsTheMapAndTheThreshold) {
  const TrainedModel model = fit(noisy_table(), with("isotonic", "0.3")).model;
  const AdaptedModel adapted = adapt(model, noisy_table(40));
  EXPECT_EQ(adapted.model.decision.map, model.decision.map);
  EXPECT_EQ(adapted.model.decision.threshold, 0.3);
  ASSERT_EQ(adapted.warnings.size(), 1U);
  EXPECT_NE(adapted.warnings[0].find("threshold stays 0.3"), std::string::npos);
}

TEST(Settle, RefusesWhatTheRowsCannotSettle) {
  EXPECT_EQ(refusal(test::small_table(90, 3), with("temperature")), "accepted");
  EXPECT_NE(refusal(test::small_table(90, 3), with("isotonic")).find("is for two classes; the table has 3"),
            std::string::npos);
  EXPECT_NE(refusal(test::small_table(90, 3), with("none", "0.3")).find("is for two classes; the table has 3"),
            std::string::npos);
  RunOptions none = with("temperature");
  none.split.kind = SplitKind::none;
  none.train.early_stopping = 0;
  EXPECT_NE(refusal(noisy_table(), none).find("needs validation rows"), std::string::npos);
  none.calibrate = Calibrator::none;
  none.threshold = parse_aim("f1");
  EXPECT_NE(refusal(noisy_table(), none).find("needs validation rows"), std::string::npos);
  none.threshold = parse_aim("0.4");  // a number needs no rows
  EXPECT_EQ(refusal(noisy_table(), none), "accepted");
}

}  // namespace
}  // namespace perpend
