// The numeric contract: the same seed gives the same bytes on every number of threads, on every instruction set, and
// (tools/check_contract) from every compiler.
#include <gtest/gtest.h>

#include <string_view>

#include "perpend/base/sha256.h"
#include "perpend/kernels/fast_path.h"
#include "perpend/kernels/target.h"
#include "perpend/train/logistic.h"
#include "perpend/train/train.h"
#include "tests/support/data.h"
#include "tests/support/ensembles.h"
#include "tests/support/targets.h"

namespace perpend {
namespace {

// The hash of the weights below, as little-endian floats. If it changes, every user's models change: say so in the
// CHANGELOG, raise kContractVersion (base/contract.h), and put the value that the failing test prints here.
constexpr std::string_view kExpected = "fd6a2c72d4adc2c00c6e6d48f075a95e6ca0ebae21778032169fc1dcdfd0e923";

// The same for trainings of other methods.
constexpr std::string_view kExpectedOfMethods = "765010485e904dd6008d4ca607c96ec68594c3ea20cdd4eb3965703a311797e3";

// The same for trainings behind views of columns.
constexpr std::string_view kExpectedOfViews = "3f3945f6139984d97ddf8b7a47ee97670857f17f30a0e3615ed87020eeb4e639";
// The same for logistic regressions.
constexpr std::string_view kExpectedOfLogistic = "c6634299d4b0f7a0bd0a535dd24a8f82079795cfccf22563a4d037b4bf5b0169";

struct Case {
  const char* name;
  Dataset data;
  TrainOptions options;
  Dataset validation = {};
};

// The collapsed path over two blocks of rows with a short last batch; the general path, deep and reshuffled, with a
// drop-out whose share takes several bits; three classes; and units of one member that several threads share, for many
// steps.
std::vector<Case> cases() {
  std::vector<Case> all(4);
  all[0] = {"collapsed", test::normal_data(388, 19, 1), {}};
  all[0].options.members = 3;
  all[0].options.hidden = {70};
  all[0].options.lambda = 0.01;
  all[0].options.penalty_reduction = PenaltyReduction::sum;
  all[0].options.batch_size = 300;
  all[0].options.shuffle = false;
  all[1] = {"two softplus layers", test::normal_data(150, 7, 2), {}};
  all[1].options.members = 2;
  all[1].options.hidden = {20, 70};
  all[1].options.activation = Activation::softplus;
  all[1].options.dropout = 0.2;
  all[1].options.batch_size = 100;
  all[2] = {"three classes, tanh", test::normal_data(100, 5, 3, 3), {}};
  all[2].options.members = 3;
  all[2].options.hidden = {17};
  all[2].options.activation = Activation::tanh;
  all[2].options.dropout = 0;
  all[3] = {"units in pieces", test::normal_data(640, 9, 4), {}};
  all[3].options.members = 2;
  all[3].options.hidden = {300};
  all[3].options.batch_size = 64;
  for (Case& one : all) {
    one.options.epochs = 6;
    one.options.seed = 11;
    one.options.threads = 1;
  }
  all[3].options.epochs = 20;
  return all;
}

// NCL and ACE: two classes on the collapsed path with a short last batch, three on the general one; weighted rows.
std::vector<Case> method_cases() {
  std::vector<Case> all;
  for (const Method method : {Method::ncl, Method::ace}) {
    for (const int classes : {2, 3}) {
      all.push_back({method == Method::ncl ? "ncl" : "ace", test::normal_data(388, 7, 5, classes), {}});
      all.back().options.method = method;
      all.back().options.members = 3;
      all.back().options.lambda = 0.7;
      all.back().options.hidden = {70};
      all.back().options.batch_size = 300;
      all.back().options.epochs = 6;
      all.back().options.seed = 11;
      for (std::size_t r = 0; r < 388; ++r) all.back().data.weights.push_back(0.5F + static_cast<float>(r % 3));
    }
  }
  return all;
}

// Input gradients whose sum is interleaved with the next member's signs, with a narrow table and remainder columns.
Case interleaved_case() {
  Case one{"interleaved", test::normal_data(388, 42, 6), {}};
  one.options.members = 3;
  one.options.batch_size = 300;
  one.options.epochs = 6;
  one.options.seed = 11;
  return one;
}

// Mixed columns in both views: LIT over two blocks of rows with a short last batch, and with units in pieces; restarts
// that go back to the best weights twice and continue in smaller steps; three classes on the general path; weighted
// rows.
std::vector<Case> view_cases() {
  std::vector<Case> all(4);
  all[0] = {"views, lit", test::mixed_data(388, 12, 7), {}};
  all[0].options.members = 3;
  all[0].options.hidden = {70};
  all[0].options.lambda = 0.01;
  all[0].options.penalty_reduction = PenaltyReduction::sum;
  all[0].options.batch_size = 300;
  all[1] = {"views, units in pieces", test::mixed_data(640, 6, 8), {}};
  all[1].options.members = 2;
  all[1].options.hidden = {300};
  all[1].options.dropout = 0.2;
  all[1].options.batch_size = 64;
  all[2] = {"views, restarts that stop by themselves", test::mixed_data(388, 7, 9), {}, test::mixed_data(200, 7, 10)};
  all[2].options.method = Method::restarts;
  all[2].options.members = 3;
  all[2].options.hidden = {40};
  all[2].options.dropout = 0.2;
  all[2].options.learning_rate = 1e-2;
  all[2].options.early_stopping = 2;
  all[2].options.rate_drops = 2;
  all[3] = {"views, three classes", test::mixed_data(150, 9, 11), {}};
  for (std::size_t r = 0; r < 150; r += 3) all[3].data.labels[r] = 2;
  all[3].data.classes.emplace_back("2");
  all[3].options.members = 3;
  all[3].options.hidden = {17};
  all[3].options.dropout = 0.5;
  for (std::size_t r = 0; r < 150; ++r) all[3].data.weights.push_back(0.5F + static_cast<float>(r % 3));
  for (Case& one : all) {
    one.options.views = {View::linear, View::piecewise};
    one.options.epochs = one.options.early_stopping > 0 ? 500 : 6;
    one.options.seed = 11;
  }
  return all;
}

std::vector<Case> all_cases() {
  auto all = cases();
  all.push_back(interleaved_case());
  for (auto& one : method_cases()) all.push_back(std::move(one));
  for (auto& one : view_cases()) all.push_back(std::move(one));
  return all;
}

std::vector<float> trained(const Case& one, int threads) {
  TrainOptions options = one.options;
  options.threads = threads;
  const TrainResult result = train({.train = &one.data, .validation = &one.validation}, options);
  EXPECT_EQ(result.status, TrainStatus::ok);
  EXPECT_TRUE(!result.stopping || result.stopping->by_itself) << "so there were all drops of the learning rate";
  return test::flat(result.ensemble);
}

void expect_hash(const std::vector<Case>& all, std::string_view expected, const char* name) {
  Sha256 hash;
  for (const Case& one : all) {
    const auto weights = trained(one, 1);
    hash.update(std::as_bytes(std::span(weights)));
  }
  const std::string hex = hash.hex();
  EXPECT_EQ(hex, expected) << "the trained weights have changed; if that is meant, " << name << " becomes\n" << hex;
}

TEST(Contract, TrainedWeightsAreTheCommittedBytes) { expect_hash(cases(), kExpected, "kExpected"); }

TEST(Contract, WeightsOfOtherMethodsAreTheCommittedBytes) {
  expect_hash(method_cases(), kExpectedOfMethods, "kExpectedOfMethods");
}

TEST(Contract, WeightsBehindViewsAreTheCommittedBytes) {
  expect_hash(view_cases(), kExpectedOfViews, "kExpectedOfViews");
}

TEST(Contract, LogisticRegressionsAreTheCommittedBytes) {
  Sha256 hash;
  for (const int classes : {2, 3}) {
    const Dataset data = test::normal_data(300, 9, 6, classes);
    const auto model = fit_logistic(data.inputs.view(), data.labels, data.classes.size());
    for (std::size_t s = 0; s < model.bias.size(); ++s) {
      hash.update(std::as_bytes(std::span(model.weights.row(s), model.weights.cols())));
    }
    hash.update(std::as_bytes(std::span(model.bias)));
  }
  EXPECT_EQ(hash.hex(), kExpectedOfLogistic);
}

TEST(Contract, ThreadsDoNotChangeABit) {
  for (const Case& one : all_cases()) {
    SCOPED_TRACE(one.name);
    const auto alone = trained(one, 1);
    for (const int threads : {2, 3, 8}) EXPECT_TRUE(test::same_bits(trained(one, threads), alone)) << threads;
  }
}

TEST(Contract, InstructionSetsDoNotChangeABit) {
  for (const Case& one : all_cases()) {
    SCOPED_TRACE(one.name);
    const auto best = trained(one, 1);
    test::on_every_target([&] { EXPECT_TRUE(test::same_bits(trained(one, 1), best)); });
  }
}

// Two fast paths are left out. The collapsed engine and the engine of tables sum in another order than the general one
// (engine_test.cpp, table_engine_test.cpp).
TEST(Contract, FastPathsDoNotChangeABit) {
  using kernels::FastPath;
  for (const Case& one : all_cases()) {
    SCOPED_TRACE(one.name);
    const auto fast = trained(one, 1);
    for (const auto path : {FastPath::quantized_signs, FastPath::interleaved_sums, FastPath::remainder_columns}) {
      const kernels::Without without(path);
      EXPECT_TRUE(test::same_bits(trained(one, 1), fast)) << static_cast<int>(path);
    }
  }
}

}  // namespace
}  // namespace perpend
