#include "perpend/evaluate/metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "perpend/base/error.h"
#include "perpend/base/portable_math.h"

namespace perpend {
namespace {

void check_binary(std::span<const double> scores, LabelsView labels) {
  PERPEND_CHECK(scores.size() == labels.size());
  PERPEND_CHECK(std::ranges::all_of(scores, [](double s) { return std::isfinite(s); }));
  PERPEND_CHECK(std::ranges::all_of(labels, [](std::int32_t y) { return y == 0 || y == 1; }));
}

void check_classes(ClassProbabilities p, LabelsView labels) {
  PERPEND_CHECK(p.rows() == labels.size());
  PERPEND_CHECK(
      std::ranges::all_of(labels, [&](std::int32_t y) { return y >= 0 && static_cast<std::size_t>(y) < p.cols(); }));
  for (std::size_t r = 0; r < p.rows(); ++r) {
    PERPEND_CHECK(std::all_of(p.row(r), p.row(r) + p.cols(), [](double v) { return std::isfinite(v); }));
  }
}

std::size_t predicted_class(ClassProbabilities p, std::size_t row) {
  return static_cast<std::size_t>(std::max_element(p.row(row), p.row(row) + p.cols()) - p.row(row));
}

std::size_t label_of(LabelsView labels, std::size_t row) { return static_cast<std::size_t>(labels[row]); }

template <class Term>
Metric mean_over_rows(std::size_t rows, Term term) {
  if (rows == 0) return std::nullopt;
  double sum = 0;
  for (std::size_t r = 0; r < rows; ++r) sum += term(r);
  return sum / static_cast<double>(rows);
}

double surprise(double probability) { return -portable_log(std::max(probability, kSmallestProbability)); }

// happened[r] is 0 or 1.
template <class Happened>
Calibration calibrate_events(Probabilities probabilities, Happened happened) {
  std::array<double, kCalibrationBins> sums{};
  std::array<std::size_t, kCalibrationBins> events{};
  Calibration result{.bins = std::vector<CalibrationBin>(kCalibrationBins), .ece = std::nullopt};
  for (std::size_t r = 0; r < probabilities.size(); ++r) {
    std::size_t bin = 0;
    while (bin + 1 < kCalibrationBins && probabilities[r] > static_cast<double>(bin + 1) / kCalibrationBins) ++bin;
    ++result.bins[bin].rows;
    sums[bin] += probabilities[r];
    events[bin] += happened(r) ? 1 : 0;
  }
  if (probabilities.empty()) return result;
  double ece = 0;
  for (std::size_t b = 0; b < kCalibrationBins; ++b) {
    CalibrationBin& bin = result.bins[b];
    if (bin.rows == 0) continue;
    bin.mean_probability = sums[b] / static_cast<double>(bin.rows);
    bin.frequency = static_cast<double>(events[b]) / static_cast<double>(bin.rows);
    ece += std::abs(sums[b] - static_cast<double>(events[b]));
  }
  result.ece = ece / static_cast<double>(probabilities.size());
  return result;
}

template <class AnyProbabilities>
Scores score_any(AnyProbabilities p, LabelsView labels) {
  return {.auc = auc(p, labels),
          .accuracy = accuracy(p, labels),
          .log_loss = log_loss(p, labels),
          .brier = brier(p, labels),
          .ece = calibrate(p, labels).ece};
}

}  // namespace

Metric auc(std::span<const double> scores, LabelsView labels) {
  check_binary(scores, labels);
  std::vector<std::uint32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) { return scores[a] < scores[b]; });
  // Twice the number of (negative, positive) pairs in the right order. A tie counts as half a pair, so this is an
  // integer.
  std::uint64_t twice_ordered = 0;
  std::uint64_t negatives = 0;
  std::uint64_t positives = 0;
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    std::uint64_t tied_positives = 0;
    for (; last < order.size() && scores[order[last]] == scores[order[first]]; ++last) {
      tied_positives += labels[order[last]] == 1 ? 1 : 0;
    }
    const std::uint64_t tied_negatives = last - first - tied_positives;
    twice_ordered += tied_positives * (2 * negatives + tied_negatives);
    negatives += tied_negatives;
    positives += tied_positives;
  }
  if (negatives == 0 || positives == 0) return std::nullopt;
  return static_cast<double>(twice_ordered) / (2 * static_cast<double>(negatives) * static_cast<double>(positives));
}

Metric accuracy(Probabilities p, LabelsView labels, double threshold) {
  check_binary(p, labels);
  return mean_over_rows(p.size(), [&](std::size_t r) { return (p[r] > threshold) == (labels[r] == 1) ? 1.0 : 0.0; });
}

Metric log_loss(Probabilities p, LabelsView labels) {
  check_binary(p, labels);
  return mean_over_rows(p.size(), [&](std::size_t r) { return surprise(labels[r] == 1 ? p[r] : 1 - p[r]); });
}

Metric brier(Probabilities p, LabelsView labels) {
  check_binary(p, labels);
  return mean_over_rows(p.size(), [&](std::size_t r) { return (p[r] - labels[r]) * (p[r] - labels[r]); });
}

Metric auc(ClassProbabilities p, LabelsView labels) {
  check_classes(p, labels);
  std::vector<double> scores(p.rows());
  std::vector<std::int32_t> is_class(p.rows());
  double sum = 0;
  std::size_t defined = 0;
  for (std::size_t k = 0; k < p.cols(); ++k) {
    for (std::size_t r = 0; r < p.rows(); ++r) {
      scores[r] = p(r, k);
      is_class[r] = label_of(labels, r) == k ? 1 : 0;
    }
    if (const Metric one = auc(scores, is_class)) {
      sum += *one;
      ++defined;
    }
  }
  if (defined == 0) return std::nullopt;
  return sum / static_cast<double>(defined);
}

Metric accuracy(ClassProbabilities p, LabelsView labels) {
  check_classes(p, labels);
  return mean_over_rows(p.rows(),
                        [&](std::size_t r) { return predicted_class(p, r) == label_of(labels, r) ? 1.0 : 0.0; });
}

Metric log_loss(ClassProbabilities p, LabelsView labels) {
  check_classes(p, labels);
  return mean_over_rows(p.rows(), [&](std::size_t r) { return surprise(p(r, label_of(labels, r))); });
}

Metric brier(ClassProbabilities p, LabelsView labels) {
  check_classes(p, labels);
  return mean_over_rows(p.rows(), [&](std::size_t r) {
    double sum = 0;
    for (std::size_t k = 0; k < p.cols(); ++k) {
      const double error = p(r, k) - (label_of(labels, r) == k ? 1 : 0);
      sum += error * error;
    }
    return sum / 2;
  });
}

Calibration calibrate(Probabilities p, LabelsView labels) {
  check_binary(p, labels);
  return calibrate_events(p, [&](std::size_t r) { return labels[r] == 1; });
}

Calibration calibrate(ClassProbabilities p, LabelsView labels) {
  check_classes(p, labels);
  std::vector<double> confidence(p.rows());
  for (std::size_t r = 0; r < p.rows(); ++r) confidence[r] = p(r, predicted_class(p, r));
  return calibrate_events(confidence, [&](std::size_t r) { return predicted_class(p, r) == label_of(labels, r); });
}

ThresholdCounts count_at(double threshold, Probabilities p, LabelsView labels) {
  check_binary(p, labels);
  ThresholdCounts counts{.threshold = threshold};
  for (std::size_t r = 0; r < p.size(); ++r) {
    const bool answered = p[r] > threshold;
    if (labels[r] == 1) {
      ++(answered ? counts.true_positives : counts.false_negatives);
    } else {
      ++(answered ? counts.false_positives : counts.true_negatives);
    }
  }
  return counts;
}

Scores score(Probabilities p, LabelsView labels) { return score_any(p, labels); }
Scores score(ClassProbabilities p, LabelsView labels) { return score_any(p, labels); }

ErrorFlags find_errors(Probabilities p, LabelsView labels) {
  check_binary(p, labels);
  ErrorFlags errors(p.size());
  for (std::size_t r = 0; r < p.size(); ++r) errors[r] = (p[r] > 0.5) == (labels[r] == 1) ? 0 : 1;
  return errors;
}

ErrorFlags find_errors(ClassProbabilities p, LabelsView labels) {
  check_classes(p, labels);
  ErrorFlags errors(p.rows());
  for (std::size_t r = 0; r < p.rows(); ++r) errors[r] = predicted_class(p, r) == label_of(labels, r) ? 0 : 1;
  return errors;
}

}  // namespace perpend
