// What columns are worth, compared with a reference that is written row by row.
#include "perpend/evaluate/permutation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "perpend/base/random.h"
#include "perpend/evaluate/table_columns.h"
#include "perpend/model/predict.h"
#include "tests/support/data.h"

namespace perpend {
namespace {

// x0, then a category of three levels, then the number x2 with its indicator: features 0, 1 2 3 and 4 5.
Schema mixed_schema() {
  Schema schema;
  schema.classes = {"no", "yes"};
  schema.columns = {{.name = "x0", .kind = ColumnKind::numeric, .levels = {}},
                    {.name = "odor", .kind = ColumnKind::categorical, .levels = {"a", "b", "c"}},
                    {.name = "x2", .kind = ColumnKind::numeric, .levels = {}}};
  schema.features = {{.name = "x0", .column = 0},
                     {.name = "odor=a", .column = 1, .level = 0},
                     {.name = "odor=b", .column = 1, .level = 1},
                     {.name = "odor=c", .column = 1, .level = 2},
                     {.name = "x2", .column = 2},
                     {.name = "x2=missing", .column = 2, .level = Feature::kMissing}};
  return schema;
}

TEST(TableColumns, HoldEverythingThatWasMadeOfAColumn) {
  Schema schema = mixed_schema();
  const auto columns = table_columns(schema);
  ASSERT_EQ(columns.size(), 3U);
  EXPECT_EQ(columns[1].name, "odor");
  EXPECT_EQ(columns[1].features, (std::vector<std::size_t>{1, 2, 3}));
  EXPECT_EQ(columns[2].features, (std::vector<std::size_t>{4, 5}));
  // The parts of a date are one column of the table.
  schema.columns[0] = {.name = "when.month", .kind = ColumnKind::numeric, .levels = {}};
  schema.columns[0].reading.part = Reading::Part::month;
  schema.columns[2] = {.name = "when.weekday", .kind = ColumnKind::numeric, .levels = {}};
  schema.columns[2].reading.part = Reading::Part::weekday;
  const auto dates = table_columns(schema);
  ASSERT_EQ(dates.size(), 2U);
  EXPECT_EQ(dates[0].name, "when");
  EXPECT_EQ(dates[0].inputs, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(dates[0].features, (std::vector<std::size_t>{0, 4, 5}));
}

TEST(TableColumns, RowsAreEvenlySpread) {
  EXPECT_EQ(evenly_spread(3, 10), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(evenly_spread(10, 4), (std::vector<std::size_t>{0, 2, 5, 7}));
}

double log_loss(const Ensemble& ensemble, const std::vector<double>& weights, InputsView inputs,
                const std::vector<std::int32_t>& labels) {
  double sum = 0;
  const auto members = member_probabilities(ensemble, inputs, Threads(1));
  for (std::size_t r = 0; r < inputs.rows(); ++r) {
    double p = 0;
    for (std::size_t m = 0; m < weights.size(); ++m) {
      p += weights[m] * static_cast<double>(members[m](r, static_cast<std::size_t>(labels[r])));
    }
    sum -= std::log(std::max(p, 1e-15));
  }
  return sum / static_cast<double>(inputs.rows());
}

TEST(Permutation, IsTheGrowthOfTheLossWhenAllFeaturesOfAColumnMoveTogether) {
  const Schema schema = mixed_schema();
  const Dataset data = test::normal_data(60, 6, 3);
  const Ensemble ensemble = initial_ensemble({.features = 6, .hidden = {5}}, 2, 7);
  const Decision decision{Rule::mean, {0.25, 0.75}};
  const PermutationOptions options{.repeats = 3, .seed = 4, .most_rows = 30};
  const ColumnsWorth found =
      permutation_importance(ensemble, decision, schema, {data.inputs.view(), data.labels, {}}, options, Threads(1));
  EXPECT_EQ(found.rows, 30U);
  EXPECT_EQ(found.of, 60U);
  EXPECT_EQ(found.loss_name, "log-loss");
  ASSERT_EQ(found.columns.size(), 3U);
  // The sample is every second row.
  Inputs rows(30, 6);
  std::vector<std::int32_t> labels;
  for (std::size_t r = 0; r < 30; ++r) {
    std::copy_n(data.inputs.row(2 * r), 6, rows.row(r));
    labels.push_back(data.labels[2 * r]);
  }
  const double before = log_loss(ensemble, decision.weights, rows.view(), labels);
  EXPECT_NEAR(found.loss, before, 1e-9);
  const std::vector<std::vector<std::size_t>> features = {{0}, {1, 2, 3}, {4, 5}};
  for (std::uint32_t c = 0; c < 3; ++c) {
    std::vector<double> growth;
    double second = 0;
    for (std::uint32_t repeat = 0; repeat < 3; ++repeat) {
      const auto order = Stream({4, Purpose::permute, c, repeat}).permutation(30);
      Inputs shuffled = rows;
      for (std::size_t r = 0; r < 30; ++r) {
        for (const std::size_t f : features[c]) shuffled(r, f) = rows(order[r], f);
      }
      growth.push_back(log_loss(ensemble, decision.weights, shuffled.view(), labels) - before);
      second +=
          (log_loss(ensemble, {0, 1}, shuffled.view(), labels) - log_loss(ensemble, {0, 1}, rows.view(), labels)) / 3;
    }
    const double mean = (growth[0] + growth[1] + growth[2]) / 3;
    double squares = 0;
    for (const double g : growth) squares += (g - mean) * (g - mean);
    EXPECT_NEAR(found.columns[c].increase, mean, 1e-9) << c;
    EXPECT_NEAR(found.columns[c].standard_error, std::sqrt(squares / 6), 1e-9) << c;
    EXPECT_NEAR(found.columns[c].members[1], second, 1e-6) << c;
  }
}

TEST(Permutation, DependsOnTheSeedAndNotOnThreads) {
  const Dataset data = test::normal_data(300, 6, 3);
  const Ensemble ensemble = initial_ensemble({.features = 6, .hidden = {5}}, 3, 7);
  const auto worth = [&](std::uint64_t seed, int threads) {
    const ColumnsWorth found =
        permutation_importance(ensemble, equal_mean(3), mixed_schema(), {data.inputs.view(), data.labels, {}},
                               {.seed = seed}, Threads(threads));
    std::vector<double> figures;
    for (const auto& column : found.columns) {
      figures.insert(figures.end(), {column.increase, column.standard_error, column.least(), column.most()});
    }
    return figures;
  };
  EXPECT_EQ(worth(0, 1), worth(0, 2));
  EXPECT_NE(worth(0, 1), worth(1, 1));
}

TEST(Permutation, OfSomeColumnsIsThatOfAll) {
  const Dataset data = test::normal_data(80, 6, 3);
  const Ensemble ensemble = initial_ensemble({.features = 6, .hidden = {5}}, 2, 7);
  const JudgedRows rows{data.inputs.view(), data.labels, {}};
  const auto all = permutation_importance(ensemble, equal_mean(2), mixed_schema(), rows, {}, Threads(1));
  const auto some = permutation_importance(ensemble, equal_mean(2), mixed_schema(), rows, {.columns = {2}}, Threads(1));
  ASSERT_EQ(some.columns.size(), 1U);
  EXPECT_EQ(some.columns[0].name, "x2");
  EXPECT_EQ(some.columns[0].increase, all.columns[2].increase);
}

}  // namespace
}  // namespace perpend
