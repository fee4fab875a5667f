// Tests LIT's penalty along tangents of the data, from the objective to trained weights.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "perpend/base/random.h"
#include "perpend/objective/lit.h"
#include "perpend/train/train.h"
#include "tests/support/data.h"
#include "tests/support/ensembles.h"

namespace perpend {
namespace {

TrainOptions quick_along(std::vector<int> hidden = {17}) {
  TrainOptions options;
  options.members = 3;
  options.hidden = std::move(hidden);
  options.epochs = 4;
  options.batch_size = 32;
  options.threads = 1;
  return options;
}

Tangents axes(std::size_t features, std::size_t count) {
  Tangents tangents = Tangents::shared(features, count);
  for (std::size_t k = 0; k < count; ++k) tangents.direction(0, k)[k] = 1;
  return tangents;
}

Tangents random_per_row(std::size_t rows, std::size_t features, std::size_t directions) {
  Tangents tangents = Tangents::per_row(rows, features, directions);
  const Stream stream({.seed = 4, .purpose = Purpose::test});
  for (std::size_t r = 0, i = 0; r < rows; ++r) {
    for (std::size_t k = 0; k < directions; ++k) {
      for (std::size_t f = 0; f < features; ++f) {
        tangents.direction(r, k)[f] = static_cast<float>(stream.normal(i++));
      }
    }
  }
  return tangents;
}

std::vector<float> weights_of(const Dataset& data, const TrainOptions& options, const Tangents* tangents) {
  const TrainResult result = train({.train = &data, .tangents = tangents}, options);
  EXPECT_EQ(result.status, TrainStatus::ok);
  return test::flat(result.ensemble);
}

// Random scores, gradients and labels of three members.
template <class T>
struct Case {
  static constexpr std::size_t kMembers = 3, kRows = 37, kFeatures = 19;
  Case()
      : scores(kMembers, kRows, 1),
        d_scores(scores),
        gradients(kMembers, kRows, kFeatures),
        labels(64, 1),
        weights(64, T(1.0 / kRows)),
        unlabeled_weights(64),
        indices(kRows) {
    for (std::size_t r = 0; r < kRows; ++r) unlabeled_weights[r] = T((r % 3 + 0.5) / kRows);
    const Stream stream({.seed = 3, .purpose = Purpose::test});
    for (std::size_t m = 0, i = 0; m < kMembers; ++m) {
      for (std::size_t r = 0; r < kRows; ++r) {
        for (std::size_t f = 0; f < kFeatures; ++f) gradients[m](r, f) = static_cast<float>(stream.normal(i++));
      }
    }
    for (std::size_t r = 0; r < kRows; ++r) indices[r] = static_cast<std::uint32_t>((r * 7 + 3) % kRows);
  }
  T penalty(const Tangents& tangents) {
    ObjectiveRows<T> rows;
    rows.rows = rows.batch_rows = kRows;
    rows.labels = labels.data();
    rows.weights = weights.data();
    rows.unlabeled_weights = unlabeled_weights.data();
    rows.indices = indices.data();
    for (std::size_t m = 0; m < kMembers; ++m) {
      rows.scores.push_back(scores[m]);
      rows.d_scores.push_back(d_scores[m]);
      rows.input_gradients.push_back(gradients[m]);
    }
    Terms<T> terms{std::vector<T>(kMembers), T{}};
    Lit<T>({.lambda = 0.5, .tangents = &tangents}).evaluate(rows, terms);
    return terms.penalty;
  }
  Stack<T, axis::Row, axis::Score> scores, d_scores;
  Stack<T, axis::Row, axis::Feature> gradients;
  AlignedVector<std::int32_t> labels;
  AlignedVector<T> weights, unlabeled_weights;
  std::vector<std::uint32_t> indices;
};

TEST(TangentPenalty, InFloatIsThatInDoubleAtEveryRowsOwnBasis) {
  const Tangents tangents = random_per_row(Case<float>::kRows, Case<float>::kFeatures, 4);
  Case<float> single;
  Case<double> exact;
  EXPECT_NEAR(single.penalty(tangents), exact.penalty(tangents), 1e-5);
  double largest = 0;
  for (std::size_t m = 0; m < 3; ++m) {
    for (std::size_t r = 0; r < Case<float>::kRows; ++r) {
      for (std::size_t f = 0; f < Case<float>::kFeatures; ++f) {
        EXPECT_NEAR(single.gradients[m](r, f), exact.gradients[m](r, f), 1e-6);
        largest = std::max(largest, std::abs(exact.gradients[m](r, f)));
      }
    }
  }
  EXPECT_GT(largest, 1e-3);
}

TEST(TangentPenalty, AlongAllColumnsIsPlainLitToTheBit) {
  const Dataset data = test::normal_data(90, 6, 1);
  const Tangents all = axes(6, 6);
  for (const auto& hidden : {std::vector<int>{17}, {9, 5}}) {
    EXPECT_EQ(weights_of(data, quick_along(hidden), &all), weights_of(data, quick_along(hidden), nullptr));
  }
}

TEST(TangentPenalty, WithoutTangentsIsPlainLit) {
  const Dataset data = test::normal_data(90, 6, 1);
  const Tangents none;
  EXPECT_EQ(weights_of(data, quick_along(), &none), weights_of(data, quick_along(), nullptr));
}

TEST(TangentPenalty, FindsEachRowsBasisWhenRowsAreShuffled) {
  const Dataset data = test::normal_data(90, 6, 1);
  const Tangents shared = axes(6, 2);
  Tangents each = Tangents::per_row(90, 6, 2);
  for (std::size_t r = 0; r < 90; ++r) std::copy_n(shared.at(0), 2 * shared.stride(), each.at(r));
  EXPECT_EQ(weights_of(data, quick_along(), &each), weights_of(data, quick_along(), &shared));
  EXPECT_NE(weights_of(data, quick_along(), &shared), weights_of(data, quick_along(), nullptr));

  // The rows are in reverse order, with their bases, so the same batches see the same numbers.
  const Tangents own = random_per_row(90, 6, 2);
  Dataset reversed = data;
  Tangents reversed_own = own;
  for (std::size_t r = 0; r < 90; ++r) {
    std::copy_n(data.inputs.row(89 - r), 6, reversed.inputs.row(r));
    reversed.labels[r] = data.labels[89 - r];
    std::copy_n(own.at(89 - r), 2 * own.stride(), reversed_own.at(r));
  }
  TrainOptions whole = quick_along();
  whole.batch_size = 90;  // one batch, no drop-out: the order of rows changes only the order of sums
  whole.dropout = 0;
  whole.shuffle = false;
  const auto forward = weights_of(data, whole, &own);
  const auto backward = weights_of(reversed, whole, &reversed_own);
  const auto mismatched = weights_of(reversed, whole, &own);
  double apart = 0;
  double mistaken = 0;
  for (std::size_t i = 0; i < forward.size(); ++i) {
    apart = std::max(apart, static_cast<double>(std::abs(forward[i] - backward[i])));
    mistaken = std::max(mistaken, static_cast<double>(std::abs(forward[i] - mismatched[i])));
  }
  EXPECT_GT(mistaken, 10 * apart);
}

TEST(TangentPenalty, DoesNotDependOnThreads) {
  const Dataset data = test::normal_data(300, 21, 2);
  const Tangents tangents = random_per_row(300, 21, 3);
  for (const auto& hidden : {std::vector<int>{300}, {20, 5}}) {
    TrainOptions options = quick_along(hidden);
    options.batch_size = 256;
    const auto one = weights_of(data, options, &tangents);
    for (const int threads : {2, 3}) {
      options.threads = threads;
      EXPECT_EQ(weights_of(data, options, &tangents), one);
    }
  }
}

}  // namespace
}  // namespace perpend
