// Fits one correction (model/decision.h) to labelled rows, given how far bias and pulls may go. Internal to evaluate;
// adapt.h says which fits are made and what becomes of them.
//
// Bias and pulls v are Normal around 0 beforehand. What is minimised is
//
//     -log P(labels | v)  +  1/2 sum_j (v_j / sd_j)^2
//
// Of classes this is a softmax regression, which Newton's method solves with a step that is halved until it descends.
// Of numbers, with a known standard deviation of the noise, it is a linear one, which one solution of equations solves.
// Both are convex, so there is one minimum. Where the bias of the classes is one each, its direction along which all of
// them rise alike changes nothing, and its prior keeps it at 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/base/quantity.h"
#include "perpend/model/decision.h"

namespace perpend {

struct CorrectionData {
  std::size_t members = 0;
  std::size_t scores = 0;            // a row: one per class, or one of a regression
  std::size_t biases = 0;            // that are fitted: as many as scores, or none
  std::vector<double> answer;        // (rows, scores): log P_k, or the standardised prediction
  std::vector<double> away;          // (rows, scores, members): l(p_mk) - l(P_k), or f_m - f
  std::vector<std::int32_t> labels;  // per row; of classes
  std::vector<double> targets;       // per row, standardised; of a regression
};

// Without labels and targets. The members' probabilities, or their predictions in the target's units.
CorrectionData correction_data(const Stack<float, axis::Row, axis::Out>& members, const Decision& decision);
CorrectionData correction_data(MatrixView<const double, axis::Member, axis::Row> members, const Decision& decision,
                               const NumberTarget& quantity);

// A correction of more classes than this has no biases: few rows say nothing of many classes.
constexpr std::size_t kMostBiased = 32;

struct CorrectionPrior {
  double bias_sd = 0, pull_sd = 0;  // above 0
  double noise_sd = 1;              // of a regression; above 0
};

struct CorrectionFit {
  std::vector<double> values;  // the fitted biases, then the pulls
  double log_evidence = 0;     // by Laplace's approximation, which is exact for a regression
};

CorrectionFit fit_correction(const CorrectionData& data, std::span<const std::size_t> rows,
                             const CorrectionPrior& prior);

// log P(labels) of the answer as it is. noise_sd: of a regression.
double log_likelihood(const CorrectionData& data, std::span<const std::size_t> rows, double noise_sd);

}  // namespace perpend
