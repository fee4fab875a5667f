// Tests trainings of DivDis and D-BAT on rows without labels, which they need.
#include <gtest/gtest.h>

#include <cmath>

#include "perpend/base/error.h"
#include "perpend/model/predict.h"
#include "perpend/train/train.h"
#include "tests/support/data.h"
#include "tests/support/ensembles.h"

namespace perpend {
namespace {

constexpr Method kRivals[] = {Method::divdis, Method::dbat};

TrainOptions small_options(Method method) {
  TrainOptions options;
  options.method = method;
  options.members = 3;
  options.hidden = {20};
  options.epochs = 3;
  options.batch_size = 32;
  options.threads = 1;
  return options;
}

std::vector<float> weights(const Dataset& data, const Inputs* unlabeled, const TrainOptions& options) {
  return test::flat(train({.train = &data, .unlabeled = unlabeled}, options).ensemble);
}

TEST(Rivals, TrainNothingWithoutSuchRows) {
  const Dataset data = test::normal_data(40, 3, 1);
  const Inputs none(0, 3);
  for (const Method method : kRivals) {
    EXPECT_THROW(train({.train = &data}, small_options(method)), ConfigError);
    EXPECT_THROW(train({.train = &data, .unlabeled = &none}, small_options(method)), ConfigError);
  }
}

TEST(Rivals, GiveTheSameBytesOnAnyNumberOfThreads) {
  for (const int classes : {2, 3}) {
    const Dataset data = test::normal_data(130, 5, 1, classes);
    const Dataset others = test::normal_data(301, 5, 2);
    for (const Method method : kRivals) {
      for (const int batch_size : {32, 1000}) {
        TrainOptions options = small_options(method);
        options.batch_size = batch_size;
        const auto expected = weights(data, &others.inputs, options);
        for (const int threads : {2, 3}) {
          options.threads = threads;
          EXPECT_EQ(weights(data, &others.inputs, options), expected);
        }
      }
    }
  }
}

TEST(Rivals, HaveNoUseForSuchRowsAtLambdaZero) {
  const Dataset data = test::normal_data(70, 5, 1);
  const Dataset others = test::normal_data(50, 5, 2);
  const Dataset more = test::normal_data(50, 5, 3);
  for (const Method method : kRivals) {
    TrainOptions options = small_options(method);
    EXPECT_NE(weights(data, &others.inputs, options), weights(data, &more.inputs, options));
    options.lambda = 0;
    EXPECT_EQ(weights(data, &others.inputs, options), weights(data, &more.inputs, options));
  }
}

TEST(Rivals, TheFirstMemberOfDbatIsThatOfRestarts) {
  const Dataset data = test::normal_data(70, 5, 1);
  const Dataset others = test::normal_data(50, 5, 2);
  const auto of = [&](Method method, const Inputs* unlabeled) {
    return train({.train = &data, .unlabeled = unlabeled}, small_options(method)).ensemble;
  };
  const Ensemble dbat = of(Method::dbat, &others.inputs);
  const Ensemble restarts = of(Method::restarts, nullptr);
  ASSERT_EQ(dbat.members.size(), 3U);
  EXPECT_EQ(test::flat(dbat.members[0]), test::flat(restarts.members[0]));
  EXPECT_NE(test::flat(dbat.members[1]), test::flat(restarts.members[1]));
}

// The penalty of the first step is that of the first weights, over more rows than one run has.
TEST(Rivals, ThePenaltyOfDivDisIsThatOfTheWholeBatch) {
  const Dataset data = test::normal_data(300, 5, 1);
  const Dataset others = test::normal_data(300, 5, 2);
  TrainOptions options = small_options(Method::divdis);
  options.members = 2;
  options.dropout = 0;
  options.epochs = 1;
  options.batch_size = 1000;
  const double logged = train({.train = &data, .unlabeled = &others.inputs}, options).log.epochs.at(0).penalty;
  options.epochs = 0;
  const Ensemble first = train({.train = &data, .unlabeled = &others.inputs}, options).ensemble;
  const auto p = member_probabilities(first, others.inputs.view(), Threads(1));
  double expected = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    double labels = 0;
    for (const auto label : data.labels) labels += static_cast<std::size_t>(label) == k ? 1 : 0;
    double share[2] = {};
    for (std::size_t m = 0; m < 2; ++m) {
      for (std::size_t r = 0; r < 300; ++r) share[m] += p[m](r, k) / 300.0;
      expected += share[m] * std::log(share[m] / (labels / 300));
    }
    for (std::size_t l = 0; l < 2; ++l) {
      double joint = 0;
      double other = 0;
      for (std::size_t r = 0; r < 300; ++r) {
        joint += p[0](r, k) * p[1](r, l) / 300.0;
        other += p[1](r, l) / 300.0;
      }
      expected += 2 * joint * std::log(joint / (share[0] * other));
    }
  }
  EXPECT_NEAR(logged, expected, 1e-5);
  EXPECT_GT(expected, 1e-3);
}

// Two clues that agree where there are labels, and are independent of each other elsewhere.
Dataset clues(bool agree, std::uint64_t seed) {
  Dataset data = test::normal_data(200, 2, seed);
  for (std::size_t r = 0; r < data.rows(); ++r) {
    data.labels[r] = data.inputs(r, 0) > 0 ? 1 : 0;
    if (agree) data.inputs(r, 1) = std::copysign(data.inputs(r, 1), data.inputs(r, 0));
  }
  return data;
}

TEST(Rivals, MembersPartAtTheRowsWithoutLabels) {
  const Dataset data = clues(true, 1);
  const Dataset elsewhere = clues(false, 2);
  const auto agreement = [&](Method method, const Inputs* unlabeled) {
    TrainOptions options = small_options(method);
    options.members = 2;
    options.epochs = 100;
    options.lambda = unlabeled == nullptr ? std::nullopt : std::optional<double>(1);
    const TrainResult result = train({.train = &data, .unlabeled = unlabeled}, options);
    const auto p = member_probabilities(result.ensemble, elsewhere.inputs.view(), Threads(1));
    std::size_t alike = 0;
    for (std::size_t r = 0; r < 200; ++r) alike += (p[0](r, 1) > 0.5F) == (p[1](r, 1) > 0.5F) ? 1 : 0;
    return static_cast<double>(alike) / 200;
  };
  EXPECT_GT(agreement(Method::restarts, nullptr), 0.9);
  for (const Method method : kRivals) EXPECT_LT(agreement(method, &elsewhere.inputs), 0.8);
}

TEST(Rivals, MembersThatAreFinishedStayWhenDbatIsStopped) {
  class After final : public TrainCallback {
   public:
    void on_epoch(const EpochRecord& record, int epochs) override {
      stop_ = record.round == 2 && record.epoch == epochs;
    }
    bool stop_requested() override { return stop_; }

   private:
    bool stop_ = false;
  };
  const Dataset data = test::mixed_data(70, 5, 1);
  const Dataset others = test::mixed_data(50, 5, 2);
  TrainOptions options = small_options(Method::dbat);
  options.members = 6;
  options.views = {View::linear, View::piecewise, View::logistic, View::trees};
  After after;
  const TrainResult result = train({.train = &data, .callback = &after, .unlabeled = &others.inputs}, options);
  EXPECT_EQ(result.status, TrainStatus::stopped);
  EXPECT_EQ(result.ensemble.members.size(), 4U) << "two networks and the two single members";
  EXPECT_EQ(result.ensemble.architecture.views.size(), 4U);
}

}  // namespace
}  // namespace perpend
