#include "perpend/evaluate/finite.h"

#include <algorithm>
#include <vector>

#include "perpend/base/error.h"
#include "perpend/base/portable_math.h"
#include "perpend/base/random.h"
#include "perpend/evaluate/metrics.h"
#include "perpend/model/predict.h"

namespace perpend {

namespace {

using MemberScores = Stack<float, axis::Row, axis::Score>;

double mean_squared_change(const MemberScores& there, const MemberScores& here, std::size_t member) {
  double sum = 0;
  for (std::size_t r = 0; r < here.rows(); ++r) {
    const double change = static_cast<double>(there[member](r, 0)) - static_cast<double>(here[member](r, 0));
    sum += change * change;
  }
  return sum / static_cast<double>(here.rows());
}

template <class Pairs, class Value>
Metric mean_over(const Pairs& pairs, const Value& value) {
  double sum = 0;
  std::size_t defined = 0;
  for (const auto& pair : pairs) {
    if (const Metric one = value(pair)) {
      sum += *one;
      ++defined;
    }
  }
  if (defined == 0) return std::nullopt;
  return sum / static_cast<double>(defined);
}

// Returns the squared correlation of two lists of changes. It is 0 where one of them never changes.
double squared_correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto n = static_cast<double>(a.size());
  double mean_a = 0;
  double mean_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    mean_a += a[i] / n;
    mean_b += b[i] / n;
  }
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return aa > 0 && bb > 0 ? std::min(1.0, ab * ab / (aa * bb)) : 0;
}

// Returns per member the scores at `draws` noisy copies of a row, less that at the row.
std::vector<std::vector<double>> changes_at(const Ensemble& ensemble, const float* row, std::size_t number,
                                            const NoiseOptions& options) {
  const std::size_t features = ensemble.architecture.features;
  const auto draws = static_cast<std::size_t>(options.draws);
  const Stream stream({.seed = options.seed, .purpose = Purpose::perturb, .step = static_cast<std::uint32_t>(number)});
  Inputs copies(draws + 1, features);
  for (std::size_t i = 0; i <= draws; ++i) {
    for (std::size_t f = 0; f < features; ++f) {
      const double noise = i == 0 ? 0 : options.sigma * stream.normal((i - 1) * features + f);
      copies(i, f) = static_cast<float>(static_cast<double>(row[f]) + noise);
    }
  }
  const auto scores = member_scores(ensemble, copies.view(), Threads(1));
  std::vector<std::vector<double>> changes(scores.members());
  for (std::size_t m = 0; m < changes.size(); ++m) {
    for (std::size_t i = 1; i <= draws; ++i) {
      changes[m].push_back(static_cast<double>(scores[m](i, 0)) - static_cast<double>(scores[m](0, 0)));
    }
  }
  return changes;
}

std::vector<NoisePair> pairs_of(std::size_t members) {
  std::vector<NoisePair> pairs;
  for (std::size_t i = 0; i < members; ++i) {
    for (std::size_t j = i + 1; j < members; ++j) pairs.push_back({.first = i, .second = j});
  }
  return pairs;
}

}  // namespace

FiniteIndependence finite_independence(const Ensemble& ensemble, InputsView rows, const AscentOptions& options,
                                       const Threads& threads) {
  PERPEND_CHECK(rows.rows() > 0);
  const std::size_t members = ensemble.members.size();
  const MemberScores here = member_scores(ensemble, rows, threads);
  Matrix<double, axis::Member, axis::Member> errors(members, members);  // (of, along)
  for (std::size_t g = 0; g < members; ++g) {
    const Inputs highest = ascend(ensemble, g, rows, options, threads);
    const MemberScores there = member_scores(ensemble, highest.view(), threads);
    for (std::size_t f = 0; f < members; ++f) errors(f, g) = mean_squared_change(there, here, f);
  }
  FiniteIndependence result;
  result.epsilon = options.epsilon;
  for (std::size_t f = 0; f < members; ++f) {
    result.own.push_back(errors(f, f));
    for (std::size_t g = 0; g < members; ++g) {
      if (f == g) continue;
      const Metric relative = errors(f, f) > 0 ? Metric(errors(f, g) / errors(f, f)) : std::nullopt;
      result.pairs.push_back({f, g, errors(f, g), relative});
    }
  }
  result.indep_err = mean_over(result.pairs, [](const FinitePair& pair) { return Metric(pair.indep_err); });
  result.relative = mean_over(result.pairs, [](const FinitePair& pair) { return pair.relative; });
  return result;
}

NoiseIndependence noise_independence(const Ensemble& ensemble, InputsView rows, const NoiseOptions& options,
                                     const Threads& threads) {
  PERPEND_CHECK(ensemble.architecture.classes == 2 && rows.cols() == ensemble.architecture.features);
  PERPEND_CHECK(!ensemble.architecture.has_views());
  PERPEND_CHECK(rows.rows() > 0 && options.sigma > 0 && options.draws >= 3);
  const std::size_t taken = std::min(rows.rows(), kMostNoiseRows);
  const auto pairs = pairs_of(ensemble.members.size());
  std::vector<std::vector<double>> squares(taken, std::vector<double>(pairs.size()));
  threads.for_each(taken, [&](std::size_t i) {
    const auto changes = changes_at(ensemble, rows.row(i * rows.rows() / taken), i, options);
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      squares[i][p] = squared_correlation(changes[pairs[p].first], changes[pairs[p].second]);
    }
  });
  NoiseIndependence result{.sigma = options.sigma, .pairs = pairs, .correlation2 = {}, .information = {}};
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    for (const auto& row : squares) {
      result.pairs[p].correlation2 += row[p] / static_cast<double>(taken);
      result.pairs[p].information -=
          portable_log(std::max(1 - row[p], kSmallestProbability)) / 2 / static_cast<double>(taken);
    }
  }
  result.correlation2 = mean_over(result.pairs, [](const NoisePair& pair) { return Metric(pair.correlation2); });
  result.information = mean_over(result.pairs, [](const NoisePair& pair) { return Metric(pair.information); });
  return result;
}

}  // namespace perpend
