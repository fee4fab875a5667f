// Whole trainings in float32 against the same steps in PyTorch double: tests/golden/training.json, whose script says
// how it was made.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "perpend/train/adam.h"
#include "perpend/train/engine.h"
#include "perpend/train/step.h"
#include "perpend/train/train.h"
#include "tests/support/data.h"
#include "tests/support/ensembles.h"

namespace perpend {
namespace {

using Json = nlohmann::json;

constexpr double kWeightsTolerance = 1e-3;  // of the distance moved
constexpr double kTermsTolerance = 1e-4;    // relative

const Json& golden() {
  static const Json document = Json::parse(std::ifstream(PERPEND_GOLDEN "/training.json"));
  return document;
}

Json case_named(const std::string& name) {
  for (const auto& one : golden()["cases"]) {
    if (one["name"] == name) return one;
  }
  throw std::runtime_error("training.json has no case " + name);
}

TrainOptions options_of(const Json& o) {
  TrainOptions options;
  options.method = find_method(o["method"].get<std::string>())->id;
  options.members = golden()["options"]["members"];
  options.lambda = o["lambda"].get<double>();
  options.penalty_reduction = o["penalty_reduction"] == "mean" ? PenaltyReduction::mean : PenaltyReduction::sum;
  options.hidden = o["hidden"].get<std::vector<int>>();
  options.activation = o["activation"] == "relu"       ? Activation::relu
                       : o["activation"] == "softplus" ? Activation::softplus
                                                       : Activation::tanh;
  options.dropout = o["dropout"];
  options.weight_decay = o["weight_decay"].get<double>();
  options.learning_rate = golden()["options"]["learning_rate"];
  options.batch_size = golden()["options"]["batch_size"];
  options.shuffle = false;
  options.seed = o["seed"];
  options.threads = 1;
  return options;
}

Dataset data_of(const Json& one) {
  const std::size_t features = golden()["options"]["features"];
  Dataset data = test::normal_data(golden()["options"]["rows"], features, one["options"]["seed"]);
  for (std::size_t r = 0; r < data.rows(); ++r) {
    const float* x = data.inputs.row(r);
    data.labels[r] = static_cast<double>(x[0]) * x[1] + 0.5 * static_cast<double>(x[2]) > 0 ? 1 : 0;
  }
  return data;
}

std::vector<double> flat(const Json& members) {
  std::vector<double> numbers;
  for (const auto& network : members) {
    for (const auto& layer : network) {
      for (const auto& row : layer["weight"]) numbers.insert(numbers.end(), row.begin(), row.end());
      numbers.insert(numbers.end(), layer["bias"].begin(), layer["bias"].end());
    }
  }
  return numbers;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

void expect_relative(double ours, double theirs, const std::string& what) {
  EXPECT_LE(std::abs(ours - theirs), kTermsTolerance * std::abs(theirs)) << what << ": " << ours << ", not " << theirs;
}

// The steps of train.cpp on fixed contiguous batches, with a look at the terms of each; returns the last weights.
template <class Engine>
Ensemble run_steps(const Dataset& data, const TrainOptions& options, const Json& terms) {
  const Threads threads(1);
  const auto objective = objective_for(options);
  const Architecture architecture{.features = data.inputs.cols(),
                                  .hidden = {options.hidden.begin(), options.hidden.end()},
                                  .classes = 2,
                                  .activation = options.activation};
  const auto rows = static_cast<std::size_t>(options.batch_size);
  Engine engine(initial_ensemble(architecture, static_cast<std::size_t>(options.members), options.seed),
                {.max_rows = rows,
                 .with_input_gradients = objective->needs().input_gradients,
                 .keep = 1 - options.dropout,
                 .seed = options.seed},
                threads);
  AdamSchedule schedule({.learning_rate = options.learning_rate, .weight_decay = weight_decay_of(options)});
  Batches batches(data, rows, 1, engine.layout(), threads);
  std::vector<RowList> lists(1, RowList(data.rows()));
  std::iota(lists[0].begin(), lists[0].end(), 0U);
  std::size_t logged = 0;
  std::size_t first = 0;
  for (int step = 0; step < golden()["options"]["steps"]; ++step) {
    batches.begin(lists, first, std::min(rows, data.rows() - first), {}, static_cast<std::uint32_t>(step));
    const auto ours = evaluate_step(engine, *objective, batches, threads);
    if (terms["steps"][logged] == step) {
      const std::string at = " at step " + std::to_string(step);
      for (std::size_t m = 0; m < ours.fit.size(); ++m) {
        expect_relative(ours.fit[m], terms["fit"][logged][m], "fit of member " + std::to_string(m) + at);
      }
      expect_relative(ours.penalty, terms["penalty"][logged], "penalty" + at);
      double squares = 0;
      for (const auto& member : engine.ensemble().members) squares += squared_norm(member);
      expect_relative(weight_decay_of(options) / 2 * squares, terms["weight_decay"][logged], "weight decay" + at);
      ++logged;
    }
    EXPECT_TRUE(engine.update(batches, schedule.next()));
    first = first + rows < data.rows() ? first + rows : 0;
  }
  EXPECT_EQ(logged, terms["steps"].size());
  return engine.ensemble();
}

void expect_near_golden(const Ensemble& ensemble, const Json& one) {
  const auto first = flat(one["first"]);
  const auto final = flat(one["final"]);
  const auto start =
      test::flat(initial_ensemble(ensemble.architecture, ensemble.members.size(), one["options"]["seed"]));
  EXPECT_LE(distance({start.begin(), start.end()}, first), 1e-7 * std::sqrt(static_cast<double>(first.size())));
  const auto ours = test::flat(ensemble);
  ASSERT_EQ(ours.size(), final.size());
  const double strayed = distance({ours.begin(), ours.end()}, final) / distance(final, first);
  EXPECT_LE(strayed, kWeightsTolerance);
  testing::Test::RecordProperty("strayed", std::to_string(strayed));
}

class GoldenTest : public testing::TestWithParam<const char*> {};

TEST_P(GoldenTest, DataAreTheNumbersPyTorchSaw) {
  const Json one = case_named(GetParam());
  const Dataset data = data_of(one);
  for (std::size_t f = 0; f < data.inputs.cols(); ++f) {
    const double first = one["data"]["first_row"][f];
    const double last = one["data"]["last_row"][f];
    EXPECT_NEAR(data.inputs(0, f), first, 1e-8 * std::abs(first));
    EXPECT_NEAR(data.inputs(data.rows() - 1, f), last, 1e-8 * std::abs(last));
  }
  EXPECT_EQ(std::accumulate(data.labels.begin(), data.labels.end(), 0), one["data"]["positives"].get<int>());
}

TEST_P(GoldenTest, GeneralEngineTakesPyTorchsSteps) {
  const Json one = case_named(GetParam());
  expect_near_golden(run_steps<GeneralEngine>(data_of(one), options_of(one["options"]), one["terms"]), one);
}

class CollapsedGoldenTest : public testing::TestWithParam<const char*> {};

TEST_P(CollapsedGoldenTest, CollapsedEngineTakesPyTorchsSteps) {
  const Json one = case_named(GetParam());
  expect_near_golden(run_steps<CollapsedEngine>(data_of(one), options_of(one["options"]), one["terms"]), one);
}

// Lets a number of steps happen.
class StopAfter final : public TrainCallback {
 public:
  explicit StopAfter(int steps) : left_(steps) {}
  bool stop_requested() override { return left_-- == 0; }

 private:
  int left_;
};

TEST_P(GoldenTest, TrainTakesTheseVerySteps) {
  const Json one = case_named(GetParam());
  const Dataset data = data_of(one);
  const TrainOptions options = options_of(one["options"]);
  StopAfter stop(golden()["options"]["steps"]);
  const TrainResult result = train({.train = &data, .callback = &stop}, options);
  EXPECT_EQ(result.status, TrainStatus::stopped);
  EXPECT_EQ(result.steps, golden()["options"]["steps"]);
  const bool collapsed = CollapsedMember::serves(result.ensemble.architecture);
  const Ensemble steps = collapsed ? run_steps<CollapsedEngine>(data, options, one["terms"])
                                   : run_steps<GeneralEngine>(data, options, one["terms"]);
  EXPECT_EQ(test::flat(result.ensemble), test::flat(steps));
}

std::string name_of(const testing::TestParamInfo<const char*>& info) { return info.param; }
INSTANTIATE_TEST_SUITE_P(Cases, GoldenTest,
                         testing::Values("relu_1", "softplus_1", "relu_2", "softplus_2", "tanh_2", "restarts_relu_1",
                                         "ncl_relu_1", "ncl_softplus_2", "ace_relu_1", "ace_tanh_2"),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Cases, CollapsedGoldenTest,
                         testing::Values("relu_1", "restarts_relu_1", "ncl_relu_1", "ace_relu_1"), name_of);

}  // namespace
}  // namespace perpend
