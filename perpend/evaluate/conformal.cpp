#include "perpend/evaluate/conformal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "perpend/base/error.h"
#include "perpend/base/portable_math.h"

namespace perpend {

namespace {

constexpr double kLeastProbability = 1e-6;
constexpr double kFarthest = 5;  // standard deviations from the mean at home
constexpr double kRidge = 1;     // on each slope
constexpr double kLargestRatio = 20;
constexpr std::size_t kMostFitted = 10'000;  // new rows that the regression sees, evenly spaced

using Rows = std::vector<std::vector<double>>;  // (rows, columns)

// Returns what the regression sees of each row. The first column is 1.
Rows seen(const Answers& answers) {
  Rows rows;
  for (std::size_t r = 0; r < answers.rows; ++r) {
    std::vector<double> row = {1};
    double mean = 0;
    for (std::size_t k = 0; k < answers.classes; ++k) {
      row.push_back(portable_log(std::max(answers.probability(r, k), kLeastProbability)));
      mean += row.back() / static_cast<double>(answers.classes);
    }
    for (std::size_t k = 1; k < row.size(); ++k) row[k] -= mean;
    if (answers.classes == 2) row.resize(2);  // the second is the first with another sign
    row.push_back(answers.disagreement[r]);
    rows.push_back(std::move(row));
  }
  return rows;
}

// Standardises all columns but the first by mean and standard deviation at home.
void standardise(Rows& home, Rows& rows) {
  for (std::size_t c = 1; c < home[0].size(); ++c) {
    double mean = 0, squares = 0;
    for (const auto& row : home) mean += row[c] / static_cast<double>(home.size());
    for (const auto& row : home) squares += (row[c] - mean) * (row[c] - mean) / static_cast<double>(home.size());
    const double sd = std::sqrt(squares) + 1e-9;
    for (Rows* part : {&home, &rows}) {
      for (auto& row : *part) row[c] = std::clamp((row[c] - mean) / sd, -kFarthest, kFarthest);
    }
  }
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Solves a x = b by Cholesky's factors. a is symmetric and positive definite, and only its lower half is read.
std::vector<double> solve(Rows a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = a[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i][k] * a[j][k];
      a[i][j] = i == j ? std::sqrt(sum) : sum / a[j][j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= a[k][i] * b[k];
    b[i] /= a[i][i];
  }
  return b;
}

// Returns the slopes of a logistic regression that tells rows from home. Both parts have the same weight in total, that
// of as many rows as the smaller part has. Newton's method fits them.
std::vector<double> fit(const Rows& home, const Rows& rows) {
  const std::size_t columns = home[0].size(), every = (rows.size() + kMostFitted - 1) / kMostFitted;
  const std::size_t fitted = (rows.size() + every - 1) / every;
  const auto smaller = static_cast<double>(std::min(home.size(), fitted));
  std::vector<double> slopes(columns);
  for (int iteration = 0; iteration < 30; ++iteration) {
    std::vector<double> gradient(columns);
    Rows curvature(columns, std::vector<double>(columns));
    for (std::size_t c = 0; c < columns; ++c) {
      const double ridge = c == 0 ? 1e-6 : kRidge;
      gradient[c] = ridge * slopes[c];
      curvature[c][c] = ridge;
    }
    const auto add = [&](const std::vector<double>& row, double target, double weight) {
      const double p = 1 / (1 + portable_exp(-std::clamp(dot(slopes, row), -30.0, 30.0)));
      for (std::size_t i = 0; i < columns; ++i) {
        gradient[i] += weight * (p - target) * row[i];
        for (std::size_t j = 0; j <= i; ++j) curvature[i][j] += weight * p * (1 - p) * row[i] * row[j];
      }
    };
    for (const auto& row : home) add(row, 0, smaller / static_cast<double>(home.size()));
    for (std::size_t r = 0; r < rows.size(); r += every) add(rows[r], 1, smaller / static_cast<double>(fitted));
    const auto step = solve(curvature, gradient);
    for (std::size_t c = 0; c < columns; ++c) slopes[c] -= step[c];
    if (std::ranges::all_of(step, [](double s) { return std::abs(s) < 1e-9; })) break;
  }
  return slopes;
}

std::vector<double> ratios(const Rows& rows, const std::vector<double>& slopes) {
  const double most = portable_log(kLargestRatio);
  std::vector<double> out;
  out.reserve(rows.size());
  for (const auto& row : rows) out.push_back(portable_exp(std::clamp(dot(slopes, row), -most, most)));
  return out;
}

}  // namespace

ConformalSets::ConformalSets(const LabelledAnswers& home, double coverage, std::span<const double> weights)
    : coverage_(coverage) {
  const std::size_t n = home.answers.rows;
  PERPEND_CHECK(coverage > 0 && coverage < 1 && (weights.empty() || weights.size() == n));
  std::vector<std::pair<double, double>> rows;  // score and weight
  for (std::size_t r = 0; r < n; ++r) {
    rows.emplace_back(1 - home.answers.probability(r, static_cast<std::size_t>(home.labels[r])),
                      weights.empty() ? 1 : weights[r]);
  }
  std::ranges::sort(rows);
  double sum = 0;
  for (const auto& [score, weight] : rows) {
    scores_.push_back(score);
    sums_.push_back(sum += weight);
  }
}

double ConformalSets::largest_score(double weight) const {
  constexpr double kRounding = 1e-12;  // 0.9 (99 + 1) is 90 rows, not 91
  const double needed = coverage_ * ((sums_.empty() ? 0 : sums_.back()) + weight) * (1 - kRounding);
  const auto place = std::ranges::lower_bound(sums_, needed) - sums_.begin();
  return static_cast<std::size_t>(place) < scores_.size() ? scores_[static_cast<std::size_t>(place)]
                                                          : std::numeric_limits<double>::infinity();
}

std::vector<std::uint8_t> ConformalSets::of(const Answers& rows, std::span<const double> weights) const {
  PERPEND_CHECK(weights.empty() || weights.size() == rows.rows);
  std::vector<std::uint8_t> sets(rows.rows * rows.classes);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const double most = largest_score(weights.empty() ? 1 : weights[r]);
    for (std::size_t k = 0; k < rows.classes; ++k) sets[r * rows.classes + k] = 1 - rows.probability(r, k) <= most;
  }
  return sets;
}

ShiftWeights shift_weights(const Answers& home, const Answers& rows) {
  PERPEND_CHECK(home.rows > 0 && rows.rows > 0 && home.classes == rows.classes);
  Rows at_home = seen(home), elsewhere = seen(rows);
  standardise(at_home, elsewhere);
  const auto slopes = fit(at_home, elsewhere);
  return {ratios(at_home, slopes), ratios(elsewhere, slopes)};
}

}  // namespace perpend
