#include "perpend/evaluate/explain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "perpend/model/predict.h"
#include "tests/support/data.h"

namespace perpend {
namespace {

using Predictions = std::vector<std::int32_t>;
using Columns = std::vector<std::size_t>;

// Returns the same gradients for every row, one row of gradients per member.
std::vector<Inputs> constant_gradients(const std::vector<std::vector<float>>& members, std::size_t rows = 4) {
  std::vector<Inputs> gradients;
  for (const auto& member : members) {
    Inputs& g = gradients.emplace_back(rows, member.size());
    for (std::size_t r = 0; r < rows; ++r) std::ranges::copy(member, g.row(r));
  }
  return gradients;
}

Explanation explained(const std::vector<Inputs>& gradients, const std::vector<Predictions>& predictions,
                      const Schema& schema) {
  const std::vector<InputsView> views(gradients.begin(), gradients.end());
  return explain(views, views.size(), predictions, schema, Threads(1));
}

Schema numbers(std::size_t count) {
  Schema schema;
  for (std::size_t c = 0; c < count; ++c) {
    schema.columns.push_back({.name = "x" + std::to_string(c), .kind = ColumnKind::numeric, .levels = {}});
    schema.features.push_back({.name = "x" + std::to_string(c), .column = c});
  }
  return schema;
}

// The number x0, then the column odor with three levels.
Schema with_levels() {
  Schema schema = numbers(1);
  schema.columns.push_back({.name = "odor", .kind = ColumnKind::categorical, .levels = {"a", "b", "c"}});
  for (std::int32_t level = 0; level < 3; ++level) {
    schema.features.push_back({.name = "odor=" + schema.columns[1].levels[level], .column = 1, .level = level});
  }
  return schema;
}

const Predictions kMixed = {0, 1, 0, 1};

TEST(Explain, SummarisesTheDistributionOverRows) {
  std::vector<Inputs> gradients(1, Inputs(5, 1));
  for (std::size_t r = 0; r < 5; ++r) gradients[0](r, 0) = static_cast<float>(10 * ((r * 2) % 5));  // 0 20 40 10 30
  const auto g = explained(gradients, {{0, 0, 0, 1, 1}}, numbers(1)).members[0].features[0];
  EXPECT_DOUBLE_EQ(g.mean, 20);
  EXPECT_DOUBLE_EQ(g.sd, std::sqrt(200.0));
  const std::vector<double> quantiles = {2, 10, 20, 30, 38};
  for (std::size_t q = 0; q < 5; ++q) EXPECT_DOUBLE_EQ(g.quantiles[q], quantiles[q]);
}

TEST(Explain, SharesAreOfTheAbsoluteGradientAndSumToOne) {
  const auto e = explained(constant_gradients({{-3, 1, 0}}), {kMixed}, numbers(3));
  EXPECT_EQ(e.members[0].shares, (std::vector<double>{.75, .25, 0}));
}

TEST(Explain, LevelsAreSummedAfterWhatTheyHaveInCommonIsTakenOut) {
  const auto e = explained(constant_gradients({{3, 101, 100, 99}}), {kMixed}, with_levels());
  EXPECT_DOUBLE_EQ(e.members[0].shares[0], .6);
  EXPECT_DOUBLE_EQ(e.members[0].shares[1], .4);
  const auto common = explained(constant_gradients({{3, 7, 7, 7}}), {kMixed}, with_levels());
  EXPECT_EQ(common.members[0].shares[1], 0);
}

TEST(Explain, GradientsThatVanishHaveNoShares) {
  const auto e = explained(constant_gradients({{0, 0}, {1, 0}}), {kMixed, kMixed}, numbers(2));
  EXPECT_EQ(e.members[0].shares, (std::vector<double>{0, 0}));
  EXPECT_EQ(e.pairs[0].cos2, 0);
  EXPECT_TRUE(e.substitutes.empty());
}

TEST(Explain, PairsHaveCosinesWithTheirSign) {
  const auto e = explained(constant_gradients({{1, 1}, {-1, 0}}), {kMixed, kMixed}, numbers(2));
  ASSERT_EQ(e.pairs.size(), 1U);
  EXPECT_NEAR(*e.pairs[0].cos2, .5, 1e-6);
  EXPECT_NEAR(*e.pairs[0].cosine, -std::sqrt(.5), 1e-6);
  EXPECT_EQ(e.pairs[0].same, 1);
  EXPECT_DOUBLE_EQ(*e.pairs[0].kappa, 1);
}

TEST(Explain, FindsColumnsThatSubstituteOneAnother) {
  // Members 0 and 2 look at x0, and member 1 looks at x1 and x2. All look a little at x3.
  const auto gradients = constant_gradients({{8, 0, 0, 1}, {0, 4, -4, 1}, {-8, 0, 0, 1}});
  const auto e = explained(gradients, {kMixed, kMixed, kMixed}, numbers(4));
  ASSERT_EQ(e.substitutes.size(), 1U);
  EXPECT_EQ(e.substitutes[0].columns[0], (Columns{0}));
  EXPECT_EQ(e.substitutes[0].columns[1], (Columns{1, 2}));
  EXPECT_EQ(e.substitutes[0].members[0], (Columns{0, 2}));
  EXPECT_EQ(e.substitutes[0].members[1], (Columns{1}));
}

TEST(Explain, MembersThatAnswerDifferentlyAreNoSubstitutes) {
  const auto gradients = constant_gradients({{1, 0}, {0, 1}});
  EXPECT_EQ(explained(gradients, {kMixed, kMixed}, numbers(2)).substitutes.size(), 1U);
  EXPECT_TRUE(explained(gradients, {kMixed, {0, 1, 1, 0}}, numbers(2)).substitutes.empty());
}

TEST(Explain, AgreeingOnTheCommonClassAloneIsNoAgreement) {
  const auto gradients = constant_gradients({{1, 0}, {0, 1}}, 40);
  Predictions first(40, 0);
  Predictions second(40, 0);
  EXPECT_FALSE(explained(gradients, {first, second}, numbers(2)).pairs[0].kappa.has_value());
  first[3] = 1;
  second[4] = 1;
  const auto e = explained(gradients, {first, second}, numbers(2));
  EXPECT_EQ(e.pairs[0].same, .95);
  EXPECT_LT(*e.pairs[0].kappa, 0);
  EXPECT_TRUE(e.substitutes.empty());
}

TEST(Explain, MembersThatLookAtTheSameColumnsAreNoSubstitutes) {
  const auto gradients = constant_gradients({{3, 2}, {2, -3}});
  EXPECT_TRUE(explained(gradients, {kMixed, kMixed}, numbers(2)).substitutes.empty());
}

TEST(Explain, ByColumnACategoryCountsByItsContrastsHoweverManyLevelsItHas) {
  Schema schema = numbers(2);
  schema.by_column = true;
  schema.columns[1] = {.name = "odor", .kind = ColumnKind::categorical, .levels = {"a", "b", "c", "d", "e"}};
  schema.features[1].level = Feature::kLevels;
  std::vector<Inputs> gradients(1, Inputs(4, 2));
  const float contrasts[] = {1, -1, 2, -2};
  for (std::size_t r = 0; r < 4; ++r) {
    gradients[0](r, 0) = 0.5F;
    gradients[0](r, 1) = contrasts[r];
  }
  EXPECT_EQ(explained(gradients, {kMixed}, schema).members[0].shares, (std::vector<double>{.25, .75}));
}

TEST(Explain, ByColumnLevelsAreOfTheRowsThatHaveThem) {
  const Dataset data = test::mixed_data(60, 5, 3);
  Schema schema = numbers(5);
  schema.by_column = true;
  std::vector<std::size_t> levels(5, 0);
  for (const std::size_t c : {3, 4}) {
    levels[c] = data.columns[c].means.size();
    schema.columns[c].kind = ColumnKind::categorical;
    schema.columns[c].levels.assign(levels[c], "level");
    schema.features[c].level = Feature::kLevels;
  }
  Architecture architecture{.features = 5, .hidden = {8}};
  architecture.columns = data.columns;
  architecture.views = {View::linear, View::piecewise};
  const Ensemble ensemble = initial_ensemble(architecture, 3, 7);
  const auto gradients = input_gradients(ensemble, data.inputs.view(), Threads(1));
  const auto e = explain(ensemble, schema, data.inputs.view(), Threads(2));
  for (std::size_t m = 0; m < 3; ++m) {
    ASSERT_EQ(e.members[m].levels.size(), 5U);
    EXPECT_TRUE(e.members[m].levels[2].empty());  // numbers with missing cells
    for (const auto& level : e.members[m].levels[4]) {
      double sum = 0;
      std::size_t rows = 0;
      for (std::size_t r = 0; r < 60; ++r) {
        if (data.inputs(r, 4) != static_cast<float>(level.level)) continue;
        sum += gradients[m](r, 4);
        ++rows;
      }
      EXPECT_EQ(level.rows, rows);
      EXPECT_NEAR(level.contrast.mean, sum / static_cast<double>(rows), 1e-6);
    }
    EXPECT_EQ(e.members[m].levels[4].back().level, levels[4]);  // the missing cells come last
    EXPECT_NEAR(std::accumulate(e.members[m].shares.begin(), e.members[m].shares.end(), 0.0), 1, 1e-12);
  }
}

TEST(Explain, ReadsAnEnsembleOfAnyNumberOfClassesAndThreads) {
  for (const std::size_t classes : {2, 4}) {
    const Dataset data = test::normal_data(7, 3, 1);
    const Ensemble ensemble =
        initial_ensemble({.features = 3, .hidden = {8}, .classes = classes, .activation = Activation::softplus}, 3, 7);
    const auto e = explain(ensemble, numbers(3), data.inputs.view().middle_rows(2, 1), Threads(2));
    const auto gradients = input_gradients(ensemble, data.inputs.view(), Threads(1));
    ASSERT_EQ(e.members.size(), 3U);
    ASSERT_EQ(e.pairs.size(), 3U);
    for (std::size_t m = 0; m < 3; ++m) {
      for (std::size_t f = 0; f < 3; ++f) {
        EXPECT_FLOAT_EQ(static_cast<float>(e.members[m].features[f].mean), gradients[m](2, f));
      }
      EXPECT_NEAR(std::accumulate(e.members[m].shares.begin(), e.members[m].shares.end(), 0.0), 1, 1e-12);
    }
  }
}

TEST(Explain, ImportancesAreTheMembersSharesByTheirWeights) {
  Explanation explanation;
  explanation.members.resize(2);
  explanation.members[0].shares = {0.5, 0.3, 0.2};
  explanation.members[1].shares = {0.1, 0.9, 0.0};
  const std::vector<double> weights = {0.75, 0.25};
  const auto found = importances(explanation, weights);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].column, 1U);
  EXPECT_NEAR(found[0].share, 0.45, 1e-12);
  EXPECT_EQ(found[0].least, 0.3);
  EXPECT_EQ(found[0].most, 0.9);
  EXPECT_NEAR(found[0].share + found[1].share + found[2].share, 1, 1e-12);
  EXPECT_EQ(found[2].column, 2U);
}

}  // namespace
}  // namespace perpend
