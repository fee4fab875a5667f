#include "perpend/train/adaboost.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "perpend/model/predict.h"
#include "tests/support/data.h"
#include "tests/support/ensembles.h"

namespace perpend {
namespace {

using Json = nlohmann::json;
using Members = Stack<float, axis::Row, axis::Out>;

// ---- The arithmetic, for given answers of learners.

const Json& golden() {
  static const Json cases = Json::parse(std::ifstream(PERPEND_GOLDEN "/boosting.json"));
  return cases;
}

Members learners_of(const Json& one) {
  const Json& table = one["probabilities"];
  Members members(table.size(), table[0].size(), table[0][0].size());
  for (std::size_t m = 0; m < members.members(); ++m) {
    for (std::size_t r = 0; r < members.rows(); ++r) {
      for (std::size_t k = 0; k < members.cols(); ++k) members[m](r, k) = table[m][r][k];
    }
  }
  return members;
}

void expect_near(const std::vector<double>& ours, const std::vector<double>& theirs, double tolerance) {
  ASSERT_EQ(ours.size(), theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], theirs[i], tolerance * std::abs(theirs[i])) << i;
}

TEST(Samme, WeighsRowsAndLearnersAsScikitLearnDoes) {
  for (const Json& one : golden()) {
    SCOPED_TRACE(one["name"].get<std::string>());
    const Members members = learners_of(one);
    const auto labels = one["labels"].get<std::vector<std::int32_t>>();
    std::vector<float> given;
    if (!one["first_weights"].is_null()) given = one["first_weights"].get<std::vector<float>>();
    auto weights = first_row_weights(labels.size(), given);
    const std::size_t kept = one["kept"];
    for (std::size_t m = 0; m < one["row_weights"].size(); ++m) {
      expect_near(weights, one["row_weights"][m], 1e-13);
      const BoostingStep step = boost(Boosting::samme, std::as_const(members)[m], labels, weights);
      if (m == kept) {
        EXPECT_EQ(step.verdict, Verdict::chance);
        break;
      }
      EXPECT_NEAR(step.error, one["errors"][m].get<double>(), 1e-14);
      EXPECT_NEAR(step.weight, one["weights"][m].get<double>(), 1e-13);
      EXPECT_EQ(step.verdict, one["errors"][m] == 0.0 ? Verdict::perfect : Verdict::go_on);
      weights = step.row_weights;
    }
  }
}

TEST(Samme, VotesAsScikitLearnDoes) {
  for (const Json& one : golden()) {
    SCOPED_TRACE(one["name"].get<std::string>());
    const Members all = learners_of(one);
    const auto says = one["weights"].get<std::vector<double>>();
    const double sum = std::accumulate(says.begin(), says.end(), 0.0);
    Decision decision{Rule::samme, std::vector<double>(all.members(), 0.0)};
    for (std::size_t m = 0; m < says.size(); ++m) decision.weights[m] = says[m] / sum;
    const auto decided = decide(decision, all);
    for (std::size_t r = 0; r < all.rows(); ++r) {
      expect_near({decided.row(r), decided.row(r) + decided.cols()}, one["ensemble"][r], 1e-13);
    }
  }
}

TEST(SammeR, WeighsRowsByTheWrittenOutRule) {
  for (const Json& one : golden()) {
    SCOPED_TRACE(one["name"].get<std::string>());
    const Members members = learners_of(one);
    const auto labels = one["labels"].get<std::vector<std::int32_t>>();
    const auto weights = one["row_weights"][0].get<std::vector<double>>();
    const BoostingStep step = boost(Boosting::samme_r, std::as_const(members)[0], labels, weights);
    EXPECT_NEAR(step.error, one["errors"][0].get<double>(), 1e-14);
    EXPECT_EQ(step.weight, 1);
    if (step.verdict == Verdict::perfect) {
      EXPECT_EQ(step.row_weights, weights);
      continue;
    }
    const auto classes = static_cast<double>(members.cols());
    std::vector<double> expected;
    for (std::size_t r = 0; r < labels.size(); ++r) {
      double coded = 0;
      for (std::size_t k = 0; k < members.cols(); ++k) {
        const double code = static_cast<int>(k) == labels[r] ? 1 : -1 / (classes - 1);
        coded += code * std::log(std::max<double>(members[0](r, k), 0x1p-23));
      }
      expected.push_back(weights[r] * std::exp(-(classes - 1) / classes * coded));
    }
    const double sum = std::accumulate(expected.begin(), expected.end(), 0.0);
    for (double& w : expected) w /= sum;
    expect_near(step.row_weights, expected, 1e-13);
  }
}

TEST(SammeR, CertaintyThatIsWrongGivesNumbersAndNoRowIsLostFromSight) {
  Members members(1, 3, 2);
  members[0](0, 0) = 1;                              // right, certain
  members[0](1, 0) = 1;                              // wrong, certain
  members[0](2, 0) = 0.5F, members[0](2, 1) = 0.5F;  // right by the tie
  const std::vector<std::int32_t> labels = {0, 1, 0};
  std::vector<double> weights(3, 1.0 / 3);
  for (int round = 0; round < 30; ++round) {
    weights = boost(Boosting::samme_r, std::as_const(members)[0], labels, weights).row_weights;
  }
  EXPECT_NEAR(weights[1], 1, 1e-12);
  EXPECT_EQ(weights[0], 0x1p-52);
  EXPECT_EQ(weights[2], 0x1p-52);
}

// ---- The training.

TrainOptions quick_boosting(Boosting boosting = Boosting::samme_r, int members = 3) {
  TrainOptions options;
  options.method = Method::adaboost;
  options.boosting = boosting;
  options.members = members;
  options.hidden = {17};
  options.batch_size = 20;
  options.epochs = 4;
  options.seed = 5;
  options.threads = 1;
  return options;
}

std::vector<std::size_t> votes_of(const Ensemble& ensemble, std::size_t member, const Dataset& data) {
  const auto members = member_probabilities(ensemble, data.inputs, Threads(1));
  std::vector<std::size_t> votes;
  for (std::size_t r = 0; r < data.rows(); ++r) votes.push_back(vote(members[member].row(r), members.cols()));
  return votes;
}

TEST(AdaBoost, FirstLearnerIsTheFirstRestartAndTheOthersSeeOtherWeights) {
  const Dataset data = test::normal_data(50, 6, 8);
  for (const bool shuffle : {false, true}) {
    TrainOptions options = quick_boosting();
    options.shuffle = shuffle;
    const TrainResult boosted = train({.train = &data}, options);
    options.method = Method::restarts;
    const TrainResult restarts = train({.train = &data}, options);
    ASSERT_EQ(boosted.ensemble.members.size(), 3U);
    EXPECT_EQ(test::flat(boosted.ensemble.members[0]), test::flat(restarts.ensemble.members[0]));
    EXPECT_NE(test::flat(boosted.ensemble.members[1]), test::flat(restarts.ensemble.members[1]));
  }
}

TEST(AdaBoost, ALaterLearnerIsTheRestartOfItsNumberOnTheWeightsOfTheEarlierOnes) {
  const Dataset data = test::normal_data(50, 6, 8);
  TrainOptions options = quick_boosting();
  options.shuffle = false;
  const TrainResult boosted = train({.train = &data}, options);
  const auto members = member_probabilities(boosted.ensemble, data.inputs, Threads(1));
  const BoostingStep first =
      boost(Boosting::samme_r, std::as_const(members)[0], data.labels, first_row_weights(50, {}));
  EXPECT_EQ(boosted.log.rounds[0].error, first.error);
  Dataset weighted = data;
  for (const double w : first.row_weights) weighted.weights.push_back(static_cast<float>(w * 50));
  options.method = Method::restarts;
  const TrainResult restarts = train({.train = &weighted}, options);
  EXPECT_EQ(test::flat(boosted.ensemble.members[1]), test::flat(restarts.ensemble.members[1]));
}

TEST(AdaBoost, EndsWithThePerfectLearner) {
  Dataset data = test::normal_data(60, 3, 8);
  for (std::size_t r = 0; r < data.rows(); ++r) {
    data.inputs(r, 0) += data.labels[r] == 1 ? 6.0F : -6.0F;
  }
  for (const Boosting boosting : {Boosting::samme_r, Boosting::samme}) {
    TrainOptions options = quick_boosting(boosting, 4);
    options.epochs = 60;
    const TrainResult result = train({.train = &data}, options);
    EXPECT_EQ(result.status, TrainStatus::ok);
    EXPECT_EQ(result.ensemble.members.size(), 1U);
    EXPECT_EQ(result.decision.weights, std::vector<double>{1.0});
    ASSERT_EQ(result.log.rounds.size(), 1U);
    EXPECT_EQ(result.log.rounds[0].error, 0);
    EXPECT_EQ(result.log.epochs.size(), 60U);
  }
}

// The networks are untrained, and the labels are made from their answers.
TEST(AdaBoost, LeavesOutALearnerNoBetterThanChanceUnlessItIsTheFirst) {
  Dataset data = test::normal_data(60, 6, 8);
  TrainOptions options = quick_boosting(Boosting::samme);
  options.epochs = 0;
  const Ensemble start = initial_ensemble({.features = 6, .hidden = {17}}, 3, options.seed);
  const auto first = votes_of(start, 0, data);
  const auto second = votes_of(start, 1, data);
  int agreed = 0;
  for (std::size_t r = 0; r < 60; ++r) {
    const bool both_wrong = first[r] == second[r] && agreed++ < 5;
    data.labels[r] = static_cast<std::int32_t>(both_wrong ? 1 - first[r] : first[r]);
  }
  const TrainResult one_left_out = train({.train = &data}, options);
  EXPECT_EQ(one_left_out.ensemble.members.size(), 1U);
  ASSERT_EQ(one_left_out.log.rounds.size(), 2U);
  EXPECT_GE(one_left_out.log.rounds[1].error, 0.5);

  for (std::size_t r = 0; r < 60; ++r) data.labels[r] = static_cast<std::int32_t>(1 - first[r]);
  const TrainResult kept = train({.train = &data}, options);
  EXPECT_EQ(kept.status, TrainStatus::ok);
  EXPECT_EQ(kept.ensemble.members.size(), 1U);
  EXPECT_EQ(kept.decision.weights, std::vector<double>{1.0});
  options.boosting = Boosting::samme_r;
  EXPECT_EQ(train({.train = &data}, options).ensemble.members.size(), 3U);
}

TEST(AdaBoost, SaysOfLearnersAreTheirErrorsUnderSammeAndEqualUnderSammeR) {
  const Dataset data = test::normal_data(200, 6, 8);
  const TrainResult votes = train({.train = &data}, quick_boosting(Boosting::samme));
  ASSERT_EQ(votes.ensemble.members.size(), 3U);
  EXPECT_EQ(votes.decision.rule, Rule::samme);
  double sum = 0;
  for (const auto& round : votes.log.rounds) sum += std::log(1 / round.error - 1);
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_NEAR(votes.decision.weights[m], std::log(1 / votes.log.rounds[m].error - 1) / sum, 1e-12);
  }
  const TrainResult real = train({.train = &data}, quick_boosting());
  EXPECT_EQ(real.decision, (Decision{Rule::samme_r, {1.0 / 3, 1.0 / 3, 1.0 / 3}}));
}

TEST(AdaBoost, ThreadsDoNotChangeABit) {
  for (const int classes : {2, 3}) {
    const Dataset data = test::normal_data(300, 6, 8, classes);
    TrainOptions options = quick_boosting();
    options.batch_size = 280;
    options.hidden = {200};
    const TrainResult alone = train({.train = &data}, options);
    EXPECT_EQ(alone.ensemble.members.size(), 3U);
    for (const int threads : {2, 3, 8}) {
      options.threads = threads;
      const TrainResult shared = train({.train = &data}, options);
      EXPECT_EQ(test::flat(shared.ensemble), test::flat(alone.ensemble)) << threads;
      EXPECT_EQ(shared.decision, alone.decision);
    }
  }
}

class StopAt final : public TrainCallback {
 public:
  explicit StopAt(int step) : step_(step) {}
  void on_epoch(const EpochRecord& record, int epochs) override {
    records.push_back(record);
    epochs_of_a_learner = epochs;
  }
  bool stop_requested() override { return asked_++ == step_; }
  std::vector<EpochRecord> records;
  int epochs_of_a_learner = 0;

 private:
  int step_;
  int asked_ = 0;
};

TEST(AdaBoost, StoppedKeepsTheFinishedLearnersOrTheUnfinishedFirst) {
  const Dataset data = test::normal_data(50, 6, 8);  // 12 steps per learner
  const TrainResult whole = train({.train = &data}, quick_boosting());
  StopAt in_third(30);
  const TrainResult two = train({.train = &data, .callback = &in_third}, quick_boosting());
  EXPECT_EQ(two.status, TrainStatus::stopped);
  ASSERT_EQ(two.ensemble.members.size(), 2U);
  EXPECT_EQ(test::flat(two.ensemble.members[1]), test::flat(whole.ensemble.members[1]));
  EXPECT_EQ(two.decision.weights, (std::vector<double>{0.5, 0.5}));
  StopAt in_first(3);
  const TrainResult one = train({.train = &data, .callback = &in_first}, quick_boosting());
  EXPECT_EQ(one.status, TrainStatus::stopped);
  EXPECT_EQ(one.ensemble.members.size(), 1U);
}

TEST(AdaBoost, LogTellsTheRoundAndCountsStepsOn) {
  const Dataset data = test::normal_data(50, 6, 8);
  StopAt watch(-1);
  const TrainResult result = train({.train = &data, .validation = &data, .callback = &watch}, quick_boosting());
  EXPECT_EQ(result.steps, 36);
  EXPECT_EQ(watch.epochs_of_a_learner, 4);
  ASSERT_EQ(result.log.epochs.size(), 12U);
  ASSERT_EQ(watch.records.size(), 12U);
  for (std::size_t i = 0; i < 12; ++i) {
    const EpochRecord& record = result.log.epochs[i];
    EXPECT_EQ(record.round, static_cast<int>(i / 4) + 1);
    EXPECT_EQ(record.epoch, static_cast<int>(i % 4) + 1);
    EXPECT_EQ(record.steps, static_cast<std::int64_t>(3 * (i + 1)));
    EXPECT_EQ(record.fit.size(), 1U);
    EXPECT_TRUE(record.validation_log_loss.has_value());
  }
}

TEST(AdaBoost, ADivergedLearnerIsADivergedTraining) {
  const Dataset data = test::normal_data(50, 6, 8);
  Ensemble start = initial_ensemble({.features = 6, .hidden = {17}}, 3, 5);
  start.members[1].layers[0].weight(0, 0) = NAN;
  const TrainResult result = train({.train = &data, .initial = &start}, quick_boosting());
  EXPECT_EQ(result.status, TrainStatus::diverged);
  EXPECT_TRUE(result.ensemble.members.empty());
  ASSERT_TRUE(result.divergence.has_value());
  EXPECT_EQ(result.divergence->step, 12) << "the first step of the second learner";
}

TEST(AdaBoost, EarlyStoppingLooksAtEachLearnerAlone) {
  const Dataset data = test::normal_data(50, 6, 8);
  Dataset contrary = data;
  for (auto& label : contrary.labels) label = 1 - label;
  TrainOptions options = quick_boosting();
  options.learning_rate = 1e-2;
  options.epochs = 500;
  options.early_stopping = 3;
  const TrainResult result = train({.train = &data, .validation = &contrary}, options);
  for (const auto& record : result.log.epochs) EXPECT_LT(record.epoch, 500) << "learner " << record.round;
}

}  // namespace
}  // namespace perpend
