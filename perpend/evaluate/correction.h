// Fits one correction (model/decision.h) to labelled rows, when it is given how far bias and pulls may go. Internal to
// evaluate. adapt.h says which fits are made and how they are used.
//
// The prior of bias and pulls v is Normal around 0. The fit minimises
//
//     -log P(labels | v)  +  1/2 sum_j (v_j / sd_j)^2
//
// For classes this is a softmax regression. Newton's method solves it, with a step that is halved until it descends.
// For numbers with a known standard deviation of the noise it is a linear regression, which one system of equations
// solves. Both are convex, so there is one minimum. If every class has a bias, a shift of all biases by the same number
// changes nothing, and the prior keeps it at 0.
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
  std::size_t scores = 0;            // per row: one per class, or one in a regression
  std::size_t biases = 0;            // how many are fitted: as many as scores, or none
  std::vector<double> answer;        // (rows, scores): log P_k, or the standardised prediction
  std::vector<double> away;          // (rows, scores, members): l(p_mk) - l(P_k), or f_m - f
  std::vector<std::int32_t> labels;  // per row; for classes
  std::vector<double> targets;       // per row, standardised; for a regression
};

// Has no labels or targets. members: their probabilities, or their predictions in the target's units.
CorrectionData correction_data(const Stack<float, axis::Row, axis::Out>& members, const Decision& decision);
CorrectionData correction_data(MatrixView<const double, axis::Member, axis::Row> members, const Decision& decision,
                               const NumberTarget& quantity);

// A correction for more classes than this has no biases, because few rows say nothing about many classes.
constexpr std::size_t kMostBiased = 32;

struct CorrectionPrior {
  double bias_sd = 0, pull_sd = 0;  // above 0
  double noise_sd = 1;              // for a regression; above 0
};

struct CorrectionFit {
  std::vector<double> values;  // the fitted biases, then the pulls
  double log_evidence = 0;     // by Laplace's approximation, which is exact for a regression
};

CorrectionFit fit_correction(const CorrectionData& data, std::span<const std::size_t> rows,
                             const CorrectionPrior& prior);

// log P(labels) of the present answer. noise_sd: for a regression.
double log_likelihood(const CorrectionData& data, std::span<const std::size_t> rows, double noise_sd);

}  // namespace perpend
