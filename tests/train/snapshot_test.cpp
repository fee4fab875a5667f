#include "perpend/train/snapshot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "perpend/train/adam.h"
#include "perpend/train/train.h"
#include "tests/support/data.h"
#include "tests/support/ensembles.h"

namespace perpend {
namespace {

TrainOptions small_snapshots() {
  TrainOptions options;
  options.method = Method::snapshot;
  options.members = 3;
  options.hidden = {17};
  options.batch_size = 20;
  options.epochs = 12;
  options.seed = 5;
  options.threads = 1;
  return options;
}

double distance(const Network<float>& one, const Network<float>& other) {
  const auto a = test::flat(one);
  const auto b = test::flat(other);
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

TEST(HalfCosine, FallsFromOneToNothing) {
  for (double x = 0; x <= 1; x += 0.01) {
    EXPECT_NEAR(half_cosine(x), (1 + std::cos(std::numbers::pi * x)) / 2, 1e-15) << x;
  }
  EXPECT_EQ(half_cosine(0), 1);
}

TEST(Snapshots, ShareTheEpochsOfOneTraining) {
  const Dataset data = test::normal_data(60, 6, 8);
  const TrainResult result = train({.train = &data}, small_snapshots());
  EXPECT_EQ(result.ensemble.members.size(), 3U);
  EXPECT_EQ(result.steps, 12 * 3) << "three batches of 20 rows in each epoch";
  EXPECT_EQ(result.log.epochs.size(), 12U);
  EXPECT_EQ(result.log.epochs.back().round, 3);
  EXPECT_EQ(result.decision, equal_mean(3));
}

// Each cycle begins where the one before it ended, and its last steps are the small ones.
TEST(Snapshots, AreOneNetworkThatGoesOn) {
  const Dataset data = test::normal_data(60, 6, 8);
  TrainOptions options = small_snapshots();
  const Ensemble three = train({.train = &data}, options).ensemble;
  options.members = 1;
  options.epochs = 4;
  const Ensemble one = train({.train = &data}, options).ensemble;
  EXPECT_EQ(test::flat(one.members[0]), test::flat(three.members[0]));
  options.epochs = 0;
  const Ensemble none = train({.train = &data}, options).ensemble;
  EXPECT_LT(distance(three.members[0], three.members[1]), distance(none.members[0], three.members[1]));
  options.method = Method::restarts;
  options.epochs = 4;
  const Ensemble constant = train({.train = &data}, options).ensemble;
  EXPECT_LT(distance(none.members[0], one.members[0]), distance(none.members[0], constant.members[0]))
      << "the mean rate of a cycle is half of a constant one";
}

TEST(Snapshots, OfTwoViewsAreThoseOfTwoNetworks) {
  const Dataset data = test::mixed_data(60, 6, 8);
  TrainOptions options = small_snapshots();
  options.views = {View::linear, View::piecewise};
  options.members = 4;
  const Ensemble four = train({.train = &data}, options).ensemble;
  options.views = {View::linear};
  options.members = 1;
  options.epochs = 6;
  const Ensemble one = train({.train = &data}, options).ensemble;
  EXPECT_EQ(test::flat(one.members[0]), test::flat(four.members[0])) << "two cycles of six epochs";
  EXPECT_EQ(four.members[1].layers[0].weight.rows(), four.members[3].layers[0].weight.rows());
  EXPECT_LT(distance(four.members[0], four.members[2]), distance(four.members[1], four.members[3]) * 100);
}

TEST(Snapshots, ThreadsDoNotChangeABit) {
  for (const int classes : {2, 3}) {
    const Dataset data = test::normal_data(130, 7, 8, classes);
    TrainOptions options = small_snapshots();
    const auto alone = test::flat(train({.train = &data}, options).ensemble);
    for (const int threads : {2, 3}) {
      options.threads = threads;
      EXPECT_EQ(test::flat(train({.train = &data}, options).ensemble), alone) << classes << ' ' << threads;
    }
  }
}

TEST(Snapshots, OfACycleThatStopsEarlyIsItsBestEpoch) {
  const Dataset data = test::normal_data(60, 6, 8);
  const Dataset validation = test::normal_data(200, 6, 9);
  TrainOptions options = small_snapshots();
  options.early_stopping = 1;
  options.epochs = 3000;
  options.members = 1;
  const TrainResult result = train({.train = &data, .validation = &validation}, options);
  EXPECT_EQ(result.log.epochs.size(), 3000U) << "a cycle has its full length";
  double least = INFINITY;
  for (const auto& record : result.log.epochs) least = std::min(least, record.validation_log_loss.value_or(INFINITY));
  EXPECT_LT(least, *result.log.epochs.back().validation_log_loss);
}

}  // namespace
}  // namespace perpend
