// Compares whole trainings in float32 with the same steps in PyTorch double. The numbers are in tests/golden:
// training.json, view_training.json (behind views of mixed columns) and regression_training.json. Their scripts say how
// they were made.
#include <gtest/gtest.h>

#include <algorithm>
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

struct Golden {
  Json shared;  // the options of all cases of the file
  Json one;
};

Golden case_named(const std::string& name) {
  static const Json documents[] = {Json::parse(std::ifstream(PERPEND_GOLDEN "/training.json")),
                                   Json::parse(std::ifstream(PERPEND_GOLDEN "/view_training.json")),
                                   Json::parse(std::ifstream(PERPEND_GOLDEN "/regression_training.json"))};
  for (const Json& document : documents) {
    for (const auto& one : document["cases"]) {
      if (one["name"] == name) return {document["options"], one};
    }
  }
  throw std::runtime_error("there is no case " + name);
}

TrainOptions options_of(const Golden& golden) {
  const Json& o = golden.one["options"];
  TrainOptions options;
  options.method = find_method(o["method"].get<std::string>())->id;
  options.members = golden.shared["members"];
  options.lambda = o["lambda"].get<double>();
  options.penalty_reduction = o["penalty_reduction"] == "mean" ? PenaltyReduction::mean : PenaltyReduction::sum;
  options.hidden = o["hidden"].get<std::vector<int>>();
  options.activation = o["activation"] == "relu"       ? Activation::relu
                       : o["activation"] == "softplus" ? Activation::softplus
                                                       : Activation::tanh;
  options.dropout = o["dropout"];
  options.weight_decay = o["weight_decay"].get<double>();
  options.learning_rate = golden.shared["learning_rate"];
  options.batch_size = golden.shared["batch_size"];
  options.shuffle = false;
  options.seed = o["seed"];
  options.threads = 1;
  if (golden.shared.contains("views")) {
    for (const auto& word : golden.shared["views"]) options.views.push_back(*find_view(word.get<std::string>()));
  }
  return options;
}

// What a case of a regression predicts; its targets are used as they are. It is empty if a case has labels.
std::optional<NumberTarget> quantity_of(const Golden& golden) {
  if (!golden.one["options"].contains("loss")) return std::nullopt;
  const std::string word = golden.one["options"]["loss"];
  if (word == "squared") return NumberTarget{.loss = {RegressionLoss::Kind::squared}};
  if (word == "absolute") return NumberTarget{.loss = {RegressionLoss::Kind::absolute}};
  return NumberTarget{.loss = {RegressionLoss::Kind::quantile, std::stod(word.substr(word.find('=') + 1))}};
}

// Makes the cells of make_view_training.py, from normal and uniform numbers.
float mixed_cell(std::size_t column, float x, float u) {
  const float sign = x > 0 ? 1.0F : -1.0F;
  switch (column) {
    case 1:
      return u < 0.2F ? NAN : x;
    case 2:
      return sign;
    case 3:
      return std::clamp(std::floor(x), -2.0F, 2.0F);
    case 4:
      return u < 0.3F ? 0.0F : x;
    case 5:
      return u < 0.1F ? NAN : sign;
    case 6:
      return std::floor(3 * u);
    case 7:
      return std::floor(4.5F * u);
    default:
      return x;
  }
}

Dataset data_of(const Golden& golden) {
  const bool mixed = golden.shared.contains("levels");
  const std::size_t features = golden.shared["features"];
  const std::uint64_t seed = golden.one["options"]["seed"];
  Dataset data = test::normal_data(golden.shared["rows"], features, seed);
  const Stream stream({.seed = seed, .purpose = Purpose::generate, .member = 1, .step = 0});
  for (std::size_t r = 0; r < data.rows(); ++r) {
    float* x = data.inputs.row(r);
    double score = static_cast<double>(x[0]) * x[1] + 0.5 * static_cast<double>(x[2]);
    for (std::size_t c = 0; mixed && c < features; ++c) {
      x[c] = mixed_cell(c, x[c], stream.uniform(r * features + c));
      if (c == 6) score += 0.5 * static_cast<double>(x[c]) - 0.5;
    }
    data.labels[r] = score > 0 ? 1 : 0;
    data.targets.push_back(static_cast<float>(score));
  }
  data.quantity = quantity_of(golden);
  if (data.quantity) {
    data.labels.clear();
    data.classes.clear();
  } else {
    data.targets.clear();
  }
  if (mixed) {
    const auto levels = golden.shared["levels"].get<std::vector<std::size_t>>();
    data.columns = fit_columns(data.inputs.view(), levels, golden.shared["bins"]);
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

// Makes the steps of train.cpp on fixed contiguous batches, and checks the terms of each. Returns the last weights.
template <class Engine>
Ensemble run_steps(const Golden& golden) {
  const Dataset data = data_of(golden);
  const TrainOptions options = options_of(golden);
  const Json& terms = golden.one["terms"];
  const Threads threads(1);
  const auto objective = objective_for(options);
  const Architecture architecture{.features = data.inputs.cols(),
                                  .hidden = {options.hidden.begin(), options.hidden.end()},
                                  .classes = 2,
                                  .activation = options.activation,
                                  .columns = data.columns,
                                  .views = options.views,
                                  .quantity = data.quantity};
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
  for (int step = 0; step < golden.shared["steps"]; ++step) {
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

class GoldenTest : public testing::TestWithParam<const char*> {
 protected:
  const Golden golden_ = case_named(GetParam());
};

void expect_cell(float ours, const Json& theirs) {
  if (theirs.is_null()) {
    EXPECT_TRUE(std::isnan(ours)) << ours;
  } else {
    EXPECT_NEAR(ours, theirs.get<double>(), 1e-8 * std::abs(theirs.get<double>()));
  }
}

TEST_P(GoldenTest, DataAreTheNumbersPyTorchSaw) {
  const Dataset data = data_of(golden_);
  for (std::size_t f = 0; f < data.inputs.cols(); ++f) {
    expect_cell(data.inputs(0, f), golden_.one["data"]["first_row"][f]);
    expect_cell(data.inputs(data.rows() - 1, f), golden_.one["data"]["last_row"][f]);
  }
  if (data.quantity) {
    expect_cell(data.targets.front(), golden_.one["data"]["first_target"]);
    expect_cell(data.targets.back(), golden_.one["data"]["last_target"]);
  } else {
    EXPECT_EQ(std::accumulate(data.labels.begin(), data.labels.end(), 0), golden_.one["data"]["positives"].get<int>());
  }
}

TEST_P(GoldenTest, GeneralEngineTakesPyTorchsSteps) {
  expect_near_golden(run_steps<GeneralEngine>(golden_), golden_.one);
}

class CollapsedGoldenTest : public GoldenTest {};

TEST_P(CollapsedGoldenTest, CollapsedEngineTakesPyTorchsSteps) {
  expect_near_golden(run_steps<CollapsedEngine>(golden_), golden_.one);
}

class TableGoldenTest : public GoldenTest {};

TEST_P(TableGoldenTest, TableEngineTakesPyTorchsSteps) {
  expect_near_golden(run_steps<TableEngine>(golden_), golden_.one);
}

class ViewGoldenTest : public GoldenTest {};

void expect_numbers(const std::vector<float>& ours, const Json& theirs) {
  ASSERT_EQ(ours.size(), theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], theirs[i].get<double>(), 1e-7);
}

TEST_P(ViewGoldenTest, ColumnsAreThoseThatPythonFound) {
  const Dataset data = data_of(golden_);
  const Json& columns = golden_.one["data"]["columns"];
  ASSERT_EQ(data.columns.size(), columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    SCOPED_TRACE(c);
    const ColumnTable& column = data.columns[c];
    EXPECT_EQ(column.is_category, columns[c].contains("shares"));
    EXPECT_NEAR(column.missing, columns[c]["missing"].get<double>(), 1e-7);
    expect_numbers(column.means, columns[c][column.is_category ? "shares" : "means"]);
    expect_numbers(column.edges, column.is_category ? Json::array() : columns[c]["edges"]);
  }
}

// Stops after a number of steps.
class StopAfter final : public TrainCallback {
 public:
  explicit StopAfter(int steps) : left_(steps) {}
  bool stop_requested() override { return left_-- == 0; }

 private:
  int left_;
};

Ensemble run_steps_of_train(const Golden& golden, const Architecture& architecture) {
  if (TableMember::serves(architecture)) return run_steps<TableEngine>(golden);
  return CollapsedMember::serves(architecture) ? run_steps<CollapsedEngine>(golden) : run_steps<GeneralEngine>(golden);
}

TEST_P(GoldenTest, TrainTakesTheseVerySteps) {
  const Dataset data = data_of(golden_);
  StopAfter stop(golden_.shared["steps"]);
  const TrainResult result = train({.train = &data, .callback = &stop}, options_of(golden_));
  EXPECT_EQ(result.status, TrainStatus::stopped);
  EXPECT_EQ(result.steps, golden_.shared["steps"]);
  EXPECT_EQ(test::flat(result.ensemble), test::flat(run_steps_of_train(golden_, result.ensemble.architecture)));
}

std::string name_of(const testing::TestParamInfo<const char*>& info) { return info.param; }
INSTANTIATE_TEST_SUITE_P(Cases, GoldenTest,
                         testing::Values("relu_1", "softplus_1", "relu_2", "softplus_2", "tanh_2", "restarts_relu_1",
                                         "ncl_relu_1", "ncl_softplus_2", "ace_relu_1", "ace_tanh_2"),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Cases, CollapsedGoldenTest,
                         testing::Values("relu_1", "restarts_relu_1", "ncl_relu_1", "ace_relu_1"), name_of);

constexpr const char* kBehindViews[] = {"lit_relu", "restarts_relu", "ncl_relu", "ace_relu", "lit_softplus_2"};
INSTANTIATE_TEST_SUITE_P(BehindViews, GoldenTest, testing::ValuesIn(kBehindViews), name_of);
INSTANTIATE_TEST_SUITE_P(BehindViews, ViewGoldenTest, testing::ValuesIn(kBehindViews), name_of);
INSTANTIATE_TEST_SUITE_P(BehindViews, TableGoldenTest,
                         testing::Values("lit_relu", "restarts_relu", "ncl_relu", "ace_relu"), name_of);

constexpr const char* kOfRegression[] = {"regression_relu_1", "regression_softplus_2", "regression_absolute",
                                         "regression_quantile", "regression_ncl"};
INSTANTIATE_TEST_SUITE_P(OfRegression, GoldenTest, testing::ValuesIn(kOfRegression), name_of);
INSTANTIATE_TEST_SUITE_P(OfRegression, CollapsedGoldenTest, testing::Values("regression_relu_1"), name_of);

}  // namespace
}  // namespace perpend
