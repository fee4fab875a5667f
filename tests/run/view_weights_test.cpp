#include "perpend/run/view_weights.h"

#include <gtest/gtest.h>

#include "perpend/data/generate.h"
#include "perpend/data/source.h"
#include "perpend/run/run.h"
#include "tests/support/data.h"

namespace perpend {
namespace {

// The score is x of the linear view in one member and -x in the other, so one is right and the other wrong.
Ensemble opposite_members(const Dataset& data) {
  Ensemble ensemble{
      {.features = 1, .hidden = {2}, .columns = data.columns, .views = {View::linear, View::linear, View::logistic}},
      {}};
  for (std::size_t m = 0; m < 3; ++m) {
    Network<float> network = zero_network<float>(ensemble.architecture, m);
    const float sign = m == 2 ? -1 : 1;
    network.layers[0].weight(0, 0) = sign;
    network.layers[0].weight(0, 1) = -sign;
    network.layers[1].weight(0, 1) = 2;
    network.layers[1].weight(1, 1) = -2;
    ensemble.members.push_back(network);
  }
  return ensemble;
}

Dataset line(std::size_t rows) {
  Dataset data = test::normal_data(rows, 1, 4);
  const std::vector<std::size_t> levels = {0};
  data.columns = fit_columns(data.inputs.view(), levels, 4);
  for (std::size_t r = 0; r < rows; ++r) data.labels[r] = data.inputs(r, 0) > 0 ? 1 : 0;
  return data;
}

TEST(ViewWeights, MoveTowardsTheBetterViewAndKeepTheOther) {
  const Dataset data = line(200);
  const Decision decision = weigh_views(opposite_members(data), data, Threads(1));
  EXPECT_TRUE(are_member_weights(decision.weights));
  EXPECT_EQ(decision.weights[0], decision.weights[1]);
  // The wrong view keeps what the pull towards equal shares gives it: about 0.1 / 2 of 1.1.
  EXPECT_GT(decision.weights[2], 0.04);
  EXPECT_LT(decision.weights[2], 0.15);
}

TEST(ViewWeights, AreEqualPerViewWithoutValidationRows) {
  const Dataset data = line(200);
  const Decision decision = weigh_views(opposite_members(data), Dataset(), Threads(1));
  EXPECT_EQ(decision.weights, (std::vector<double>{0.25, 0.25, 0.5}));
}

TEST(ViewWeights, OfTreesAreUsuallyTwiceThoseOfAnotherView) {
  const Dataset data = line(200);
  Ensemble ensemble = opposite_members(data);
  ensemble.architecture.views.push_back(View::trees);
  ensemble.members.emplace_back();
  ensemble.trees = {.start = {0.0F}, .trees = {}};
  const Decision decision = weigh_views(ensemble, Dataset(), Threads(1));
  EXPECT_EQ(decision.weights, (std::vector<double>{0.125, 0.125, 0.25, 0.5}));
}

TEST(AutoViews, HaveALogisticRegressionAndTreesFromSixMembersOn) {
  RunOptions options;
  const std::vector<View> networks = {View::linear, View::piecewise};
  EXPECT_EQ(auto_views(options), (std::vector<View>{View::linear, View::piecewise, View::logistic, View::trees}));
  options.train.members = 5;
  EXPECT_EQ(auto_views(options), networks);
  options.train.members = 6;
  options.train.method = Method::bagging;
  EXPECT_EQ(auto_views(options), networks);
}

}  // namespace
}  // namespace perpend
