#include "perpend/run/class_weights.h"

#include <gtest/gtest.h>

#include "perpend/base/error.h"
#include "perpend/data/generate.h"
#include "perpend/data/source.h"
#include "perpend/model/predict.h"
#include "tests/support/data.h"

namespace perpend {
namespace {

// There are three rows of "a" for each of "b".
Prepared prepared(std::size_t rows) {
  Prepared data;
  data.schema.target = "y";
  data.schema.classes = {"a", "b"};
  for (Dataset* part : {&data.train, &data.validation}) {
    *part = test::normal_data(rows, 2, 1);
    for (std::size_t r = 0; r < rows; ++r) part->labels[r] = r % 4 == 0 ? 1 : 0;
  }
  return data;
}

double sum_of(const Dataset& data, std::int32_t label) {
  double sum = 0;
  for (std::size_t r = 0; r < data.rows(); ++r) sum += data.labels[r] == label ? data.weights[r] : 0.0F;
  return sum;
}

TEST(ClassWeights, NoneLeaveTheRowsAsTheyAre) {
  Prepared data = prepared(40);
  weigh_classes({}, data);
  EXPECT_TRUE(data.train.weights.empty());
}

TEST(ClassWeights, BalancedMakesClassesCountAlikeAndKeepsTheSum) {
  Prepared data = prepared(40);
  weigh_classes({"balanced"}, data);
  EXPECT_NEAR(sum_of(data.train, 0), 20, 1e-4);
  EXPECT_NEAR(sum_of(data.train, 1), 20, 1e-4);
  EXPECT_EQ(data.validation.weights, data.train.weights);
}

TEST(ClassWeights, BalancedCountsTheRowsOwnWeights) {
  Prepared data = prepared(40);
  data.train.weights.assign(40, 1.0F);
  // Together they already weigh as much as the other class.
  for (std::size_t r = 0; r < 40; r += 4) data.train.weights[r] = 3;
  const auto before = data.train.weights;
  weigh_classes({"balanced"}, data);
  EXPECT_EQ(data.train.weights, before);
}

TEST(ClassWeights, NamedOnesMultiplyTheRowsWeights) {
  Prepared data = prepared(8);
  data.train.weights = {1, 2, 1, 1, 3, 1, 1, 1};
  weigh_classes({"b=2.5"}, data);
  EXPECT_EQ(data.train.weights, (std::vector<float>{2.5F, 2, 1, 1, 7.5F, 1, 1, 1}));
}

TEST(ClassWeights, BadWordsAreNamed) {
  EXPECT_TRUE(class_weight_problems({"balanced"}).empty());
  EXPECT_TRUE(class_weight_problems({"a=2", "b=c=0"}).empty());
  for (const char* bad : {"even", "a=", "=2", "a=-1", "a=nan", "a=inf", "a=x"}) {
    EXPECT_EQ(class_weight_problems({bad}).size(), 1U) << bad;
  }
  Prepared data = prepared(8);
  EXPECT_THROW(weigh_classes({"c=2"}, data), DataError);
}

// One class has a twentieth of the rows, and labels are noisy. An unweighted model always predicts the other class.
TEST(ClassWeights, BalancedModelsFindTheRareClass) {
  Dataset made = test::normal_data(1200, 2, 3);
  for (std::size_t r = 0; r < made.rows(); ++r) made.labels[r] = made.inputs(r, 0) > 1 && r % 4 == 0 ? 1 : 0;
  const Table table = table_of(made, "t");
  RunOptions options;
  options.schema.target = "target";
  options.train.members = 2;
  options.train.hidden = {8};
  options.train.threads = 1;
  options.train.lambda = 0.0;
  const auto found_share = [&] {
    const Prepared data = prepare(table, options);
    const auto members = member_probabilities(run(data, options).trained.ensemble, data.test.inputs.view(), Threads(1));
    double found = 0;
    for (std::size_t r = 0; r < data.test.rows(); ++r) found += members[0](r, 1) + members[1](r, 1) > 1 ? 1 : 0;
    return found / static_cast<double>(data.test.rows());
  };
  EXPECT_LT(found_share(), 0.02);
  options.class_weight = {"balanced"};
  EXPECT_GT(found_share(), 0.08);
}

}  // namespace
}  // namespace perpend
