// Compares each metric with a second implementation that is slow and obviously right.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "perpend/evaluate/metrics.h"
#include "tests/evaluate/random_case.h"

namespace perpend {
namespace {

using Values = std::vector<double>;
using Classes = std::vector<std::int32_t>;
using Table = Matrix<double, axis::Row, axis::Out>;

void demand_equal(const Metric& ours, const Metric& theirs) {
  RC_ASSERT(ours.has_value() == theirs.has_value());
  if (ours) RC_ASSERT(std::abs(*ours - *theirs) <= 1e-12 * std::max(1.0, std::abs(*theirs)));
}

Metric all_pairs_auc(const Values& scores, const Classes& labels, std::int32_t positive = 1) {
  double won = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    for (std::size_t j = 0; j < scores.size(); ++j) {
      if (labels[i] != positive || labels[j] == positive) continue;
      won += scores[i] > scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0;
      ++pairs;
    }
  }
  if (pairs == 0) return std::nullopt;
  return won / pairs;
}

Table any_table(std::size_t rows, std::size_t classes) {
  Table table(rows, classes);
  for (std::size_t r = 0; r < rows; ++r) {
    const auto counts = any_numbers(classes, 0, 4);
    double sum = 0;
    for (const int c : counts) sum += c;
    for (std::size_t k = 0; k < classes; ++k)
      table(r, k) = sum == 0 ? 1.0 / static_cast<double>(classes) : counts[k] / sum;
  }
  return table;
}

RC_GTEST_PROP(Auc, EqualsTheCountOverAllPairs, ()) {
  const std::size_t rows = any_rows();
  const Values scores = any_probabilities(rows);
  const Classes labels = any_labels(rows, 2);
  RC_ASSERT(auc(scores, labels) == all_pairs_auc(scores, labels));
}

RC_GTEST_PROP(Auc, DoesNotDependOnTheOrderOfRowsNorOnAMonotoneMap, ()) {
  const std::size_t rows = any_rows();
  const Values scores = any_probabilities(rows);
  const Classes labels = any_labels(rows, 2);
  const Values turned(scores.rbegin(), scores.rend());
  const Classes turned_labels(labels.rbegin(), labels.rend());
  Values mapped;
  for (const double s : scores) mapped.push_back(8 * s - 3);
  RC_ASSERT(auc(scores, labels) == auc(turned, turned_labels));
  RC_ASSERT(auc(scores, labels) == auc(mapped, labels));
}

RC_GTEST_PROP(Accuracy, EqualsTheNaiveLoop, ()) {
  const std::size_t rows = any_rows();
  const Values p = any_probabilities(rows);
  const Classes labels = any_labels(rows, 2);
  double right = 0;
  for (std::size_t r = 0; r < rows; ++r) right += (p[r] > 0.5 ? 1 : 0) == labels[r];
  demand_equal(accuracy(p, labels), rows == 0 ? Metric() : Metric(right / static_cast<double>(rows)));
}

RC_GTEST_PROP(LogLoss, EqualsTheNaiveLoop, ()) {
  const std::size_t rows = any_rows();
  const Values p = any_probabilities(rows);
  const Classes labels = any_labels(rows, 2);
  double sum = 0;
  for (std::size_t r = 0; r < rows; ++r) sum -= std::log(std::max(1e-15, labels[r] == 1 ? p[r] : 1 - p[r]));
  demand_equal(log_loss(p, labels), rows == 0 ? Metric() : Metric(sum / static_cast<double>(rows)));
}

RC_GTEST_PROP(Brier, EqualsTheNaiveLoop, ()) {
  const std::size_t rows = any_rows();
  const Values p = any_probabilities(rows);
  const Classes labels = any_labels(rows, 2);
  double sum = 0;
  for (std::size_t r = 0; r < rows; ++r) sum += std::pow(p[r] - labels[r], 2);
  demand_equal(brier(p, labels), rows == 0 ? Metric() : Metric(sum / static_cast<double>(rows)));
}

RC_GTEST_PROP(Calibration, EqualsTheSumOverBins, ()) {
  const std::size_t rows = any_rows();
  const Values p = any_probabilities(rows);
  const Classes labels = any_labels(rows, 2);
  double ece = 0;
  std::size_t in_bins = 0;
  const Calibration c = calibrate(p, labels);
  for (int b = 0; b < 15; ++b) {
    double n = 0;
    double probability = 0;
    double events = 0;
    for (std::size_t r = 0; r < rows; ++r) {
      if (!(p[r] > b / 15.0 || b == 0) || p[r] > (b + 1) / 15.0) continue;
      ++n;
      probability += p[r];
      events += labels[r];
    }
    RC_ASSERT(c.bins[b].rows == static_cast<std::size_t>(n));
    in_bins += c.bins[b].rows;
    if (n > 0) ece += n / static_cast<double>(rows) * std::abs(probability / n - events / n);
  }
  RC_ASSERT(in_bins == rows);
  demand_equal(c.ece, rows == 0 ? Metric() : Metric(ece));
}

RC_GTEST_PROP(ClassMetrics, EqualTheNaiveLoops, ()) {
  const std::size_t rows = any_rows();
  const int classes = *even(2, 5);
  const Table p = any_table(rows, classes);
  const Classes labels = any_labels(rows, classes);
  double right = 0;
  double surprise = 0;
  double squares = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    int best = 0;
    for (int k = 0; k < classes; ++k) {
      if (p(r, k) > p(r, best)) best = k;
      squares += std::pow(p(r, k) - (labels[r] == k ? 1 : 0), 2) / 2;
    }
    right += best == labels[r];
    surprise -= std::log(std::max(1e-15, p(r, labels[r])));
  }
  const auto mean = [&](double sum) { return rows == 0 ? Metric() : Metric(sum / static_cast<double>(rows)); };
  demand_equal(accuracy(p.view(), labels), mean(right));
  demand_equal(log_loss(p.view(), labels), mean(surprise));
  demand_equal(brier(p.view(), labels), mean(squares));
  double sum = 0;
  double defined = 0;
  for (int k = 0; k < classes; ++k) {
    Values column;
    for (std::size_t r = 0; r < rows; ++r) column.push_back(p(r, k));
    if (const Metric one = all_pairs_auc(column, labels, k)) {
      sum += *one;
      ++defined;
    }
  }
  demand_equal(auc(p.view(), labels), defined == 0 ? Metric() : Metric(sum / defined));
}

}  // namespace
}  // namespace perpend
