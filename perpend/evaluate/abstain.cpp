#include "perpend/evaluate/abstain.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perpend/base/error.h"
#include "perpend/base/portable_math.h"
#include "perpend/base/quantile.h"
#include "perpend/evaluate/selective.h"

namespace perpend {

namespace {

constexpr std::size_t kSteps = 10;             // of coverage
constexpr double kMayBeBroken = 0.1 / kSteps;  // how often any of the bounds may fail
constexpr double kStandardErrors = 1.645;

ClassProbabilities shown(const Answers& answers) {
  return {answers.probabilities.data(), answers.rows, answers.classes, answers.classes};
}

std::vector<std::uint32_t> ascending(std::span<const double> values) {
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) { return values[a] < values[b]; });
  return order;
}

// Returns per row what it adds to the area of risk against coverage.
std::vector<double> area_terms(std::span<const double> signal, std::span<const std::uint8_t> wrong) {
  const std::size_t n = signal.size();
  std::vector<double> sums(n);  // 1/j + ... + 1/n of the place j - 1
  double sum = 0;
  for (std::size_t j = n; j > 0; --j) sums[j - 1] = sum += 1.0 / static_cast<double>(j);
  const auto order = ascending(signal);
  std::vector<double> terms(n);
  for (std::size_t first = 0, last = 0; first < n; first = last) {
    double tied = 0;
    for (; last < n && signal[order[last]] == signal[order[first]]; ++last) tied += sums[last];
    for (std::size_t i = first; i < last; ++i) {
      terms[order[i]] = wrong[order[i]] * tied / static_cast<double>(last - first);
    }
  }
  return terms;
}

// Counts what a rule does at home.
AbstainRule counted_at_home(const LabelledAnswers& home, AbstainSignal signal, double most) {
  AbstainRule rule{.signal = signal, .most = most, .home_rows = home.answers.rows};
  const auto values = signal_of(signal, home.answers);
  for (std::size_t r = 0; r < values.size(); ++r) {
    if (values[r] > most) continue;
    ++rule.answered;
    rule.wrong += home.wrong[r];
  }
  rule.error_bound = error_bound(rule.wrong, rule.answered);
  return rule;
}

// Returns the probability of `wrong` or fewer wrong rows among `rows`, each wrong with probability p in (0, 1). Terms
// are kept as ratios to the largest, so no term that matters underflows.
double at_most(std::size_t wrong, std::size_t rows, double p) {
  const double odds = portable_log(p) - portable_log(1 - p);
  double log_term = static_cast<double>(rows) * portable_log(1 - p);
  double sum = portable_exp(log_term);
  for (std::size_t e = 1; e <= wrong; ++e) {
    log_term += odds + portable_log(static_cast<double>(rows - e + 1) / static_cast<double>(e));
    sum += portable_exp(log_term);
  }
  return sum;
}

}  // namespace

const char* word_of(AbstainSignal signal) { return signal == AbstainSignal::doubt ? "doubt" : "disagreement"; }

std::vector<double> signal_of(AbstainSignal signal, const Answers& answers) {
  return signal == AbstainSignal::doubt ? row_doubt(shown(answers)) : answers.disagreement;
}

AbstainSignal choose_signal(const LabelledAnswers& home) {
  const auto doubt = area_terms(signal_of(AbstainSignal::doubt, home.answers), home.wrong);
  const auto spread = area_terms(signal_of(AbstainSignal::disagreement, home.answers), home.wrong);
  const auto n = static_cast<double>(doubt.size());
  double mean = 0;
  for (std::size_t r = 0; r < doubt.size(); ++r) mean += (doubt[r] - spread[r]) / n;
  double squares = 0;
  for (std::size_t r = 0; r < doubt.size(); ++r) {
    squares += (doubt[r] - spread[r] - mean) * (doubt[r] - spread[r] - mean);
  }
  return mean > 0 && mean * n > kStandardErrors * std::sqrt(squares) ? AbstainSignal::disagreement
                                                                     : AbstainSignal::doubt;
}

AbstainRule abstain_by_share(const LabelledAnswers& home, double share) {
  PERPEND_CHECK(home.answers.rows > 0 && share >= 0 && share <= 1);
  const AbstainSignal signal = choose_signal(home);
  return counted_at_home(home, signal, quantile(signal_of(signal, home.answers), 1 - share));
}

AbstainRule abstain_by_error(const LabelledAnswers& home, double error) {
  PERPEND_CHECK(error > 0 && error < 1);
  const AbstainSignal signal = choose_signal(home);
  const auto values = signal_of(signal, home.answers);
  const auto order = ascending(values);
  const std::size_t n = order.size();
  double most = -1;
  for (std::size_t step = 1, k = 0, wrong = 0; step <= kSteps && n > 0; ++step) {
    for (; k < (n * step + kSteps - 1) / kSteps; ++k) wrong += home.wrong[order[k]];
    // Ties are answered together.
    while (k < n && values[order[k]] == values[order[k - 1]]) wrong += home.wrong[order[k++]];
    if (error_bound(wrong, k) <= error) most = values[order[k - 1]];
  }
  return counted_at_home(home, signal, most);
}

double error_bound(std::size_t wrong, std::size_t rows) {
  if (wrong >= rows) return 1;
  double low = 0, high = 1;
  for (int halving = 0; halving < 50; ++halving) {
    const double middle = (low + high) / 2;
    (at_most(wrong, rows, middle) > kMayBeBroken ? low : high) = middle;
  }
  return high;
}

}  // namespace perpend
