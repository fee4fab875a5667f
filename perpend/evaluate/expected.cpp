#include "perpend/evaluate/expected.h"

#include <algorithm>
#include <cmath>

#include "perpend/base/error.h"
#include "perpend/evaluate/metrics.h"

namespace perpend {

namespace {

// The mean distance between the distribution functions of two samples of one distribution, times sqrt(n m / (n + m)):
// the mean of Kolmogorov's distribution, sqrt(pi / 2) ln 2.
constexpr double kMeanByChance = 0.8687;

struct Coefficients {
  double d, k, q;
};
constexpr Coefficients kAccuracy = {-2.1, -0.3, 2.0};
constexpr Coefficients kAuc = {-1.8, -0.1, 2.0};
constexpr Coefficients kLogLoss = {3.8, 0.6, 2.5};

double mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// The largest distance between the distribution functions of two samples.
double distance(std::vector<double> a, std::vector<double> b) {
  std::ranges::sort(a);
  std::ranges::sort(b);
  double largest = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const double at = std::min(a[i], b[j]);
    while (i < a.size() && a[i] <= at) ++i;
    while (j < b.size() && b[j] <= at) ++j;
    const double apart =
        static_cast<double>(i) / static_cast<double>(a.size()) - static_cast<double>(j) / static_cast<double>(b.size());
    largest = std::max(largest, std::abs(apart));
  }
  return largest;
}

std::vector<double> of_class(const Answers& answers, std::size_t k) {
  std::vector<double> column(answers.rows);
  for (std::size_t r = 0; r < answers.rows; ++r) column[r] = answers.probability(r, k);
  return column;
}

double distance_of_probabilities(const Answers& home, const Answers& rows) {
  double largest = 0;
  for (std::size_t k = home.classes == 2 ? 1 : 0; k < home.classes; ++k) {
    largest = std::max(largest, distance(of_class(home, k), of_class(rows, k)));
  }
  return largest;
}

}  // namespace

ExpectedPerformance expected_performance(const LabelledAnswers& home, const Answers& rows) {
  const Answers& known = home.answers;
  ExpectedPerformance out{.home_rows = known.rows, .rows = rows.rows};
  if (known.rows == 0) out.reason = "the model does not know what its members answered on validation rows";
  if (rows.rows == 0) out.reason = "there are no rows";
  if (!out.reason.empty()) return out;
  PERPEND_CHECK(known.classes >= 2 && rows.classes == known.classes);

  const auto n = static_cast<double>(known.rows), m = static_cast<double>(rows.rows);
  out.more_disagreement = mean(rows.disagreement) - mean(known.disagreement);
  const double by_chance = kMeanByChance * std::sqrt(1 / n + 1 / m);
  out.moved = std::max(0.0, distance_of_probabilities(known, rows) - by_chance);
  const auto estimate = [&](const Coefficients& by, double at_home, double variance, double least, double most) {
    const double change = by.d * out.more_disagreement + by.k * out.moved;
    const double mid = std::clamp(at_home + change, least, most);
    const double half = by.q * std::sqrt(variance + change * change);
    return ExpectedMetric{std::max(least, mid - half), mid, std::min(most, mid + half)};
  };

  // Shares are taken as if one more row of each kind had been seen, so that 0 wrong rows of a few do not mean
  // certainty.
  const ClassProbabilities probabilities(known.probabilities.data(), known.rows, known.classes, known.classes);
  const double wrong = mean(std::vector<double>(home.wrong.begin(), home.wrong.end()));
  const double share = (wrong * n + 1) / (n + 2);
  out.home_accuracy = 1 - wrong;
  const double chance = std::min(*out.home_accuracy, 1 / static_cast<double>(known.classes));
  out.accuracy = estimate(kAccuracy, *out.home_accuracy, share * (1 - share) * (1 / n + 1 / m), chance, 1);

  const auto losses = row_log_losses(probabilities, home.labels);
  out.home_log_loss = mean(losses);
  double spread = 0;
  for (const double loss : losses) spread += (loss - *out.home_log_loss) * (loss - *out.home_log_loss) / n;
  constexpr double kUnbounded = 100;  // no mean of -ln max(p, 1e-15) comes near
  out.log_loss = estimate(kLogLoss, *out.home_log_loss, (spread + 1 / n) * (1 / n + 1 / m), 0, kUnbounded);

  out.home_auc = known.classes == 2 ? auc(of_class(known, 1), home.labels) : auc(probabilities, home.labels);
  if (out.home_auc) {
    std::vector<std::size_t> counts(known.classes);
    for (const std::int32_t label : home.labels) ++counts[static_cast<std::size_t>(label)];
    std::erase(counts, 0U);
    // The variance of an AUC A is at most A (1 - A) / rows of the rarer class.
    const auto rarest = static_cast<double>(*std::ranges::min_element(counts));
    const double rank = (*out.home_auc * rarest + 0.5) / (rarest + 1);
    out.auc = estimate(kAuc, *out.home_auc, rank * (1 - rank) / rarest * (1 + n / m), std::min(*out.home_auc, 0.5), 1);
  }
  return out;
}

ExpectedPerformance expected_of_a_number(std::size_t home_rows, std::size_t rows) {
  return {.home_rows = home_rows,
          .rows = rows,
          .reason = "the model predicts a number, and nothing that was measured says how its errors follow a shift"};
}

ExpectedPerformance expected_performance(const Ensemble& ensemble, const Decision& decision, const Home& home,
                                         const Stack<float, axis::Row, axis::Score>& scores, const Threads& threads) {
  if (ensemble.architecture.quantity) return expected_of_a_number(home.rows(), scores.rows());
  Answers rows(scores.rows(), scores.members(), ensemble.architecture.classes, false);
  answer_scores(ensemble, decision, scores, threads, 0, rows);
  return expected_performance(home.empty() ? LabelledAnswers{} : labelled_home(ensemble, decision, home, threads),
                              rows);
}

}  // namespace perpend
