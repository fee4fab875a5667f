#include "perpend/train/bagging.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "perpend/model/predict.h"
#include "perpend/train/train.h"
#include "tests/support/data.h"
#include "tests/support/ensembles.h"

namespace perpend {
namespace {

TrainOptions quick_bagging(int members = 3) {
  TrainOptions options;
  options.method = Method::bagging;
  options.members = members;
  options.hidden = {17};
  options.batch_size = 20;
  options.epochs = 4;
  options.seed = 5;
  options.threads = 1;
  return options;
}

Dataset resampled(const Dataset& data, const std::vector<std::uint32_t>& rows) {
  Dataset out = data;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::copy_n(data.inputs.row(rows[i]), data.inputs.cols(), out.inputs.row(i));
    out.labels[i] = data.labels[rows[i]];
    if (!data.weights.empty()) out.weights[i] = data.weights[rows[i]];
  }
  return out;
}

TEST(BootstrapRows, AreAboutSixtyThreePercentOfTheRowsAndEachMembersOwn) {
  constexpr std::size_t kRows = 10000;
  std::set<std::vector<std::uint32_t>> samples;
  for (std::size_t member = 0; member < 5; ++member) {
    const auto rows = bootstrap_rows(7, member, kRows);
    ASSERT_EQ(rows.size(), kRows);
    const std::set<std::uint32_t> seen(rows.begin(), rows.end());
    EXPECT_LT(*seen.rbegin(), kRows);
    EXPECT_NEAR(static_cast<double>(seen.size()) / kRows, 1 - std::exp(-1.0), 0.02);
    samples.insert(rows);
  }
  samples.insert(bootstrap_rows(8, 0, kRows));
  EXPECT_EQ(samples.size(), 6U);
}

TEST(Bagging, OfAMemberIsARestartOnItsResampledRows) {
  Dataset data = test::normal_data(50, 6, 8);
  for (std::size_t r = 0; r < 50; ++r) data.weights.push_back(1 + static_cast<float>(r % 3));
  for (const Activation activation : {Activation::relu, Activation::tanh}) {
    TrainOptions options = quick_bagging();
    options.activation = activation;
    options.shuffle = false;
    options.dropout = 0;
    const TrainResult bagged = train({.train = &data}, options);
    EXPECT_EQ(bagged.decision, equal_mean(3));
    const Ensemble start = initial_ensemble(bagged.ensemble.architecture, 3, options.seed);
    options.method = Method::restarts;
    options.members = 1;
    for (std::size_t m = 0; m < 3; ++m) {
      const Dataset own = resampled(data, bootstrap_rows(options.seed, m, 50));
      const Ensemble first{start.architecture, {start.members[m]}};
      const TrainResult alone = train({.train = &own, .initial = &first}, options);
      EXPECT_EQ(test::flat(bagged.ensemble.members[m]), test::flat(alone.ensemble.members[0])) << m;
    }
  }
}

TEST(Bagging, ReshufflesEachMembersRowsByItsOwnStream) {
  const Dataset data = test::normal_data(50, 6, 8);
  TrainOptions options = quick_bagging();
  options.dropout = 0;
  options.epochs = 1;
  const TrainResult bagged = train({.train = &data}, options);
  const auto sample = bootstrap_rows(options.seed, 2, 50);
  auto order = Stream({.seed = options.seed, .purpose = Purpose::shuffle, .member = 2, .step = 0}).permutation(50);
  for (auto& r : order) r = sample[r];
  const Dataset own = resampled(data, order);
  options.method = Method::restarts;
  options.shuffle = false;
  const TrainResult restarts = train({.train = &own}, options);
  EXPECT_EQ(test::flat(bagged.ensemble.members[2]), test::flat(restarts.ensemble.members[2]));
}

TEST(Bagging, FirstMembersOfALargerEnsembleAreThoseOfASmallerOne) {
  const Dataset data = test::normal_data(50, 6, 8);
  const TrainResult three = train({.train = &data}, quick_bagging(3));  // with drop-out, reshuffled
  for (const int members : {1, 2}) {
    const TrainResult few = train({.train = &data}, quick_bagging(members));
    for (std::size_t m = 0; m < few.ensemble.members.size(); ++m) {
      EXPECT_EQ(test::flat(few.ensemble.members[m]), test::flat(three.ensemble.members[m]));
    }
  }
}

TEST(Bagging, ThreadsDoNotChangeABit) {
  for (const int classes : {2, 3}) {
    const Dataset data = test::normal_data(300, 6, 8, classes);
    TrainOptions options = quick_bagging();
    options.batch_size = 280;
    const auto alone = test::flat(train({.train = &data}, options).ensemble);
    for (const int threads : {2, 3, 8}) {
      options.threads = threads;
      EXPECT_EQ(test::flat(train({.train = &data}, options).ensemble), alone) << classes << ' ' << threads;
    }
  }
}

TEST(OutOfBag, IsTheMeanOfTheMembersThatHaveNotSeenTheRow) {
  const Dataset data = test::normal_data(20, 4, 8, 3);
  const TrainResult trained = train({.train = &data}, quick_bagging(4));
  const auto members = member_probabilities(trained.ensemble, data.inputs, Threads(1));
  const OutOfBag judged = out_of_bag(trained.ensemble, data, 5, Threads(1));
  std::vector<std::set<std::uint32_t>> seen;
  for (std::size_t m = 0; m < 4; ++m) {
    const auto rows = bootstrap_rows(5, m, 20);
    seen.emplace_back(rows.begin(), rows.end());
  }
  std::size_t next = 0;
  for (std::uint32_t r = 0; r < 20; ++r) {
    std::vector<std::size_t> strangers;
    for (std::size_t m = 0; m < 4; ++m) {
      if (!seen[m].contains(r)) strangers.push_back(m);
    }
    if (strangers.empty()) continue;
    ASSERT_LT(next, judged.rows.size());
    EXPECT_EQ(judged.rows[next], r);
    for (std::size_t k = 0; k < 3; ++k) {
      double mean = 0;
      for (const auto m : strangers) mean += members[m](r, k) / static_cast<double>(strangers.size());
      EXPECT_NEAR(judged.probabilities(next, k), mean, 1e-12);
    }
    ++next;
  }
  EXPECT_EQ(next, judged.rows.size());
  EXPECT_LT(next, 20U) << "the case is to have a row that all members have seen";
}

}  // namespace
}  // namespace perpend
