// Tests LIT by its definition at a distance: the objective's adjoints, and the effect of a training with it.
#include <gtest/gtest.h>

#include <complex>

#include "perpend/base/error.h"
#include "perpend/evaluate/finite.h"
#include "perpend/objective/finite.h"
#include "perpend/train/train.h"
#include "tests/support/complex_step.h"
#include "tests/support/data.h"
#include "tests/support/ensembles.h"

namespace perpend {
namespace {

constexpr std::size_t kMembers = 3;
constexpr std::size_t kRows = 21;

// The loss of scores given as (member, row, 1 + member). Computes the adjoints, in that order, if asked for.
template <class T>
T loss_of(const std::vector<T>& numbers, PenaltyReduction reduction, std::vector<T>* adjoints) {
  Stack<T, axis::Row, axis::Score> scores(kMembers, kRows, 1 + kMembers);
  auto d_scores = scores;
  std::vector<std::int32_t> labels(32, 0);
  std::vector<T> weights(32, T(1.0 / kRows));
  ObjectiveRows<T> rows;
  rows.rows = rows.batch_rows = kRows;
  rows.labels = labels.data();
  rows.weights = weights.data();
  for (std::size_t m = 0, i = 0; m < kMembers; ++m) {
    for (std::size_t r = 0; r < kRows; ++r) {
      labels[r] = r % 3 == 0 ? 1 : 0;
      for (std::size_t c = 0; c <= kMembers; ++c) scores[m](r, c) = numbers[i++];
    }
    rows.scores.push_back(scores[m]);
    rows.d_scores.push_back(d_scores[m]);
  }
  Terms<T> terms{std::vector<T>(kMembers), T{}};
  const FiniteLit<T> objective({.lambda = 0.7, .reduction = reduction});
  objective.evaluate(rows, terms);
  for (std::size_t m = 0; adjoints != nullptr && m < kMembers; ++m) {
    for (std::size_t r = 0; r < kRows; ++r)
      adjoints->insert(adjoints->end(), d_scores[m].row(r), d_scores[m].row(r) + 1 + kMembers);
  }
  return terms.fit[0] + terms.fit[1] + terms.fit[2] + T(0.7) * terms.penalty;
}

std::vector<double> random_scores() {
  const Stream stream({.seed = 1, .purpose = Purpose::test});
  std::vector<double> numbers;
  for (std::size_t i = 0; i < kMembers * kRows * (1 + kMembers); ++i) numbers.push_back(stream.normal(i));
  return numbers;
}

TEST(FinitePenalty, AdjointsAreExact) {
  for (const auto reduction : {PenaltyReduction::mean, PenaltyReduction::sum}) {
    const auto scores = random_scores();
    std::vector<double> adjoints;
    loss_of<double>(scores, reduction, &adjoints);
    std::vector<std::size_t> all(scores.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    const auto loss = [&](const std::vector<std::complex<double>>& x) {
      return loss_of<std::complex<double>>(x, reduction, nullptr);
    };
    EXPECT_LE(test::gradient_error(loss, scores, adjoints, all), 1e-12);
  }
}

TEST(FinitePenalty, InFloatIsThatInDouble) {
  const auto scores = random_scores();
  EXPECT_NEAR(loss_of<float>({scores.begin(), scores.end()}, PenaltyReduction::mean, nullptr),
              loss_of<double>(scores, PenaltyReduction::mean, nullptr), 1e-5);
}

TrainOptions small() {
  TrainOptions options;
  options.members = 2;
  options.hidden = {24};
  options.activation = Activation::softplus;
  options.dropout = 0;
  options.weight_decay = 0;
  options.learning_rate = 1e-2;
  options.epochs = 30;
  options.batch_size = 64;
  options.penalty = Penalty::finite;
  options.ascent.epsilon = 0.3;
  options.lambda = 1;
  options.threads = 1;
  return options;
}

double indep_err(const Ensemble& ensemble, const Dataset& data) {
  return *finite_independence(ensemble, data.inputs.view(), {.epsilon = 0.3}, Threads(1)).relative;
}

// Either column tells the class. So members can hold still where the other moves.
Dataset two_quadrants() {
  Dataset data = test::normal_data(300, 2, 3);
  for (std::size_t r = 0; r < 300; ++r) {
    const bool right = r % 2 == 0;
    for (std::size_t f = 0; f < 2; ++f) {
      data.inputs(r, f) = (right ? 1.0F : -1.0F) * (0.2F + std::abs(data.inputs(r, f)));
    }
    data.labels[r] = right ? 1 : 0;
  }
  return data;
}

TEST(FinitePenalty, MakesMembersIndependentAtADistance) {
  const Dataset data = two_quadrants();
  TrainOptions plain = small();
  plain.method = Method::restarts;
  const TrainResult restarts = train({.train = &data}, plain);
  const TrainResult finite = train({.train = &data}, small());
  ASSERT_EQ(finite.status, TrainStatus::ok);
  EXPECT_GT(indep_err(restarts.ensemble, data), 0.8);
  EXPECT_LT(indep_err(finite.ensemble, data), 0.1);
  EXPECT_LT(finite.log.epochs.back().fit[0], 0.2);
  EXPECT_LT(finite.log.epochs.back().fit[1], 0.2);
}

TEST(FinitePenalty, DoesNotDependOnThreads) {
  const Dataset data = two_quadrants();
  TrainOptions options = small();
  options.epochs = 2;
  options.batch_size = 128;
  const auto one = test::flat(train({.train = &data}, options).ensemble);
  options.threads = 3;
  EXPECT_EQ(test::flat(train({.train = &data}, options).ensemble), one);
}

TEST(FinitePenalty, OfLambdaZeroIsRestarts) {
  const Dataset data = two_quadrants();
  TrainOptions options = small();
  options.epochs = 2;
  options.lambda = 0;
  TrainOptions restarts = options;
  restarts.method = Method::restarts;
  EXPECT_EQ(test::flat(train({.train = &data}, options).ensemble),
            test::flat(train({.train = &data}, restarts).ensemble));
}

TEST(FinitePenalty, RefusesDropOutAndMoreThanTwoClasses) {
  TrainOptions options = small();
  options.dropout = 0.5;
  const Dataset data = two_quadrants();
  EXPECT_THROW(train({.train = &data}, options), ConfigError);
  const Dataset three = test::normal_data(50, 2, 1, 3);
  EXPECT_THROW(train({.train = &three}, small()), ConfigError);
  options = small();
  options.ascent.epsilon = 0;
  EXPECT_THROW(train({.train = &data}, options), ConfigError);
}

}  // namespace
}  // namespace perpend
