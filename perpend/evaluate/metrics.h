// How good predicted probabilities are.
//
// Binary: `probabilities` is P(class 1) per row, and labels are 0 or 1. K classes: probabilities are (rows, K), each
// row sums to 1, and labels are 0 .. K-1. Every metric is a sum in row order in double, so the same input gives the
// same bits everywhere. Without rows every metric is undefined.
//
//   auc       P(score of a positive > score of a negative) + 1/2 P(equal), from ranks in O(n log n); undefined when a
//             class has no row. K classes: mean over the classes of the AUC of that class against the rest, over those
//             for which it is defined (macro, one-vs-rest).
//   accuracy  share of rows whose most probable class is the label; on a tie the earlier class is predicted, so binary
//             predicts 1 when P(class 1) > 1/2. An ensemble with a threshold has the accuracy of the classes that it
//             answers, P(class 1) > threshold; its members' accuracies and errors stay at 1/2.
//   log_loss  mean of -ln max(p, 1e-15), p the probability given to the label.
//   brier     mean of (p - y)^2; K classes: of half the sum over classes, which for K = 2 is the same number.
//   ece       sum over 15 equal-width bins of (rows in bin / rows) * |mean probability - frequency|; see Calibration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/records/evaluation.h"

namespace perpend {

using Probabilities = std::span<const double>;
using ClassProbabilities = MatrixView<const double, axis::Row, axis::Out>;
using MemberProbabilities = MatrixView<const double, axis::Member, axis::Row>;  // binary, all members
using LabelsView = std::span<const std::int32_t>;
using ErrorFlags = std::vector<std::uint8_t>;  // per row: 1 where the predicted class is not the label

constexpr double kSmallestProbability = 1e-15;
constexpr std::size_t kCalibrationBins = 15;

Metric auc(std::span<const double> scores, LabelsView labels);  // any finite scores, not only probabilities
Metric accuracy(Probabilities probabilities, LabelsView labels, double threshold = 0.5);
Metric log_loss(Probabilities probabilities, LabelsView labels);
Metric brier(Probabilities probabilities, LabelsView labels);

Metric auc(ClassProbabilities probabilities, LabelsView labels);
Metric accuracy(ClassProbabilities probabilities, LabelsView labels);
Metric log_loss(ClassProbabilities probabilities, LabelsView labels);
Metric brier(ClassProbabilities probabilities, LabelsView labels);

// Bin b of 15 holds probabilities in (b/15, (b+1)/15]; 0 falls into the first. Binary: P(class 1) against the frequency
// of class 1. K classes: the probability of the predicted class against the frequency of being right.
struct CalibrationBin {
  std::size_t rows = 0;
  Metric mean_probability;
  Metric frequency;
};
struct Calibration {
  std::vector<CalibrationBin> bins;  // kCalibrationBins of them
  Metric ece;
};
Calibration calibrate(Probabilities probabilities, LabelsView labels);
Calibration calibrate(ClassProbabilities probabilities, LabelsView labels);

ThresholdCounts count_at(double threshold, Probabilities probabilities, LabelsView labels);

Scores score(Probabilities probabilities, LabelsView labels);
Scores score(ClassProbabilities probabilities, LabelsView labels);

ErrorFlags find_errors(Probabilities probabilities, LabelsView labels);
ErrorFlags find_errors(ClassProbabilities probabilities, LabelsView labels);

}  // namespace perpend
