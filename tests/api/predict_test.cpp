#include "perpend/api/predict.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perpend/base/blocks.h"
#include "perpend/base/error.h"
#include "perpend/evaluate/ensemble.h"
#include "perpend/evaluate/selective.h"
#include "perpend/model/predict.h"
#include "tests/api/small_fit.h"

namespace perpend {
namespace {

using test::small_options;
using test::small_table;

class Predict : public testing::TestWithParam<int> {
 protected:
  TrainedModel model_ = fit(small_table(120, GetParam()), small_options()).model;
};
INSTANTIATE_TEST_SUITE_P(Classes, Predict, testing::Values(2, 3));

// There are more rows than a block has, which is 16,384.
TEST_P(Predict, InBlocksIsThatOfTheWhole) {
  const int rows = static_cast<int>(kBlockRows) + 700;
  const Table table = small_table(rows, GetParam());
  const Predictions found = predict(model_, table, {.members = true});
  const Inputs inputs = encode_inputs(table, model_.schema, all_rows(table));
  const Threads threads(1);
  const auto members = member_probabilities(model_.ensemble, inputs.view(), threads);
  const auto decided = decide(model_.decision, members);
  const auto spread = row_disagreement(members);
  ASSERT_EQ(found.rows, static_cast<std::size_t>(rows));
  for (std::size_t r = 0; r < found.rows; ++r) {
    ASSERT_EQ(found.disagreement[r], spread[r]);
    for (std::size_t k = 0; k < found.classes; ++k) {
      ASSERT_EQ(found.probability(r, k), decided(r, k));
      for (std::size_t m = 0; m < found.members; ++m) ASSERT_EQ(found.of_member(m, r, k), members[m](r, k));
    }
  }
}

TEST_P(Predict, WarnsOfClassesThatASpreadsheetTakesForFormulas) {
  const EncodeReport nothing_odd;
  EXPECT_TRUE(prediction_warnings(model_, nothing_odd).empty());
  model_.schema.classes[0] = "=HYPERLINK(\"x\")";
  EXPECT_EQ(prediction_warnings(model_, nothing_odd).size(), 1U);
}

// A block of a file is answered as its rows are in the whole table.
TEST_P(Predict, OfOneRowIsThatRowOfAll) {
  const Predictions all = predict(model_, small_table(40, GetParam()));
  const Predictions first = predict(model_, small_table(1, GetParam()));
  for (std::size_t k = 0; k < all.classes; ++k) EXPECT_EQ(first.probability(0, k), all.probability(0, k));
  EXPECT_EQ(first.predicted[0], all.predicted[0]);
}

TEST_P(Predict, NamesTheMostProbableClass) {
  const Predictions found = predict(model_, small_table(60, GetParam()));
  for (std::size_t r = 0; r < found.rows; ++r) {
    for (std::size_t k = 0; k < found.classes; ++k) {
      EXPECT_GE(found.probability(r, found.predicted[r]), found.probability(r, k));
    }
    EXPECT_EQ(found.shown_class(r), GetParam() == 2 ? 1U : found.predicted[r]);
  }
}

TEST_P(Predict, AbstainsByTheSignalThatItChoseAtHome) {
  const Table table = small_table(60, GetParam());
  EXPECT_TRUE(predict(model_, table).abstained.empty());
  const AbstainRule rule = abstain_rule(model_, {.abstain = 0.25});
  EXPECT_EQ(rule.home_rows, model_.home.rows());
  const Predictions found = predict(model_, table, {.abstain = 0.25});
  ASSERT_EQ(found.abstained.size(), found.rows);
  const auto signal = signal_of(rule.signal, found);
  for (std::size_t r = 0; r < found.rows; ++r) EXPECT_EQ(found.abstained[r], signal[r] > rule.most);
  EXPECT_THROW(predict(model_, table, {.abstain = 1.5}), ConfigError);
  EXPECT_THROW(predict(model_, table, {.abstain = 0.25, .abstain_error = 0.1}), ConfigError);
}

TEST_P(Predict, AbstainsByDisagreementWhereHomeIsNotKnown) {
  const Table table = small_table(60, GetParam());
  model_.home = {};
  const double threshold = FamiliarDisagreement::of(model_.summary)->at(0.75);
  const Predictions found = predict(model_, table, {.abstain = 0.25});
  for (std::size_t r = 0; r < found.rows; ++r) EXPECT_EQ(found.abstained[r], found.disagreement[r] > threshold);
  EXPECT_NE(abstain_text(model_, {.abstain = 0.25}).find("does not know"), std::string::npos);
  EXPECT_THROW(predict(model_, table, {.abstain_error = 0.1}), ConfigError);
  EXPECT_THROW(predict(model_, table, {.sets = 0.9}), ConfigError);
  EXPECT_FALSE(expected_performance(model_, table).accuracy.has_value());
  model_.summary.disagreement_percentiles.clear();
  EXPECT_THROW(predict(model_, table, {.abstain = 0.25}), ConfigError);
}

TEST_P(Predict, FewRowsPromiseNoSmallError) {
  const AbstainRule rule = abstain_rule(model_, {.abstain_error = 0.01});
  EXPECT_EQ(rule.answered, 0U);
  const Predictions found = predict(model_, small_table(60, GetParam()), {.abstain_error = 0.01});
  EXPECT_EQ(std::ranges::count(found.abstained, true), 60);
}

// Home holds the members' answers to the validation rows from before they were trained on all rows.
TEST_P(Predict, KnowsWhatItAnsweredAtHome) {
  const Threads threads(1);
  const LabelledAnswers home = labelled_home(model_.ensemble, model_.decision, model_.home, threads);
  ASSERT_EQ(home.answers.rows, model_.home.rows());
  for (std::size_t r = 0; r < home.answers.rows; ++r) {
    double sum = 0;
    for (std::size_t k = 0; k < home.answers.classes; ++k) sum += home.answers.probability(r, k);
    EXPECT_NEAR(sum, 1, 1e-6);
  }
}

TEST_P(Predict, SetsHoldTheShareThatWasAsked) {
  const Table table = small_table(200, GetParam());
  const std::size_t classes = model_.schema.classes.size();
  const Predictions narrow = predict(model_, table, {.sets = 0.5});
  const Predictions wide = predict(model_, table, {.sets = 0.9});
  ASSERT_EQ(wide.sets.size(), 200 * classes);
  for (std::size_t i = 0; i < wide.sets.size(); ++i) EXPECT_LE(narrow.sets[i], wide.sets[i]);
  EXPECT_EQ(predict(model_, table, {.sets = 0.9, .weigh_sets = true}).sets.size(), wide.sets.size());
  EXPECT_THROW(predict(model_, table, {.sets = 1}), ConfigError);
}

TEST_P(Predict, UncertaintyHasTwoParts) {
  const Predictions found = predict(model_, small_table(60, GetParam()), {.uncertainty = true, .members = true});
  ASSERT_EQ(found.data_part.size(), found.rows);
  for (std::size_t r = 0; r < found.rows; ++r) {
    double entropy = 0;
    for (std::size_t k = 0; k < found.classes; ++k) {
      double mean = 0;
      for (std::size_t m = 0; m < found.members; ++m) mean += found.of_member(m, r, k) / 3.0;
      entropy -= mean * std::log(mean);
    }
    EXPECT_NEAR(found.data_part[r] + found.knowledge_part[r], entropy, 1e-9);
  }
  EXPECT_TRUE(predict(model_, small_table(60, GetParam())).data_part.empty());
}

TEST_P(Predict, ExpectsThePerformanceAtHomeOnTheRowsOfTraining) {
  const Table table = small_table(120, GetParam());
  const ExpectedPerformance found = expected_performance(model_, table);
  ASSERT_TRUE(found.accuracy.has_value()) << found.reason;
  EXPECT_LE(found.accuracy->low, found.accuracy->mid);
  EXPECT_LE(found.accuracy->mid, found.accuracy->high);
  const Inputs inputs = encode_inputs(table, model_.schema, all_rows(table));
  EXPECT_EQ(found, expected_performance(model_, member_scores(model_.ensemble, inputs.view(), Threads(1))));
}

TEST_P(Predict, GradientsAreThoseOfTheNetworks) {
  const Table table = small_table(50, GetParam());
  const Gradients found = input_gradients(model_, table, 1);
  const Inputs inputs = encode_inputs(table, model_.schema, all_rows(table));
  const auto expected = input_gradients(model_.ensemble, inputs.view(), Threads(1));
  ASSERT_EQ(found.values.size(), 3 * 50 * inputs.cols());
  EXPECT_EQ(found.values[(2 * 50 + 49) * inputs.cols() + 1], expected[2](49, 1));
}

TEST(Prediction, SaysWhichCellsTrainingNeverSaw) {
  const TrainedModel model = fit(small_table(), small_options()).model;
  const Table table = read_csv(bytes_in_memory("new.csv", "a,b,c\n1,2,violet\n"));
  const Predictions found = predict(model, table);
  ASSERT_EQ(found.encoded.warnings().size(), 1U);
  EXPECT_NE(found.encoded.warnings()[0].find("'c'"), std::string::npos) << found.encoded.warnings()[0];
}

// A table that a program built, with a column that is shorter than the table.
TEST_P(Predict, RefusesATableWhoseColumnsDoNotFit) {
  Table table = small_table(20, GetParam());
  table.columns[0].numbers.pop_back();
  EXPECT_THROW(predict(model_, table), DataError);
  EXPECT_THROW(predict(model_, Table{.source = "empty"}), DataError);
  Table without_rows = small_table(20, GetParam());
  without_rows.rows = 0;
  for (Column& column : without_rows.columns) column.numbers = {}, column.marks = {};
  EXPECT_EQ(predict(model_, without_rows).rows, 0U);
}

}  // namespace
}  // namespace perpend
