#include "perpend/train/experts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "perpend/base/error.h"
#include "perpend/model/predict.h"
#include "perpend/train/train.h"
#include "tests/support/data.h"
#include "tests/support/ensembles.h"

namespace perpend {
namespace {

TrainOptions small_experts() {
  TrainOptions options;
  options.method = Method::experts;
  options.members = 3;
  options.hidden = {17};
  options.batch_size = 20;
  options.epochs = 6;
  options.seed = 5;
  options.threads = 1;
  return options;
}

TEST(CompetingExperts, BeginAsRestarts) {
  const Dataset data = test::normal_data(60, 6, 8);
  TrainOptions options = small_experts();
  options.epochs = 1;  // too few for a fit of all rows
  const auto compete = test::flat(train({.train = &data}, options).ensemble);
  options.method = Method::restarts;
  EXPECT_NE(test::flat(train({.train = &data}, options).ensemble), compete);
  const TrainResult half = [&] {
    options.epochs = 3;
    return train({.train = &data}, options);
  }();
  const TrainResult whole = train({.train = &data}, small_experts());
  ASSERT_EQ(whole.log.epochs.size(), 6U);
  for (std::size_t e = 0; e < 3; ++e) EXPECT_EQ(whole.log.epochs[e].fit, half.log.epochs[e].fit);
  EXPECT_NE(test::flat(whole.ensemble), test::flat(half.ensemble));
}

TEST(CompetingExperts, HaveASayByTheRowsThatTheyWin) {
  Dataset data = test::normal_data(60, 6, 8);
  for (std::size_t r = 0; r < 60; ++r) data.weights.push_back(r % 4 == 0 ? 3.0F : 1.0F);
  const TrainResult result = train({.train = &data}, small_experts());
  const auto p = member_probabilities(result.ensemble, data.inputs.view(), Threads(1));
  std::vector<double> won(3, 0);
  for (std::size_t r = 0; r < 60; ++r) {
    const auto label = static_cast<std::size_t>(data.labels[r]);
    std::size_t best = 0;
    for (std::size_t m = 1; m < 3; ++m) best = p[m](r, label) > p[best](r, label) ? m : best;
    won[best] += data.weights[r] / 90.0;
  }
  for (std::size_t m = 0; m < 3; ++m) EXPECT_NEAR(result.decision.weights.at(m), won[m], 1e-12);
  EXPECT_TRUE(are_member_weights(result.decision.weights));
}

// The rows come from two sources, which no column tells apart. The label is the sign of x0 in one and of x1 in the
// other. The better of two experts that compete must be right on more rows than that of two members that fit all rows.
TEST(CompetingExperts, PartWhereRowsHaveTwoRules) {
  Dataset data = test::normal_data(400, 2, 8);
  for (std::size_t r = 0; r < 400; ++r) data.labels[r] = data.inputs(r, r % 2) > 0 ? 1 : 0;
  const auto covered = [&](Method method) {
    TrainOptions options = small_experts();
    options.method = method;
    options.members = 2;
    options.dropout = 0;
    options.epochs = 60;
    const Ensemble ensemble = train({.train = &data}, options).ensemble;
    const auto p = member_probabilities(ensemble, data.inputs.view(), Threads(1));
    int right = 0;
    for (std::size_t r = 0; r < 400; ++r) {
      const auto label = static_cast<std::size_t>(data.labels[r]);
      right += p[0](r, label) > 0.5F || p[1](r, label) > 0.5F ? 1 : 0;
    }
    return right;
  };
  EXPECT_GT(covered(Method::experts), covered(Method::restarts) + 40);
}

TEST(CompetingExperts, ThreadsDoNotChangeABit) {
  for (const int classes : {2, 3}) {
    const Dataset data = test::normal_data(300, 7, 8, classes);
    TrainOptions options = small_experts();
    options.batch_size = 280;
    const TrainResult alone = train({.train = &data}, options);
    for (const int threads : {2, 3}) {
      options.threads = threads;
      const TrainResult more = train({.train = &data}, options);
      EXPECT_EQ(test::flat(more.ensemble), test::flat(alone.ensemble)) << classes << ' ' << threads;
      EXPECT_EQ(more.decision, alone.decision);
    }
  }
}

TEST(CompetingExperts, HaveNoTreesBesideThem) {
  const Dataset data = test::mixed_data(60, 6, 8);
  TrainOptions options = small_experts();
  options.views = {View::linear, View::trees};
  EXPECT_THROW(train({.train = &data}, options), ConfigError);
}

TEST(Adp, IsForMoreThanTwoClasses) {
  TrainOptions options = small_experts();
  options.method = Method::adp;
  const Dataset two = test::normal_data(60, 6, 8);
  EXPECT_THROW(train({.train = &two}, options), ConfigError);
  const Dataset three = test::normal_data(300, 6, 8, 3);
  options.batch_size = 280;
  const auto alone = test::flat(train({.train = &three}, options).ensemble);
  options.threads = 2;
  EXPECT_EQ(test::flat(train({.train = &three}, options).ensemble), alone);
}

// The mean cosine between the probabilities that two members give to the classes other than the label.
double likeness_of_doubts(const Ensemble& ensemble, const Dataset& data) {
  const auto p = member_probabilities(ensemble, data.inputs.view(), Threads(1));
  double sum = 0;
  for (std::size_t r = 0; r < data.rows(); ++r) {
    double dot = 0;
    double first = 0;
    double second = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      if (k == static_cast<std::size_t>(data.labels[r])) continue;
      dot += p[0](r, k) * p[1](r, k);
      first += p[0](r, k) * p[0](r, k);
      second += p[1](r, k) * p[1](r, k);
    }
    sum += dot / std::sqrt(first * second);
  }
  return sum / static_cast<double>(data.rows());
}

TEST(Adp, MembersDoubtForDifferentClasses) {
  const Dataset data = test::normal_data(300, 6, 8, 4);
  const auto likeness = [&](Method method) {
    TrainOptions options = small_experts();
    options.method = method;
    options.members = 2;
    options.epochs = 40;
    options.dropout = 0;
    return likeness_of_doubts(train({.train = &data}, options).ensemble, data);
  };
  EXPECT_LT(likeness(Method::adp), likeness(Method::restarts) - 0.1);
}

TEST(Forde, ThreadsDoNotChangeABit) {
  for (const int classes : {2, 3}) {
    const Dataset data = test::normal_data(300, 7, 8, classes);
    TrainOptions options = small_experts();
    options.method = Method::forde;
    options.batch_size = 280;
    const auto alone = test::flat(train({.train = &data}, options).ensemble);
    options.threads = 2;
    EXPECT_EQ(test::flat(train({.train = &data}, options).ensemble), alone);
    options.lambda = 0;
    EXPECT_NE(test::flat(train({.train = &data}, options).ensemble), alone);
  }
}

}  // namespace
}  // namespace perpend
