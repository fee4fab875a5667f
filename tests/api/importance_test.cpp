// What columns are worth to trained models, and how their answers change with a column.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "perpend/api/evaluate.h"
#include "perpend/api/explain.h"
#include "perpend/api/predict.h"
#include "perpend/base/error.h"
#include "perpend/base/random.h"
#include "tests/api/small_fit.h"

namespace perpend {
namespace {

using Json = nlohmann::json;

// `deciding` decides y, `noise` has no effect, town has four levels with small effects and missing cells, flag has two
// levels.
std::string csv_of(std::size_t rows, const std::string& town = "", bool numbers = false) {
  const Stream stream({.seed = 2, .purpose = Purpose::generate, .member = 0, .step = 0});
  const char* const towns[] = {"oslo", "rome", "bonn", "lyon"};
  std::string text = "deciding,noise,town,flag,y\n";
  for (std::size_t r = 0; r < rows; ++r) {
    const double x = stream.normal(4 * r);
    const std::string own = r % 9 == 4 ? "" : towns[r % 4 == 3 && r % 8 == 3 ? 0 : r % 4];
    const double number = 50 + 10 * x + 0.01 * stream.normal(4 * r + 2);
    text += std::to_string(x) + "," + std::to_string(stream.normal(4 * r + 1)) + "," + (town.empty() ? own : town) +
            "," + (stream.uniform(16 * r + 15) < 0.3F ? "up" : "down") + "," +
            (numbers ? std::to_string(number) : std::string(x > 0 ? "yes" : "no")) + "\n";
  }
  return text;
}

Table table_of(const std::string& csv) { return read_csv(bytes_in_memory("t.csv", csv)); }

TrainedModel trained(bool plain, bool numbers = false) {
  RunOptions options = plain ? test::plain_options() : test::small_options();
  options.train.members = plain ? 2 : 6;
  options.train.epochs = 40;
  options.schema.missing = Missing::indicator;
  return fit(table_of(csv_of(240, "", numbers)), options).model;
}

const TrainedModel& model_of(bool plain, bool numbers = false) {
  static const TrainedModel models[] = {trained(false), trained(true), trained(false, true), trained(true, true)};
  return models[(numbers ? 2 : 0) + (plain ? 1 : 0)];
}

TEST(PermutationImportance, TheColumnThatDecidesIsWorthMostAndNoiseNothing) {
  for (const bool numbers : {false, true}) {
    for (const bool plain : {false, true}) {
      const ColumnsWorth worth =
          permutation_importance(model_of(plain, numbers), table_of(csv_of(240, "", numbers)), {.threads = 1});
      ASSERT_EQ(worth.columns.size(), 4U);
      EXPECT_EQ(worth.columns[0].name, "deciding");
      EXPECT_TRUE(worth.columns[0].is_seen());
      EXPECT_GT(worth.columns[0].increase, worth.loss) << "a coin is worse than twice this loss";
      for (std::size_t c = 1; c < 4; ++c) {
        EXPECT_LT(worth.columns[c].increase, 0.1 * worth.columns[0].increase) << worth.columns[c].name;
      }
      EXPECT_EQ(worth.loss_name, numbers ? "squared error" : "log-loss");
      EXPECT_EQ(worth.columns[0].members.size(), model_of(plain, numbers).ensemble.members.size());
      const Evaluated judged = evaluate(model_of(plain, numbers), table_of(csv_of(240, "", numbers)), {.threads = 1});
      EXPECT_NEAR(worth.loss, numbers ? *judged.metrics.loss : *judged.metrics.log_loss, 1e-6 * (1 + worth.loss));
    }
  }
}

TEST(PermutationImportance, NeedsTheTargetRowsAndTwoRepeats) {
  const std::string unlabelled = "deciding,noise,town,flag\n1,2,oslo,up\n";
  EXPECT_THROW(permutation_importance(model_of(true), table_of(unlabelled)), DataError);
  EXPECT_THROW(permutation_importance(model_of(true), table_of(csv_of(9)), {.repeats = 1}), ConfigError);
}

// Returns the mean prediction when every row has this text in place of its town.
std::vector<double> answers_with(const TrainedModel& model, const std::string& town) {
  std::string csv = csv_of(240, town);
  if (town.empty()) {  // all cells are missing: remove the towns from the table
    for (const char* name : {"oslo", "rome", "bonn", "lyon"}) {
      for (std::size_t at; (at = csv.find(name)) != std::string::npos;) csv.erase(at, 4);
    }
  }
  const Predictions found = predict(model, table_of(csv), {.members = true, .threads = 1});
  std::vector<double> means(1 + found.members, 0.0);
  for (std::size_t r = 0; r < found.rows; ++r) {
    means[0] += found.probability(r, 1) / static_cast<double>(found.rows);
    for (std::size_t m = 0; m < found.members; ++m) {
      means[m + 1] += static_cast<double>(found.of_member(m, r, 1)) / static_cast<double>(found.rows);
    }
  }
  return means;
}

TEST(PartialDependence, OfACategoryIsTheMeanAnswerToRowsWithTheirCellReplaced) {
  for (const bool plain : {false, true}) {
    const TrainedModel& model = model_of(plain);
    const Dependence found = partial_dependence(model, table_of(csv_of(240)), "town", 1);
    ASSERT_FALSE(found.is_number);
    ASSERT_EQ(found.points(), 5U) << "four towns, and the missing cell";
    EXPECT_EQ(found.levels[0], "oslo") << "the most frequent one";
    ASSERT_EQ(found.curves.size(), 1U);
    EXPECT_EQ(found.curves[0].of_class, "yes");
    for (std::size_t i = 0; i < found.points(); ++i) {
      const auto expected = answers_with(model, found.levels[i].value_or(""));
      EXPECT_NEAR(found.curves[0].ensemble[i], expected[0], 1e-9) << plain << ' ' << i;
      for (std::size_t m = 0; m + 1 < expected.size(); ++m) {
        EXPECT_NEAR(found.curves[0].members[m][i], expected[m + 1], 1e-9) << plain << ' ' << i;
      }
    }
    const Dependence two = partial_dependence(model, table_of(csv_of(240)), "flag", 1);
    EXPECT_EQ(two.levels, (std::vector<std::optional<std::string>>{"down", "up"}));
  }
}

TEST(PartialDependence, OfALinearMemberIsItsLine) {
  const TrainedModel& model = model_of(false, true);
  const auto views = member_views(model);
  const auto linear = static_cast<std::size_t>(std::ranges::find(views, "ridge") - views.begin());
  ASSERT_LT(linear, views.size());
  const Dependence found = partial_dependence(model, table_of(csv_of(240, "", true)), "deciding", 1);
  ASSERT_EQ(found.points(), 20U);
  const auto& curve = found.curves[0].members[linear];
  const double slope = (curve.back() - curve.front()) / (found.numbers.back() - found.numbers.front());
  EXPECT_NEAR(slope, 10, 0.5);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_NEAR(curve[i], curve[0] + slope * (found.numbers[i] - found.numbers[0]), 1e-4) << i;
  }
  EXPECT_TRUE(std::ranges::is_sorted(found.numbers));
}

TEST(PartialDependence, HasACurvePerClassAndTheyAddUp) {
  RunOptions options = test::small_options();
  const Table table = test::small_table(90, 3);
  const TrainedModel model = fit(table, options).model;
  const Dependence found = partial_dependence(model, table, "a", 1);
  EXPECT_EQ(found.points(), 11U) << "all its values, because there are few";
  EXPECT_EQ(found.numbers[3], 3.5) << "as the table has them";
  ASSERT_EQ(found.curves.size(), 3U);
  for (std::size_t i = 0; i < found.points(); ++i) {
    double sum = 0;
    for (const auto& curve : found.curves) sum += curve.ensemble[i];
    EXPECT_NEAR(sum, 1, 1e-6);
  }
}

TEST(PartialDependence, IsTheSameOnAnyNumberOfThreadsAndNamesWhatIsNoInput) {
  const Table table = table_of(csv_of(240));
  EXPECT_EQ(to_json(partial_dependence(model_of(false), table, "deciding", 1)),
            to_json(partial_dependence(model_of(false), table, "deciding", 2)));
  EXPECT_THROW(partial_dependence(model_of(false), table, "y", 1), DataError);
  EXPECT_THROW(partial_dependence(model_of(false), table, "decidin", 1), DataError);
  EXPECT_THROW(partial_dependence(model_of(false), table_of("deciding,noise,town,flag\n,1,oslo,up\n"), "deciding", 1),
               DataError);
}

TEST(Importances, AreKeptInTheModelFileAndSumToOne) {
  for (const bool plain : {false, true}) {
    const TrainedModel& model = model_of(plain);
    const auto& shares = model.summary.importances;
    ASSERT_EQ(shares.size(), model.schema.columns.size());
    EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-5);
    EXPECT_GT(shares[0], 2 * shares[1]) << "what decides, beside noise";
    EXPECT_EQ(model_from_bytes(to_bytes(model), "m").summary.importances, shares);
    TrainedModel wrong = model;
    wrong.summary.importances.pop_back();
    EXPECT_THROW(model_from_bytes(to_bytes(wrong), "m"), ModelFileError);
  }
}

}  // namespace
}  // namespace perpend
