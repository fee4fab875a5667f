// The losses that boosting minimises. Each has its value, and per row and output the gradient g and the hessian h by
// the score.
//
//   log_loss, two classes     s is the log-odds of class 1, p = 1 / (1 + e^-s): g = p - y, h = p (1 - p)
//   log_loss, K > 2 classes   p = softmax(s): g_k = p_k - [y = k], h_k = K / (K - 1) p_k (1 - p_k); the factor is
//                             LightGBM's
//   regression, squared       (s - y)^2 / 2: g = s - y, h = 1
//
// A new loss is a word here, a start and a case of derive_run (losses.cpp). Everything else sees only g and h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "perpend/base/parallel.h"
#include "perpend/base/quantity.h"
#include "perpend/trees/grow.h"

namespace perpend {

// regression has the losses of base/quantity.h. If the loss is not the squared error, g is its slope and h is 1. Such
// trees find where to split, and renewed_value computes what a leaf then predicts.
enum class TreeLoss { log_loss, regression };

// Encoded rows, with their labels or targets and their weights.
struct TreeRows {
  InputsView inputs = {};
  std::span<const std::int32_t> labels = {};  // for log_loss: classes from 0
  std::span<const float> targets = {};        // for regression
  std::span<const float> weights = {};        // >= 0, and not all 0; empty: every row counts once
  RegressionLoss loss = {};                   // for regression

  std::size_t rows() const { return inputs.rows(); }
  float weight(std::size_t row) const { return weights.empty() ? 1.0F : weights[row]; }
};

// The number of outputs: one log-odds for two classes, one logit per class for more, one number for regression.
std::size_t outputs_of(TreeLoss loss, std::size_t classes);

// The best score per output among those that are the same for all rows.
std::vector<float> best_start(TreeLoss loss, std::size_t classes, const TreeRows& rows);

// For regression by another loss than the squared error: the best value of a leaf with these rows, which is the
// quantile of their residuals.
double renewed_value(const TreeRows& rows, std::span<const std::uint32_t> of_leaf, std::span<const double> scores);

// Scores, gradients and hessians are (outputs, rows), one output after the other.
struct Derivatives {
  std::vector<float> gradient = {}, hessian = {};
  std::vector<double> gradient_sum = {}, hessian_sum = {};  // per output: sums of weight |g| and of weight h
};

// The mean loss by weight. Sums are taken in runs of 1,024 rows, and the runs are added up in order. `out` may be null.
double derive(TreeLoss loss, const TreeRows& rows, std::span<const double> scores, std::size_t outputs,
              Derivatives* out, const Threads& threads);

// Packs the integers of one output for split.h: round(g / unit) times the weight, rounded again. So a row of weight 2
// is exactly two rows. Units are the smallest powers of two with which no sum leaves 32 bits, whatever the rows. With
// 100,000 rows a typical gradient keeps 14 bits or more.
void pack_gradients(const Derivatives& derivatives, std::size_t output, const TreeRows& rows, PackedGradients& packed,
                    const Threads& threads);

}  // namespace perpend
