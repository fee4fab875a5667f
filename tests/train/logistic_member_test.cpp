#include "perpend/train/logistic_member.h"

#include <gtest/gtest.h>

#include "perpend/base/error.h"
#include "perpend/model/predict.h"
#include "perpend/train/logistic.h"
#include "perpend/train/train.h"
#include "tests/support/data.h"

namespace perpend {
namespace {

TrainOptions small_options(std::vector<View> views) {
  TrainOptions options;
  options.method = Method::restarts;
  options.members = 3;
  options.views = std::move(views);
  options.hidden = {8};
  options.epochs = 2;
  options.threads = 1;
  return options;
}

void expect_answers_of_the_regression(const Dataset& data, const TrainOptions& options) {
  const TrainResult result = train({.train = &data}, options);
  ASSERT_EQ(result.ensemble.members.size(), 3);
  EXPECT_EQ(result.ensemble.architecture.view_of(2), View::logistic);
  EXPECT_EQ(result.decision, equal_mean(3));
  const auto rows = linear_design(data, data.columns);
  const auto regression = fit_logistic(rows.view(), data.labels, data.classes.size());
  const auto wanted = class_probabilities(regression, rows.view());
  const auto found = member_probabilities(result.ensemble, data.inputs.view(), Threads(1));
  for (std::size_t r = 0; r < data.rows(); ++r) {
    for (std::size_t k = 0; k < data.classes.size(); ++k) EXPECT_NEAR(found[2](r, k), wanted(r, k), 1e-5) << r;
  }
}

TEST(LogisticMember, AnswersAsTheRegressionThatItHolds) {
  TrainOptions options = small_options({View::linear, View::piecewise, View::logistic});
  const Dataset mixed = test::mixed_data(80, 6, 3);
  expect_answers_of_the_regression(mixed, options);
  options.hidden = {8, 5};
  expect_answers_of_the_regression(mixed, options);
  Dataset three = mixed;
  three.classes = {"a", "b", "c"};
  for (std::size_t r = 0; r < three.rows(); ++r) three.labels[r] = static_cast<std::int32_t>(r % 3);
  options.hidden = {8};
  expect_answers_of_the_regression(three, options);
}

// The other networks must be those of an ensemble that has one member less and no logistic regression.
TEST(LogisticMember, LeavesTheNetworksAsTheyAre) {
  const Dataset data = test::mixed_data(80, 6, 3);
  const auto with = train({.train = &data}, small_options({View::linear, View::piecewise, View::logistic})).ensemble;
  TrainOptions two = small_options({View::linear, View::piecewise});
  two.members = 2;
  const auto without = train({.train = &data}, two).ensemble;
  for (std::size_t m = 0; m < 2; ++m) {
    EXPECT_EQ(with.members[m].layers[0].weight(0, 0), without.members[m].layers[0].weight(0, 0));
    EXPECT_EQ(with.architecture.view_of(m), without.architecture.view_of(m));
  }
}

TEST(LogisticMember, NeedsTwoUnitsPerScore) {
  TrainOptions options = small_options({View::linear, View::logistic});
  options.hidden = {1};
  const Dataset data = test::mixed_data(80, 6, 3);
  EXPECT_THROW(train({.train = &data}, options), ConfigError);
}

TEST(LogisticMember, GoesWithMethodsThatTrainMembersTogether) {
  TrainOptions options = small_options({View::linear, View::logistic});
  EXPECT_TRUE(validate(options).empty());
  options.method = Method::bagging;
  EXPECT_EQ(validate(options).size(), 1);
  options.method = Method::restarts;
  options.views = {View::logistic};
  EXPECT_EQ(validate(options).size(), 1);
}

}  // namespace
}  // namespace perpend
