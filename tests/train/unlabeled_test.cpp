// Tests rows without labels in LIT's penalty.
#include "perpend/train/unlabeled.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "perpend/base/error.h"
#include "perpend/evaluate/ensemble.h"
#include "perpend/train/train.h"
#include "tests/support/data.h"
#include "tests/support/ensembles.h"

namespace perpend {
namespace {

constexpr std::size_t kFeatures = 5;

TrainOptions small_options() {
  TrainOptions options;
  options.members = 3;
  options.hidden = {20};
  options.epochs = 3;
  options.batch_size = 32;
  options.threads = 1;
  return options;
}

// The first step goes over all rows. Its terms are of the weights that all trainings begin with.
EpochRecord first_step(const Dataset& data, const Inputs* unlabeled, TrainOptions options) {
  options.dropout = 0;
  options.epochs = 1;
  options.batch_size = 1000;
  return train({.train = &data, .unlabeled = unlabeled}, options).log.epochs.at(0);
}

TEST(Unlabeled, RowsCountInThePenaltyAsLabelledOnesDoAndNotInTheFit) {
  const Dataset data = test::normal_data(70, kFeatures, 1);
  const Dataset others = test::normal_data(50, kFeatures, 2);
  for (const auto activation : {Activation::relu, Activation::tanh}) {
    TrainOptions options = small_options();
    options.activation = activation;
    const EpochRecord alone = first_step(data, nullptr, options);
    const EpochRecord with = first_step(data, &others.inputs, options);
    const double of_others = first_step(others, nullptr, options).penalty;
    EXPECT_NEAR(with.penalty, (70 * alone.penalty + 50 * of_others) / 120, 1e-5 * with.penalty);
    EXPECT_GT(std::abs(with.penalty - alone.penalty), 1e-3 * alone.penalty);
    for (std::size_t m = 0; m < 3; ++m) EXPECT_NEAR(with.fit[m], alone.fit[m], 1e-6);
  }
}

TEST(Unlabeled, TheScaleOfRowWeightsHasNoSay) {
  Dataset data = test::normal_data(70, kFeatures, 1);
  const Dataset others = test::normal_data(50, kFeatures, 2);
  const EpochRecord plain = first_step(data, &others.inputs, small_options());
  data.weights.assign(70, 1000.0F);
  EXPECT_NEAR(first_step(data, &others.inputs, small_options()).penalty, plain.penalty, 1e-6);
}

TEST(Unlabeled, MembersBecomeIndependentWhereTheRowsAre) {
  const Dataset data = test::normal_data(200, kFeatures, 1);
  Dataset elsewhere = test::normal_data(200, kFeatures, 2);
  for (std::size_t r = 0; r < elsewhere.rows(); ++r) elsewhere.inputs(r, 0) += 4;
  TrainOptions options = small_options();
  options.members = 2;
  options.epochs = 100;
  const auto cos2 = [&](const Inputs* unlabeled) {
    const TrainResult result = train({.train = &data, .unlabeled = unlabeled}, options);
    return gradient_diversity(result.ensemble, elsewhere.inputs.view(), Threads(1)).cos2.value();
  };
  EXPECT_LT(cos2(&elsewhere.inputs), 0.5 * cos2(nullptr));
}

TEST(Unlabeled, WeightsAreTheSameOnAnyNumberOfThreads) {
  const Dataset data = test::normal_data(130, kFeatures, 1);
  const Dataset others = test::normal_data(301, kFeatures, 2);
  for (const int batch_size : {32, 1000}) {
    TrainOptions options = small_options();
    options.batch_size = batch_size;
    const auto expected = test::flat(train({.train = &data, .unlabeled = &others.inputs}, options).ensemble);
    for (const int threads : {2, 3}) {
      options.threads = threads;
      EXPECT_EQ(test::flat(train({.train = &data, .unlabeled = &others.inputs}, options).ensemble), expected);
    }
  }
}

TEST(Unlabeled, WithoutAPenaltyTheyChangeNothing) {
  const Dataset data = test::normal_data(70, kFeatures, 1);
  const Dataset others = test::normal_data(50, kFeatures, 2);
  TrainOptions options = small_options();
  options.lambda = 0;
  EXPECT_EQ(test::flat(train({.train = &data, .unlabeled = &others.inputs}, options).ensemble),
            test::flat(train({.train = &data}, options).ensemble));
}

TEST(Unlabeled, GoesWithTheFinitePenaltyAndWithTangentsOfEachRow) {
  const Dataset data = test::normal_data(40, 2, 1);
  const Dataset others = test::normal_data(30, 2, 2);
  TrainOptions options = small_options();
  Tangents tangents = Tangents::per_row(70, 2, 1);
  for (std::size_t r = 0; r < 70; ++r) tangents.direction(r, 0)[r % 2] = 1;
  EXPECT_EQ(train({.train = &data, .tangents = &tangents, .unlabeled = &others.inputs}, options).status,
            TrainStatus::ok);
  options.penalty = Penalty::finite;
  options.dropout = 0;
  EXPECT_NE(test::flat(train({.train = &data, .unlabeled = &others.inputs}, options).ensemble),
            test::flat(train({.train = &data}, options).ensemble));
}

TEST(Unlabeled, OtherMethodsRefuseThem) {
  const Dataset data = test::normal_data(40, kFeatures, 1);
  for (const auto method : {Method::restarts, Method::bagging, Method::adaboost, Method::ncl, Method::ace}) {
    TrainOptions options = small_options();
    options.method = method;
    EXPECT_THROW(train({.train = &data, .unlabeled = &data.inputs}, options), ConfigError);
  }
}

TEST(UnlabeledSteps, EachRowComesOnceBeforeAnyComesAgain) {
  const Dataset data = test::normal_data(70, kFeatures, 1);
  const Dataset others = test::normal_data(50, kFeatures, 2);
  for (const bool shuffle : {false, true}) {
    TrainOptions options;
    options.shuffle = shuffle;
    UnlabeledSteps steps(data, &others.inputs, 32, options);
    EXPECT_EQ(steps.per_step(), 32U);
    EXPECT_EQ(steps.data().rows(), 120U);
    EXPECT_EQ(steps.data().labels.size(), 70U);
    RowList all(70);
    std::iota(all.begin(), all.end(), 0U);
    RowList taken;
    for (int epoch = 0; epoch < 4; ++epoch) {
      const RowList mixed = steps.mixed({all})[0];
      ASSERT_EQ(mixed.size(), 70U + 3 * 32U);
      EXPECT_TRUE(std::equal(all.begin(), all.begin() + 32, mixed.begin()));
      EXPECT_TRUE(std::equal(all.begin() + 64, all.end(), mixed.begin() + 128));
      std::copy_if(mixed.begin(), mixed.end(), std::back_inserter(taken), [](std::uint32_t r) { return r >= 70; });
    }
    ASSERT_EQ(taken.size(), 4 * 3 * 32U);
    for (std::size_t pass = 0; pass + 50 <= taken.size(); pass += 50) {
      const auto from = taken.begin() + static_cast<std::ptrdiff_t>(pass);
      EXPECT_EQ(std::set<std::uint32_t>(from, from + 50).size(), 50U);
      EXPECT_EQ(std::is_sorted(from, from + 50), !shuffle);
      EXPECT_EQ(*std::max_element(from, from + 50), 119U);
    }
  }
}

}  // namespace
}  // namespace perpend
