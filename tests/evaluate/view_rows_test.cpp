#include "perpend/evaluate/view_rows.h"

#include <gtest/gtest.h>

#include <limits>

#include "perpend/evaluate/distinct_rows.h"
#include "perpend/evaluate/view_gradients.h"

namespace perpend {
namespace {

// Two numbers and a category of three levels, as plain features.
Schema plain_schema() {
  Schema schema;
  for (const char* name : {"age", "dose"}) {
    schema.columns.push_back({.name = name, .kind = ColumnKind::numeric, .levels = {}});
    schema.features.push_back({.name = name, .column = schema.columns.size() - 1});
  }
  schema.columns.push_back({.name = "town", .kind = ColumnKind::categorical, .levels = {"oslo", "paris", "rome"}});
  for (std::int32_t level = 0; level < 3; ++level) {
    schema.features.push_back({.name = "town=" + schema.columns[2].levels[level], .column = 2, .level = level});
  }
  return schema;
}

Inputs inputs_of(const std::vector<std::vector<float>>& rows) {
  Inputs inputs(rows.size(), rows[0].size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t f = 0; f < rows[r].size(); ++f) inputs(r, f) = rows[r][f];
  }
  return inputs;
}

TEST(DistinctRows, LeaveOutTheNeighboursOfRowsThatWereChosen) {
  const Inputs inputs =
      inputs_of({{0, 5, 1, 0, 0}, {0.01F, 5, 1, 0, 0}, {0, 5, 0, 1, 0}, {9, 5, 1, 0, 0}, {0, 5, 1, 0, 0}});
  // Rows 0, 1 and 4 show the same thing; 2 differs by its level, 3 by its age.
  EXPECT_EQ(distinct_rows(inputs.view(), plain_schema(), std::vector{0.5, 0.9, 0.1, 0.2, 0.8}, 6),
            (std::vector<std::size_t>{1, 3, 2}));
  EXPECT_EQ(distinct_rows(inputs.view(), plain_schema(), std::vector{0.5, 0.9, 0.1, 0.2, 0.8}, 2),
            (std::vector<std::size_t>{1, 3}));
}

TEST(DistinctRows, TellAMissingCellFromAKnownOne) {
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  const Inputs inputs = inputs_of({{kNone, 5, 1, 0, 0}, {kNone, 5, 1, 0, 0}, {0, 5, 1, 0, 0}});
  EXPECT_EQ(distinct_rows(inputs.view(), plain_schema(), std::vector{0.5, 0.5, 0.5}, 6),
            (std::vector<std::size_t>{0, 2}));
}

TEST(DistinctRows, AreNeighboursWhereFewerThanATenthOfTheColumnsDiffer) {
  Schema schema;
  for (int c = 0; c < 21; ++c) {
    schema.columns.push_back({.name = std::to_string(c), .kind = ColumnKind::numeric, .levels = {}});
    schema.features.push_back({.name = std::to_string(c), .column = static_cast<std::size_t>(c)});
  }
  std::vector<std::vector<float>> rows(3, std::vector<float>(21, 0));
  rows[1][0] = rows[1][1] = 1;               // two of 21 columns differ: a neighbour
  rows[2][0] = rows[2][1] = rows[2][2] = 1;  // three columns differ: not a neighbour
  EXPECT_EQ(distinct_rows(inputs_of(rows).view(), schema, std::vector{0.5, 0.4, 0.3}, 6),
            (std::vector<std::size_t>{0, 2}));
}

// Without a hidden layer a member's gradient is its weights, the same everywhere.
TEST(ViewOfGradients, HasOneViolinForAllLevelsOfACategory) {
  Schema schema = plain_schema();
  schema.features[2].sd = 0.5;  // of town=oslo
  Ensemble ensemble = initial_ensemble({.features = 5, .hidden = {}, .classes = 2}, 2, 1);
  const std::vector<float> gradient = {1, 2, 1.5F, 0, -6};  // per step of a level: 3, 0 and -6, whose mean is -1
  for (std::size_t f = 0; f < 5; ++f) {
    for (std::size_t m = 0; m < 2; ++m) {
      ensemble.members[m].layers[0].weight(f, 0) = 0;
      ensemble.members[m].layers[0].weight(f, 1) = m == 0 ? gradient[f] : 0;
    }
  }
  RowSet set;
  set.name = "test";
  // The levels are oslo, paris, paris, and one that training never saw.
  set.inputs = inputs_of({{0, 5, 2, 0, 0}, {1, 4, 0, 1, 0}, {9, 5, 0, 1, 0}, {0, 5, 0, 0, 0}});
  set.rows = {0, 1, 2, 3};
  RowsView view;
  add_view_of_gradients(ensemble, schema, set, std::vector<std::size_t>{2, 3, 4, 0}, Threads(1), view);
  EXPECT_EQ(view.features_of, 3U);
  ASSERT_EQ(view.features.size(), 3U);
  ASSERT_EQ(view.named.size(), 2U);
  EXPECT_EQ(view.named[0].name, "town");
  EXPECT_EQ(view.named[1].name, "age");
  const FeatureView& town = view.named[0];
  EXPECT_NEAR(town.members[0].mean, (4.0 + 1 + 1) / 3, 1e-6);
  EXPECT_NEAR(town.members[0].quantiles[2], 1, 1e-6);
  EXPECT_EQ(town.members[1].mean, 0);
  ASSERT_EQ(town.levels.size(), 2U);  // no row is in rome
  EXPECT_EQ(town.levels[0].name, "oslo");
  EXPECT_EQ(town.levels[1].name, "paris");
  EXPECT_EQ(town.levels[1].rows, 2U);
  EXPECT_NEAR(town.levels[0].contrasts[0], 4, 1e-6);
  EXPECT_NEAR(town.levels[1].contrasts[0], 1, 1e-6);
}

TEST(ViewOfGradients, OfOneLevelThatWasAskedForIsItsOwn) {
  const Ensemble ensemble = initial_ensemble({.features = 5, .hidden = {3}, .classes = 2}, 1, 1);
  RowSet set;
  set.name = "test";
  set.inputs = inputs_of({{0, 5, 1, 0, 0}, {1, 4, 0, 1, 0}});
  set.rows = {0, 1};
  RowsView view;
  add_view_of_gradients(ensemble, plain_schema(), set, std::vector<std::size_t>{3}, Threads(1), view);
  ASSERT_EQ(view.named.size(), 1U);
  EXPECT_EQ(view.named[0].name, "town=paris");
  EXPECT_TRUE(view.named[0].levels.empty());
}

}  // namespace
}  // namespace perpend
