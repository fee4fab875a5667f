#include "perpend/train/train.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "perpend/base/error.h"
#include "perpend/base/parallel.h"
#include "perpend/evaluate/diversity.h"
#include "perpend/model/predict.h"
#include "perpend/objective/lit.h"
#include "tests/support/data.h"
#include "tests/support/ensembles.h"

namespace perpend {
namespace {

constexpr Method kMethods[] = {Method::restarts, Method::ncl, Method::ace, Method::lit};
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Options for small and quick trainings, with fixed batches of 20 of the 50 rows of small_data().
TrainOptions quick(Method method = Method::lit) {
  TrainOptions options;
  options.method = method;
  options.members = 3;
  options.hidden = {17};
  options.batch_size = 20;
  options.epochs = 4;
  options.shuffle = false;
  options.seed = 5;
  options.threads = 1;
  return options;
}
Dataset small_data(std::size_t rows = 50, std::size_t features = 6) { return test::normal_data(rows, features, 8); }

std::vector<float> weights_of(const Dataset& data, const TrainOptions& options) {
  const TrainResult result = train({.train = &data}, options);
  EXPECT_EQ(result.status, TrainStatus::ok);
  return test::flat(result.ensemble);
}

Dataset take_rows(const Dataset& data, const std::vector<std::size_t>& rows) {
  Dataset out = data;
  out.inputs = Inputs(rows.size(), data.inputs.cols());
  out.labels.clear();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::copy_n(data.inputs.row(rows[i]), data.inputs.cols(), out.inputs.row(i));
    out.labels.push_back(data.labels[rows[i]]);
  }
  return out;
}

TEST(Train, AnObjectiveOfOnesOwnTakesThePlaceOfTheMethods) {
  const Dataset data = small_data();
  const Lit<float> own({.lambda = lambda_of(quick()), .reduction = quick().penalty_reduction});
  const TrainResult result = train({.train = &data, .objective = &own}, quick(Method::restarts));
  EXPECT_EQ(test::flat(result.ensemble), weights_of(data, quick(Method::lit)));
  EXPECT_NE(test::flat(result.ensemble), weights_of(data, quick(Method::restarts)));
}

// ---- Unlucky but legal input: both paths through the engine must end well, with finite numbers only.

struct Unlucky {
  const char* name;
  std::function<void(Dataset&, TrainOptions&, Ensemble&)> change;
};

Ensemble start_of(const Dataset& data, const TrainOptions& options) {
  TrainOptions none = options;
  none.epochs = 0;
  return train({.train = &data}, none).ensemble;
}

void fill_inputs(Dataset& data, std::size_t rows, std::size_t features, float value) {
  for (std::size_t r = 0; r < rows; ++r) std::fill_n(data.inputs.row(r), features, value);
}

const std::vector<Unlucky>& unlucky() {
  static const std::vector<Unlucky> all = {
      {"one_member", [](Dataset& d, TrainOptions& o, Ensemble& e) { o.members = 1, e = start_of(d, o); }},
      {"batches_of_one", [](Dataset&, TrainOptions& o, Ensemble&) { o.batch_size = 1; }},
      {"one_row", [](Dataset& d, TrainOptions&, Ensemble&) { d = take_rows(d, {0}); }},
      {"one_feature", [](Dataset& d, TrainOptions& o, Ensemble& e) { d = small_data(50, 1), e = start_of(d, o); }},
      {"one_class", [](Dataset& d, TrainOptions&, Ensemble&) { d.labels.assign(d.rows(), 1); }},
      {"lambda_0", [](Dataset&, TrainOptions& o, Ensemble&) { o.lambda = 0; }},
      {"lambda_1e6", [](Dataset&, TrainOptions& o, Ensemble&) { o.lambda = 1e6; }},
      {"lambda_1e6_summed",
       [](Dataset&, TrainOptions& o, Ensemble&) { o.lambda = 1e6, o.penalty_reduction = PenaltyReduction::sum; }},
      {"batch_larger_than_the_data", [](Dataset&, TrainOptions& o, Ensemble&) { o.batch_size = 1000; }},
      {"constant_features", [](Dataset& d, TrainOptions&, Ensemble&) { fill_inputs(d, 50, 6, 3.0F); }},
      {"rows_of_zeros", [](Dataset& d, TrainOptions&, Ensemble&) { fill_inputs(d, 25, 6, 0.0F); }},
      {"nothing_but_zeros", [](Dataset& d, TrainOptions&, Ensemble&) { fill_inputs(d, 50, 6, 0.0F); }},
      {"denormal_inputs", [](Dataset& d, TrainOptions&, Ensemble&) { fill_inputs(d, 50, 6, 1e-40F); }},
      {"a_member_of_zeros",
       [](Dataset&, TrainOptions&, Ensemble& e) { e.members[1] = zero_network<float>(e.architecture); }},
      {"dead_units",
       [](Dataset&, TrainOptions&, Ensemble& e) {
         for (auto& member : e.members) std::fill_n(member.layers[0].bias.begin(), 17, -1e3F);
       }},
      {"all_weights_of_rows_zero", [](Dataset& d, TrainOptions&, Ensemble&) { d.weights.assign(d.rows(), 0.0F); }},
      {"nearly_everything_dropped", [](Dataset&, TrainOptions& o, Ensemble&) { o.dropout = 0.99; }},
  };
  return all;
}

struct Path {
  const char* name;
  std::vector<int> hidden;
  Activation activation;
  int classes;
};
const std::vector<Path>& paths() {
  static const std::vector<Path> all = {{"collapsed", {17}, Activation::relu, 2},
                                        {"relu_2", {17, 5}, Activation::relu, 2},
                                        {"softplus_2", {17, 5}, Activation::softplus, 2},
                                        {"three_classes", {17}, Activation::tanh, 3}};
  return all;
}

class UnluckyTest : public testing::TestWithParam<std::tuple<std::size_t, std::size_t, Method>> {};

TEST_P(UnluckyTest, TrainingEndsWellWithNothingButNumbers) {
  const Path& path = paths()[std::get<0>(GetParam())];
  Dataset data = test::normal_data(50, 6, 8, path.classes);
  TrainOptions options = quick(std::get<2>(GetParam()));
  options.hidden = path.hidden;
  options.activation = path.activation;
  Ensemble start = start_of(data, options);
  unlucky()[std::get<1>(GetParam())].change(data, options, start);
  if (data.classes.size() != start.architecture.classes) start = start_of(data, options);
  const TrainResult result = train({.train = &data, .initial = &start}, options);
  EXPECT_EQ(result.status, TrainStatus::ok);
  EXPECT_FALSE(result.divergence.has_value());
  for (const float w : test::flat(result.ensemble)) ASSERT_TRUE(std::isfinite(w));
  ASSERT_EQ(result.log.epochs.size(), 4U);
  for (const auto& epoch : result.log.epochs) {
    EXPECT_TRUE(std::isfinite(epoch.penalty));
    if (options.method == Method::lit) {
      EXPECT_GE(epoch.penalty, 0);
    }
    for (const double fit : epoch.fit) EXPECT_TRUE(std::isfinite(fit));
  }
}

INSTANTIATE_TEST_SUITE_P(All, UnluckyTest,
                         testing::Combine(testing::Range<std::size_t>(0, paths().size()),
                                          testing::Range<std::size_t>(0, unlucky().size()),
                                          testing::Values(Method::ncl, Method::ace, Method::lit)),
                         [](const auto& one) {
                           const Method method = std::get<2>(one.param);
                           return std::string(paths()[std::get<0>(one.param)].name) + "_" +
                                  unlucky()[std::get<1>(one.param)].name +
                                  (method == Method::ncl   ? "_ncl"
                                   : method == Method::ace ? "_ace"
                                                           : "");
                         });

// ---- Divergence is a result.

void expect_diverged(const TrainResult& result, std::int64_t step, const std::vector<std::string>& terms) {
  EXPECT_EQ(result.status, TrainStatus::diverged);
  ASSERT_TRUE(result.divergence.has_value());
  EXPECT_EQ(result.divergence->step, step);
  EXPECT_NE(std::find(terms.begin(), terms.end(), result.divergence->term), terms.end()) << result.divergence->term;
  EXPECT_TRUE(result.ensemble.members.empty());
}

TEST(Divergence, AHugeLearningRateIsSeenInTheWeights) {
  const Dataset data = small_data();
  for (const Path& path : {paths()[0], paths()[2]}) {
    TrainOptions options = quick();
    options.hidden = path.hidden;
    options.activation = path.activation;
    options.learning_rate = 1e30;
    expect_diverged(train({.train = &data}, options), 0, {"weights"});
  }
}

TEST(Divergence, ANotANumberInputIsSeenInItsStep) {
  for (const Path& path : paths()) {
    for (const float bad : {kNan, std::numeric_limits<float>::infinity()}) {
      for (const Method method : kMethods) {
        SCOPED_TRACE(std::string(path.name) + ", " + std::to_string(bad));
        Dataset data = test::normal_data(50, 6, 8, path.classes);
        data.inputs(33, 2) = bad;  // the second batch
        TrainOptions options = quick(method);
        options.hidden = path.hidden;
        options.activation = path.activation;
        expect_diverged(train({.train = &data}, options), 1, {"fit", "penalty", "weights"});
      }
    }
  }
}

TEST(Divergence, ANotANumberWeightIsSeenAtOnce) {
  const Dataset data = small_data();
  for (const Path& path : {paths()[0], paths()[1]}) {
    TrainOptions options = quick();
    options.hidden = path.hidden;
    options.activation = path.activation;
    Ensemble start = start_of(data, options);
    start.members[2].layers[0].weight(3, 4) = kNan;
    expect_diverged(train({.train = &data, .initial = &start}, options), 0, {"fit", "penalty", "weights"});
  }
}

// ACE has no lower bound: with long steps, scores and weights grow until one is too large. If the penalty (NCL) or the
// hidden units (tanh) are bounded, gradients vanish, and a training may end with large but finite weights.
TEST(Divergence, OfARunawayPenaltyIsAResult) {
  for (const Method method : {Method::ncl, Method::ace}) {
    for (const Path& path : paths()) {
      SCOPED_TRACE(std::string(path.name) + (method == Method::ncl ? ", ncl" : ", ace"));
      const Dataset data = test::normal_data(50, 6, 8, path.classes);
      TrainOptions options = quick(method);
      options.hidden = path.hidden;
      options.activation = path.activation;
      options.lambda = 10;
      options.learning_rate = 1e4;
      options.epochs = 400;
      const TrainResult result = train({.train = &data}, options);
      if ((method == Method::ace && path.activation != Activation::tanh) || result.status == TrainStatus::diverged) {
        ASSERT_TRUE(result.divergence.has_value());
        expect_diverged(result, result.divergence->step, {"fit", "penalty", "weights"});
      } else {
        for (const float w : test::flat(result.ensemble)) ASSERT_TRUE(std::isfinite(w));
      }
      for (const auto& epoch : result.log.epochs) EXPECT_TRUE(std::isfinite(epoch.penalty));
    }
  }
}

// ---- What the penalties do to the members.

TEST(Ncl, HasNoWeightDecayUnlessGiven) {
  const Dataset data = small_data();
  TrainOptions options = quick(Method::ncl);
  const auto without = weights_of(data, options);
  options.weight_decay = 0;
  EXPECT_EQ(weights_of(data, options), without);
  options.weight_decay = 1e-1;
  EXPECT_NE(weights_of(data, options), without);
  EXPECT_EQ(weight_decay_of(quick(Method::ace)), 1e-4);
  TrainOptions published = published_options();
  published.method = Method::ncl;
  EXPECT_EQ(weight_decay_of(published), 0);
}

TEST(Ncl, AtLambdaZeroFirstMembersAreThoseOfASmallerEnsemble) {
  const Dataset data = small_data();
  TrainOptions options = quick(Method::ncl);
  options.lambda = 0;
  const auto three = weights_of(data, options);
  options.members = 1;
  const auto one = weights_of(data, options);
  EXPECT_EQ(one, std::vector<float>(three.begin(), three.begin() + static_cast<std::ptrdiff_t>(one.size())));
}

TEST(Ace, AtLambdaZeroOrAloneIsRestartsToTheBit) {
  const Dataset data = small_data();
  TrainOptions ace = quick(Method::ace);
  ace.lambda = 0;
  EXPECT_EQ(weights_of(data, ace), weights_of(data, quick(Method::restarts)));
  TrainOptions alone = quick(Method::restarts);
  alone.members = 1;
  ace.members = 1;
  ace.lambda = 3;
  EXPECT_EQ(weights_of(data, ace), weights_of(data, alone));
}

// Above a certain lambda, a member is rewarded for being wrong where others are right.
TEST(PredictionDiversity, GrowsWithLambda) {
  const Dataset data = small_data();
  for (const Method method : {Method::ncl, Method::ace}) {
    const auto spread = [&](double lambda) {
      TrainOptions options = quick(method);
      options.lambda = lambda;
      options.dropout = 0;
      options.epochs = 200;
      const TrainResult result = train({.train = &data}, options);
      EXPECT_EQ(result.status, TrainStatus::ok);
      const auto p = member_probabilities(result.ensemble, data.inputs.view(), Threads(1));
      double sum = 0;
      for (std::size_t r = 0; r < data.rows(); ++r) sum += std::abs(p[0](r, 1) - p[1](r, 1));
      return sum / static_cast<double>(data.rows());
    };
    EXPECT_GT(spread(3), 2 * spread(0.01));
  }
}

TEST(Lit, AtLambdaZeroIsRestartsToTheBit) {
  const Dataset data = small_data();
  for (const Path& path : {paths()[0], paths()[2]}) {
    TrainOptions lit = quick();
    lit.hidden = path.hidden;
    lit.activation = path.activation;
    lit.lambda = 0;
    TrainOptions restarts = lit;
    restarts.method = Method::restarts;
    restarts.lambda = 7;
    EXPECT_EQ(weights_of(data, lit), weights_of(data, restarts));
  }
}

TEST(Lit, AtLambdaAboveZeroIsSomethingElse) {
  const Dataset data = small_data();
  EXPECT_NE(weights_of(data, quick()), weights_of(data, quick(Method::restarts)));
}

TEST(Restarts, FirstMembersOfALargerEnsembleAreThoseOfASmallerOne) {
  const Dataset data = small_data();
  for (const Path& path : {paths()[0], paths()[2]}) {
    TrainOptions options = quick(Method::restarts);
    options.hidden = path.hidden;
    options.activation = path.activation;
    options.members = 5;
    const auto five = weights_of(data, options);
    for (const int members : {1, 2}) {
      options.members = members;
      const auto few = weights_of(data, options);
      EXPECT_EQ(few, std::vector<float>(five.begin(), five.begin() + static_cast<std::ptrdiff_t>(few.size())));
    }
  }
}

double mean_cosine(const Ensemble& ensemble, const Dataset& data) {
  const auto gradients = input_gradients(ensemble, data.inputs, Threads(1));
  return gradient_diversity(std::vector<InputsView>{gradients[0], gradients[1]}).cos2.value();
}

// Two opposite quadrants: x > 0 and y > 0 explain the labels equally well.
Dataset quadrants() {
  Dataset data = test::normal_data(400, 2, 4);
  for (std::size_t r = 0; r < data.rows(); ++r) {
    data.inputs(r, 1) = std::copysign(data.inputs(r, 1), data.inputs(r, 0));
    data.labels[r] = data.inputs(r, 0) > 0 ? 1 : 0;
  }
  return data;
}

TEST(Lit, FindsTwoExplanationsWhereRestartsFindOneTwice) {
  const Dataset data = quadrants();
  for (const Path& path : {paths()[0], paths()[2]}) {
    TrainOptions options = quick();
    options.members = 2;
    options.hidden = path.hidden;
    options.activation = path.activation;
    options.dropout = 0;
    options.batch_size = 100;
    options.epochs = 100;
    options.learning_rate = 1e-2;
    const TrainResult lit = train({.train = &data}, options);
    options.method = Method::restarts;
    const TrainResult restarts = train({.train = &data}, options);
    EXPECT_LT(mean_cosine(lit.ensemble, data), 0.1) << path.name;
    EXPECT_GT(mean_cosine(restarts.ensemble, data), 0.8) << path.name;
    for (const double fit : lit.log.epochs.back().fit) EXPECT_LT(fit, 0.25) << path.name << ": each fits the labels";
  }
}

// ---- Rows and their weights. There is one batch and no drop-out, so that the order of rows does not matter.

TrainOptions one_batch() {
  TrainOptions options = quick();
  options.dropout = 0;
  options.batch_size = 1000;
  options.epochs = 20;
  return options;
}

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  double largest = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max<double>(largest, std::abs(a[i] - b[i]));
  return largest;
}
constexpr double kRounding = 2e-5;

TEST(RowWeights, OfTwoCountsTheRowTwice) {
  for (const Activation activation : {Activation::relu, Activation::softplus}) {
    TrainOptions options = one_batch();
    options.activation = activation;
    Dataset weighted = small_data(30);
    weighted.weights.assign(30, 1.0F);
    weighted.weights[4] = 2;
    std::vector<std::size_t> rows(31);
    for (std::size_t i = 0; i < 31; ++i) rows[i] = i < 30 ? i : 4;
    const auto result = weights_of(weighted, options);
    EXPECT_LE(largest_difference(result, weights_of(take_rows(small_data(30), rows), options)), kRounding);
    EXPECT_GT(largest_difference(result, weights_of(small_data(30), options)), 10 * kRounding);
  }
}

TEST(RowWeights, OfZeroLeavesTheRowOut) {
  for (const Activation activation : {Activation::relu, Activation::softplus}) {
    TrainOptions options = one_batch();
    options.activation = activation;
    Dataset weighted = small_data(30);
    weighted.weights.assign(30, 0.5F);
    weighted.weights[4] = 0;
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < 30; ++i) {
      if (i != 4) rows.push_back(i);
    }
    const auto result = weights_of(weighted, options);
    EXPECT_LE(largest_difference(result, weights_of(take_rows(small_data(30), rows), options)), kRounding);
    EXPECT_GT(largest_difference(result, weights_of(small_data(30), options)), 10 * kRounding);
  }
}

TEST(Batches, AreTheSameRowsEachEpochUnlessReshuffled) {
  const Dataset data = small_data();
  TrainOptions options = quick();
  const auto fixed = weights_of(data, options);
  EXPECT_EQ(weights_of(data, options), fixed);
  options.shuffle = true;
  const auto shuffled = weights_of(data, options);
  EXPECT_NE(shuffled, fixed);
  EXPECT_EQ(weights_of(data, options), shuffled);
}

TEST(Batches, ReshuffledHoldEveryRowOncePerEpoch) {
  TrainOptions options = one_batch();
  const auto fixed = weights_of(small_data(), options);
  options.shuffle = true;
  EXPECT_LE(largest_difference(weights_of(small_data(), options), fixed), kRounding);
}

TEST(Threads, DoNotChangeTheResult) {
  const Dataset data = test::normal_data(300, 6, 8);
  for (const Path& path : {paths()[0], paths()[2]}) {
    TrainOptions options = quick();
    options.hidden = path.hidden;
    options.activation = path.activation;
    options.batch_size = 280;
    const auto alone = weights_of(data, options);
    for (const int threads : {2, 3}) {
      options.threads = threads;
      EXPECT_EQ(weights_of(data, options), alone) << path.name << ' ' << threads;
    }
  }
}

TEST(Seed, ChangesTheResult) {
  TrainOptions other = quick();
  other.seed = 6;
  EXPECT_NE(weights_of(small_data(), quick()), weights_of(small_data(), other));
}

// ---- Callbacks, stopping, starting.

class Watch final : public TrainCallback {
 public:
  void on_epoch(const EpochRecord& record, int epochs) override {
    records.push_back(record);
    total = epochs;
  }
  bool stop_requested() override { return asked++ == stop_at; }
  std::vector<EpochRecord> records;
  int total = 0;
  int asked = 0;
  int stop_at = -1;
};

TEST(Callback, SeesEveryEpochOnce) {
  const Dataset data = small_data();
  Watch watch;
  const TrainResult result = train({.train = &data, .validation = &data, .callback = &watch}, quick());
  EXPECT_EQ(watch.total, 4);
  ASSERT_EQ(watch.records.size(), 4U);
  ASSERT_EQ(result.log.epochs.size(), 4U);
  for (std::size_t e = 0; e < 4; ++e) {
    EXPECT_EQ(watch.records[e].epoch, static_cast<int>(e) + 1);
    EXPECT_EQ(watch.records[e].steps, 3 * static_cast<std::int64_t>(e + 1));
    EXPECT_EQ(watch.records[e].fit.size(), 3U);
    EXPECT_EQ(watch.records[e].fit, result.log.epochs[e].fit);
    EXPECT_GT(watch.records[e].penalty, 0);
    EXPECT_GT(watch.records[e].weight_decay, 0);
    EXPECT_TRUE(watch.records[e].validation_log_loss.has_value());
  }
}

TEST(Log, MeasuresValidationAtFiftyEpochsAndTheLastUnlessEarlyStoppingWaitsForIt) {
  const Dataset data = small_data();
  TrainOptions options = quick();
  options.epochs = 221;
  const auto measured = [&] {
    std::vector<int> epochs;
    for (const auto& record : train({.train = &data, .validation = &data}, options).log.epochs) {
      if (record.validation_log_loss) epochs.push_back(record.epoch);
    }
    return epochs;
  };
  const auto some = measured();
  EXPECT_EQ(some.size(), 45U);
  EXPECT_EQ(some.front(), 5);
  EXPECT_EQ(some.back(), 221);
  // Early stopping measures every 2,000 row visits: 50 rows have made them after 40 epochs.
  options.early_stopping = 1000;
  EXPECT_EQ(measured(), (std::vector<int>{40, 80, 120, 160, 200, 221}));
}

TEST(Callback, IsAskedBeforeEveryStepAndAStopIsHonoured) {
  const Dataset data = small_data();
  Watch never;
  train({.train = &data, .callback = &never}, quick());
  EXPECT_EQ(never.asked, 12);
  Watch watch;
  watch.stop_at = 4;  // in the second epoch of three steps
  const TrainResult result = train({.train = &data, .callback = &watch}, quick());
  EXPECT_EQ(result.status, TrainStatus::stopped);
  EXPECT_EQ(result.steps, 4);
  EXPECT_EQ(result.log.epochs.size(), 1U);
  EXPECT_EQ(result.ensemble.members.size(), 3U);
}

TEST(EarlyStopping, ReturnsTheWeightsOfTheBestEpoch) {
  const Dataset data = small_data();
  Dataset contrary = data;  // a better fit of the training rows is a worse fit of these
  for (auto& label : contrary.labels) label = 1 - label;
  TrainOptions options = quick();
  options.learning_rate = 1e-2;
  options.epochs = 1000;
  options.early_stopping = 3;
  const TrainResult result = train({.train = &data, .validation = &contrary}, options);
  EXPECT_EQ(result.status, TrainStatus::ok);
  ASSERT_LT(result.log.epochs.size(), 1000U);
  int best = 0;
  double least = INFINITY;
  for (const auto& record : result.log.epochs) {
    if (!record.validation_log_loss || *record.validation_log_loss >= least) continue;
    least = *record.validation_log_loss;
    best = record.epoch;
  }
  const int every = epochs_per_measurement(data.rows());
  EXPECT_EQ(result.log.epochs.size(), static_cast<std::size_t>(best + 3 * every));
  ASSERT_TRUE(result.stopping);
  EXPECT_EQ(result.stopping->best_epoch, best);
  EXPECT_TRUE(result.stopping->by_itself);
  options.early_stopping = 0;
  options.epochs = best;
  EXPECT_EQ(test::flat(result.ensemble), weights_of(data, options));
}

// Each drop goes back to the best weights and continues in smaller steps. The plan leads there without the detours.
TEST(EarlyStopping, SlowsDownBeforeItStopsAndItsPlanGivesTheSameWeights) {
  const Dataset data = small_data();
  const Dataset validation = test::normal_data(60, 6, 77);
  TrainOptions options = quick();
  options.learning_rate = 1e-2;
  options.epochs = 5000;
  options.early_stopping = 2;
  const int without = train({.train = &data, .validation = &validation}, options).stopping->epochs;
  options.rate_drops = 2;
  const TrainResult result = train({.train = &data, .validation = &validation}, options);
  ASSERT_TRUE(result.stopping);
  EXPECT_TRUE(result.stopping->by_itself);
  EXPECT_GE(result.stopping->epochs, without + 4 * epochs_per_measurement(data.rows()));
  ASSERT_EQ(result.stopping->plan.size(), 3U);
  EXPECT_EQ(result.stopping->plan[0].learning_rate, 1e-2);
  EXPECT_EQ(result.stopping->plan[2].learning_rate, 1e-2 * kRateDrop * kRateDrop);
  EXPECT_GT(result.stopping->plan[0].epochs, 0);
  // Epoch and step name the shuffles and drop-out masks, so the plan repeats the first phase to the bit.
  TrainOptions planned = options;
  planned.early_stopping = 0;
  planned.plan = {result.stopping->plan[0]};
  TrainOptions plain = options;
  plain.early_stopping = 0;
  plain.epochs = result.stopping->plan[0].epochs;
  EXPECT_EQ(weights_of(data, planned), weights_of(data, plain));
}

TEST(EarlyStopping, WithoutValidationRowsIsRefused) {
  const Dataset data = small_data();
  TrainOptions options = quick();
  options.early_stopping = 3;
  EXPECT_THROW(train({.train = &data}, options), ConfigError);
}

TEST(Initial, WeightsAreWhereTrainingStarts) {
  const Dataset data = small_data();
  const TrainResult first = train({.train = &data}, quick());
  TrainOptions none = quick();
  none.epochs = 0;
  const TrainResult kept = train({.train = &data, .initial = &first.ensemble}, none);
  EXPECT_EQ(test::flat(kept.ensemble), test::flat(first.ensemble));
  const TrainResult on = train({.train = &data, .initial = &first.ensemble}, quick());
  EXPECT_NE(test::flat(on.ensemble), test::flat(first.ensemble));
  EXPECT_LT(on.log.epochs.front().fit[0], first.log.epochs.front().fit[0]);
}

TEST(Initial, WeightsOfAnotherShapeAreRefused) {
  const Dataset data = small_data();
  const Ensemble start = start_of(data, quick());
  TrainOptions options = quick();
  options.members = 2;
  EXPECT_THROW(train({.train = &data, .initial = &start}, options), ConfigError);
  options = quick();
  options.hidden = {16};
  EXPECT_THROW(train({.train = &data, .initial = &start}, options), ConfigError);
}

// ---- Options and data that cannot be used.

TEST(Validate, ReportsEveryProblemAtOnce) {
  EXPECT_TRUE(validate(TrainOptions{}).empty());
  EXPECT_TRUE(validate(published_options()).empty());
  TrainOptions bad;
  bad.members = 0;
  bad.lambda = -1;
  bad.hidden = {0, 3, -2};
  bad.dropout = 1;
  bad.weight_decay = INFINITY;
  bad.learning_rate = NAN;
  bad.batch_size = -1;
  bad.epochs = -1;
  bad.threads = -1;
  bad.early_stopping = -1;
  const auto problems = validate(bad);
  const std::vector<std::string> names = {"members", "lambda",       "hidden",        "hidden",
                                          "dropout", "weight_decay", "learning_rate", "batch_size",
                                          "epochs",  "threads",      "early_stopping"};
  ASSERT_EQ(problems.size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    EXPECT_TRUE(problems[i].starts_with(option_mention(names[i]) + " is ")) << problems[i];
  const Dataset data = small_data();
  try {
    train({.train = &data}, bad);
    FAIL();
  } catch (const ConfigError& error) {
    for (const auto& problem : problems) EXPECT_NE(error.message().find(problem), std::string::npos);
  }
}

TEST(Data, WithoutRowsOrColumnsIsRefused) {
  Dataset no_rows = small_data(0, 6);
  EXPECT_THROW(train({.train = &no_rows}, quick()), DataError);
  Dataset no_columns = small_data(5, 0);
  EXPECT_THROW(train({.train = &no_columns}, quick()), DataError);
}

TEST(EpochTraining, EpochByEpochGivesTheBytesOfTrain) {
  const Dataset data = small_data();
  for (const Method method : {Method::restarts, Method::bagging, Method::ncl, Method::ace, Method::lit}) {
    for (const std::vector<int>& hidden : {std::vector<int>{17}, std::vector<int>{7, 5}}) {
      TrainOptions options = quick(method);
      options.hidden = hidden;
      EpochTraining training({.train = &data}, options);
      int epochs = 0;
      while (training.next_epoch()) ++epochs;
      EXPECT_EQ(epochs, 4);
      const TrainResult result = training.result();
      EXPECT_EQ(test::flat(result.ensemble), weights_of(data, options));
      EXPECT_EQ(result.decision.weights.size(), 3U);
      EXPECT_EQ(result.log.epochs.size(), 4U);
    }
  }
}

TEST(EpochTraining, TheMembersAfterEachEpochAreThoseOfAShorterTraining) {
  const Dataset data = small_data();
  TrainOptions options = quick();
  EpochTraining training({.train = &data}, options);
  for (int epochs = 0; epochs <= 4; ++epochs) {
    options.epochs = epochs;
    EXPECT_EQ(test::flat(training.ensemble()), weights_of(data, options)) << epochs;
    training.next_epoch();
  }
}

TEST(EpochTraining, MethodsOfSeveralTrainingsAreRefused) {
  const Dataset data = small_data();
  EXPECT_THROW(EpochTraining({.train = &data}, quick(Method::adaboost)), ConfigError);
  EXPECT_THROW(EpochTraining({.train = &data}, quick(Method::experts)), ConfigError);
}

TEST(Epochs, DefaultMakesTheRowVisitsOfThePublishedExperiment) {
  EXPECT_EQ(default_epochs(640000), 1);
  EXPECT_EQ(default_epochs(640001), 1);
  EXPECT_EQ(default_epochs(639999), 2);
  EXPECT_EQ(default_epochs(112), 5715);
}

}  // namespace
}  // namespace perpend
