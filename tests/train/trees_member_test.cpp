#include "perpend/train/trees_member.h"

#include <gtest/gtest.h>

#include <cmath>

#include "perpend/evaluate/ensemble.h"
#include "perpend/evaluate/explain.h"
#include "perpend/model/predict.h"
#include "perpend/trees/contributions.h"
#include "tests/support/data.h"

namespace perpend {
namespace {

TrainOptions options_with_trees() {
  TrainOptions options;
  options.members = 3;
  options.views = {View::linear, View::piecewise, View::trees};
  options.hidden = {8};
  options.epochs = 3;
  options.threads = 1;
  return options;
}

TrainResult trained(const Dataset& data, const TrainOptions& options, const Dataset* validation = nullptr) {
  return train({.train = &data, .validation = validation}, options);
}

Schema schema_of(const Dataset& data) {
  Schema schema;
  schema.by_column = true;
  for (std::size_t c = 0; c < data.inputs.cols(); ++c) {
    const bool is_category = data.columns[c].is_category;
    InputColumn column;
    column.name = data.features[c];
    column.kind = is_category ? ColumnKind::categorical : ColumnKind::numeric;
    for (std::size_t l = 0; l < data.columns[c].means.size() && is_category; ++l)
      column.levels.push_back(std::to_string(l));
    schema.columns.push_back(column);
    Feature feature;
    feature.name = column.name;
    feature.column = c;
    schema.features.push_back(feature);
  }
  return schema;
}

TEST(TreesMember, IsTheLastAndLeavesTheNetworksAsTheyAre) {
  const Dataset data = test::mixed_data(200, 6, 1);
  const TrainResult all = trained(data, options_with_trees());
  ASSERT_EQ(all.ensemble.members.size(), 3U);
  EXPECT_TRUE(all.ensemble.members[2].layers.empty());
  EXPECT_EQ(all.ensemble.differentiable(), 2U);
  EXPECT_GT(all.ensemble.trees.rounds(), 0U);
  TrainOptions without = options_with_trees();
  without.views = {View::linear, View::piecewise};
  without.members = 2;
  const auto expected = member_scores(trained(data, without).ensemble, data.inputs.view(), Threads(1));
  const auto scores = member_scores(all.ensemble, data.inputs.view(), Threads(2));
  const TreeScores of_trees = score(all.ensemble.trees, data.inputs.view(), Threads(1));
  for (std::size_t r = 0; r < data.rows(); ++r) {
    EXPECT_EQ(scores[0](r, 0), expected[0](r, 0));
    EXPECT_EQ(scores[1](r, 0), expected[1](r, 0));
    EXPECT_EQ(scores[2](r, 0), of_trees(r, 0));
  }
}

TEST(TreesMember, HasALogitPerClass) {
  Dataset data = test::mixed_data(300, 5, 2);
  data.classes = {"a", "b", "c"};
  for (std::size_t r = 0; r < data.rows(); ++r)
    data.labels[r] = data.inputs(r, 0) > 0.5F ? 2 : data.inputs(r, 0) > -0.5F;
  const Ensemble ensemble = trained(data, options_with_trees()).ensemble;
  const auto probabilities = member_probabilities(ensemble, data.inputs.view(), Threads(1));
  std::size_t right = 0;
  for (std::size_t r = 0; r < data.rows(); ++r) {
    const auto p = probabilities[2];
    EXPECT_NEAR(p(r, 0) + p(r, 1) + p(r, 2), 1, 1e-5);
    right += vote(p.row(r), 3) == static_cast<std::size_t>(data.labels[r]) ? 1 : 0;
  }
  EXPECT_GT(right, data.rows() * 9 / 10);
}

TEST(TreesMember, IsTheSameOnAnyNumberOfThreads) {
  const Dataset data = test::mixed_data(400, 6, 3);
  const Dataset validation = test::mixed_data(100, 6, 4);
  TrainOptions options = options_with_trees();
  options.early_stopping = 2;
  const BoostedTrees one = trees_member({.train = &data, .validation = &validation}, options, Threads(1));
  EXPECT_EQ(trees_member({.train = &data, .validation = &validation}, options, Threads(3)), one);
}

TEST(TreesMember, StopsByTheValidationRowsUnlessTheRoundsAreGiven) {
  const Dataset data = test::mixed_data(400, 6, 5);
  Dataset noise = test::mixed_data(200, 6, 6);
  for (std::size_t r = 0; r < noise.rows(); ++r) noise.labels[r] = 1 - noise.labels[r];
  TrainOptions options = options_with_trees();
  options.early_stopping = 1;
  const TrainInput input{.train = &data, .validation = &noise};
  EXPECT_LT(trees_member(input, options, Threads(1)).rounds(), 3U);  // every round makes the wrong labels less likely
  options.tree_rounds = 7;
  EXPECT_EQ(trees_member(input, options, Threads(1)).rounds(), 7U);
  options.tree_rounds = 0;
  EXPECT_EQ(trees_member(input, options, Threads(1)).rounds(), 0U);
}

TEST(TreesMember, TakesWeightsOfAnySize) {
  Dataset data = test::mixed_data(300, 5, 7);
  data.weights.assign(data.rows(), 1e9F);
  const TrainResult result = trained(data, options_with_trees());
  const auto p = positive_probabilities(result.ensemble, data.inputs.view(), Threads(1));
  std::size_t right = 0;
  for (std::size_t r = 0; r < data.rows(); ++r) right += (p[2](r, 0) > 0.5F) == (data.labels[r] == 1) ? 1 : 0;
  EXPECT_GT(right, data.rows() * 8 / 10);
}

TEST(TreesMember, AloneOrBesideALogisticRegressionNeedsNoNetworks) {
  const Dataset data = test::mixed_data(200, 5, 8);
  TrainOptions options = options_with_trees();
  options.views = {View::trees};
  options.members = 1;
  const TrainResult alone = trained(data, options);
  EXPECT_EQ(alone.ensemble.members.size(), 1U);
  EXPECT_EQ(alone.ensemble.differentiable(), 0U);
  const Evaluation seen = evaluate_ensemble(alone.ensemble, alone.decision, data, Threads(1));
  EXPECT_FALSE(seen.grad_cos2.has_value());
  EXPECT_GT(*seen.auc, 0.9);
  options.views = {View::trees, View::logistic};
  options.members = 2;
  EXPECT_EQ(trained(data, options).ensemble.architecture.views, (std::vector<View>{View::logistic, View::trees}));
}

TEST(TreesMember, IsNotTrainedInNoEpochs) {
  const Dataset data = test::mixed_data(100, 5, 9);
  TrainOptions options = options_with_trees();
  options.epochs = 0;
  const Ensemble ensemble = trained(data, options).ensemble;
  EXPECT_EQ(ensemble.trees.rounds(), 0U);
  EXPECT_EQ(member_scores(ensemble, data.inputs.view(), Threads(1))[2](0, 0), 0.0F);
}

TEST(TreesMember, ViewsThatDoNotFitTheMembersAreRefused) {
  TrainOptions options = options_with_trees();
  EXPECT_TRUE(validate(options).empty());
  options.members = 1;
  EXPECT_EQ(validate(options).size(), 1U);
  options.views = {View::trees};
  EXPECT_TRUE(validate(options).empty());
  options.members = 2;
  EXPECT_EQ(validate(options).size(), 1U);
  options.views = {View::linear, View::trees};
  options.method = Method::bagging;
  EXPECT_EQ(validate(options).size(), 1U);
}

// Trees take no part in cosines of gradients, and are explained by contributions, which sum up to their score.
TEST(TreesMember, IsExplainedByContributions) {
  const Dataset data = test::mixed_data(200, 6, 10);
  const Ensemble ensemble = trained(data, options_with_trees()).ensemble;
  const auto seen = attributions(ensemble, data.inputs.view(), Threads(2));
  const auto scores = member_scores(ensemble, data.inputs.view(), Threads(1));
  for (std::size_t r = 0; r < data.rows(); ++r) {
    double sum = mean_score(ensemble.trees, 0);
    for (std::size_t c = 0; c < 6; ++c) sum += static_cast<double>(seen.of(2)(r, c));
    EXPECT_NEAR(sum, scores[2](r, 0), 1e-4);
  }
  const Explanation explained = explain(ensemble, schema_of(data), data.inputs.view(), Threads(1));
  ASSERT_EQ(explained.members.size(), 3U);
  EXPECT_FALSE(explained.members[1].is_contribution);
  EXPECT_TRUE(explained.members[2].is_contribution);
  double shares = 0;
  for (const double share : explained.members[2].shares) shares += share;
  EXPECT_NEAR(shares, 1, 1e-9);
  ASSERT_EQ(explained.pairs.size(), 3U);
  for (const auto& pair : explained.pairs) EXPECT_EQ(pair.cos2.has_value(), pair.second < 2);
  const Metric cos2 = gradient_diversity(ensemble, data.inputs.view(), Threads(1)).cos2;
  EXPECT_EQ(cos2, gradient_diversity(without_trees(ensemble), data.inputs.view(), Threads(1)).cos2);
  EXPECT_EQ(cos2, explained.pairs[0].cos2);
}

}  // namespace
}  // namespace perpend
