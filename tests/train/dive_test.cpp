#include "perpend/train/dive.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "perpend/train/train.h"
#include "tests/support/data.h"
#include "tests/support/ensembles.h"

namespace perpend {
namespace {

TrainOptions small_dive() {
  TrainOptions options;
  options.method = Method::dive;
  options.members = 5;
  options.hidden = {17};
  options.batch_size = 20;
  options.epochs = 16;
  options.seed = 5;
  options.threads = 1;
  return options;
}

std::vector<std::vector<double>> some_losses(std::size_t members, std::size_t rows) {
  std::vector<std::vector<double>> losses(members, std::vector<double>(rows));
  double x = 0;
  for (auto& own : losses) {
    for (double& loss : own) loss = 1 + std::sin(x += 1.7);
  }
  return losses;
}

// The same choice, written out: every gain is computed again before each pair.
std::vector<char> assigned_slowly(const std::vector<std::vector<double>>& losses, const RowKinds& kinds,
                                  const Curriculum& now) {
  const std::size_t members = losses.size();
  const std::size_t rows = losses[0].size();
  double beta = 0;
  for (const auto& own : losses) beta += std::accumulate(own.begin(), own.end(), 0.0);
  beta /= static_cast<double>(members * rows);
  std::vector<char> taken(members * rows, 0);
  const auto has = [&](std::size_t m, std::size_t r) { return taken[m * rows + r] != 0; };
  const auto variety = [&](std::size_t m) {
    std::vector<double> counts(kinds.bins, 0);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < kinds.columns && has(m, r); ++c) ++counts[kinds.bin[r * kinds.columns + c]];
    }
    double sum = 0;
    for (const double count : counts) sum += std::sqrt(static_cast<double>(rows) * count);
    return sum / static_cast<double>(kinds.columns);
  };
  while (true) {
    double best = 1e-9;
    std::size_t best_pair = taken.size();
    for (std::size_t m = 0; m < members; ++m) {
      std::size_t own = 0;
      for (std::size_t r = 0; r < rows; ++r) own += has(m, r) ? 1 : 0;
      for (std::size_t r = 0; r < rows; ++r) {
        std::size_t shared = 0;
        for (std::size_t other = 0; other < members; ++other) shared += has(other, r) ? 1 : 0;
        if (has(m, r) || own == now.most_rows || shared == now.most_members) continue;
        const double before = variety(m);
        taken[m * rows + r] = 1;
        const double gained = variety(m) - before + 1.0 / static_cast<double>(1 + shared);
        taken[m * rows + r] = 0;
        const double gain = beta - losses[m][r] + (1 - now.progress) * gained;
        if (gain > best + 1e-9) {
          best = gain;
          best_pair = m * rows + r;
        }
      }
    }
    if (best_pair == taken.size()) return taken;
    taken[best_pair] = 1;
  }
}

TEST(Dive, TheQueueMakesTheGreedyChoice) {
  const Dataset data = test::mixed_data(24, 5, 3);
  const auto losses = some_losses(3, 24);
  for (const Curriculum now : {Curriculum{0.2, 9, 3}, {0.6, 24, 2}, {1, 24, 1}}) {
    EXPECT_EQ(assign(losses, kinds_of(data), now), assigned_slowly(losses, kinds_of(data), now)) << now.progress;
  }
}

TEST(Dive, AnAssignmentKeepsItsLimits) {
  const Dataset data = test::normal_data(40, 4, 3);
  const auto taken = assign(some_losses(5, 40), kinds_of(data), {.progress = 0, .most_rows = 10, .most_members = 2});
  for (std::size_t m = 0; m < 5; ++m)
    EXPECT_LE(std::count(taken.begin() + m * 40, taken.begin() + (m + 1) * 40, 1), 10);
  for (std::size_t r = 0; r < 40; ++r) {
    int shared = 0;
    for (std::size_t m = 0; m < 5; ++m) shared += taken[m * 40 + r];
    EXPECT_LE(shared, 2);
  }
  EXPECT_EQ(std::count(taken.begin(), taken.end(), 1), 50) << "early on, every member wants rows";
}

TEST(Dive, EarlyRowsAreOfEveryKindAndLateOnesAreTheEasyOnes) {
  const std::size_t n = 80;
  Dataset data = test::normal_data(n, 1, 3);
  std::vector<std::vector<double>> losses(1, std::vector<double>(n));
  for (std::size_t r = 0; r < n; ++r) {
    data.inputs(r, 0) = static_cast<float>(r);
    data.labels[r] = 0;
    losses[0][r] = static_cast<double>(r) / 80;  // the higher the number, the harder
  }
  const auto rows_above_half = [&](double progress) {
    const auto taken = assign(losses, kinds_of(data), {.progress = progress, .most_rows = 20, .most_members = 1});
    return std::count(taken.begin() + 40, taken.end(), 1);
  };
  EXPECT_GT(rows_above_half(0), 5);
  EXPECT_EQ(rows_above_half(1), 0);
}

TEST(Dive, TheCurriculumBeginsWithFewRowsAndEndsWithFewMembers) {
  const Curriculum first = curriculum(0, 10, 100);
  EXPECT_EQ(first.most_rows, 25U);
  EXPECT_EQ(first.most_members, 10U);
  const Curriculum last = curriculum(1, 10, 100);
  EXPECT_EQ(last.most_rows, 100U);
  EXPECT_EQ(last.most_members, 4U);
}

TEST(Dive, AMissingCellIsAKindOfItsOwn) {
  Dataset data = test::normal_data(8, 1, 3);
  for (std::size_t r = 0; r < 8; ++r) data.inputs(r, 0) = static_cast<float>(r);
  data.inputs(7, 0) = std::numeric_limits<float>::quiet_NaN();
  const RowKinds kinds = kinds_of(data);
  EXPECT_EQ(kinds.columns, 2U) << "the label is one more";
  EXPECT_EQ(kinds.bins, 7U);
  for (std::size_t r = 0; r < 8; ++r) EXPECT_EQ(kinds.bin[2 * r] == 4, r == 7);
}

TEST(Dive, ThreadsDoNotChangeABit) {
  for (const int classes : {2, 3}) {
    const Dataset data = test::normal_data(300, 7, 8, classes);
    TrainOptions options = small_dive();
    options.batch_size = 280;
    const TrainResult alone = train({.train = &data}, options);
    EXPECT_EQ(alone.log.epochs.size(), 16U);
    EXPECT_EQ(alone.decision, equal_mean(5));
    for (const int threads : {2, 3}) {
      options.threads = threads;
      EXPECT_EQ(test::flat(train({.train = &data}, options).ensemble), test::flat(alone.ensemble))
          << classes << threads;
    }
  }
}

TEST(Dive, StopsEarlyInItsLastRound) {
  const Dataset data = test::mixed_data(200, 6, 4);
  Dataset validation = test::mixed_data(80, 6, 5);
  validation.columns = data.columns;
  TrainOptions options = small_dive();
  options.views = {View::linear, View::piecewise, View::logistic, View::trees};
  options.members = 6;
  options.early_stopping = 2;
  options.epochs = {};
  const TrainResult result = train({.train = &data, .validation = &validation}, options);
  EXPECT_EQ(result.status, TrainStatus::ok);
  EXPECT_EQ(result.ensemble.members.size(), 6U);
  EXPECT_GT(result.log.epochs.size(), 7 * 50U) << "10,000 row visits of 200 rows are 50 epochs";
  EXPECT_LT(result.log.epochs.size(), 5000U);
}

}  // namespace
}  // namespace perpend
