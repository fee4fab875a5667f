// AdaBoost over networks (Zhu, Zou, Rosset and Hastie 2009). One network is trained after the other, each from its own
// first weights for the full number of epochs. The rows are weighted by how hard the networks before it found them.
//
// Row weights w sum to 1 and start equal (or as the data's own). They enter a step's loss as w / sum of w in the batch.
// With p_k a learner's probabilities without drop-out, y the label and K classes:
//
//   error    sum of w over the rows whose most probable class is not y
//   samme_r  w <- w exp(-(K-1)/K sum_k c_k log p_k), with c_y = 1 and other c_k = -1/(K-1). p_k is taken as at least
//            2^-23. For K = 2 the factor is exp(-(1/2) log-odds of the label). Every learner has the same say.
//   samme    alpha = log(1 / error - 1) + log(K - 1);  w <- w exp(alpha) where wrong. A learner's say is alpha.
//
// Then w is scaled back to sum 1, and kept at 2^-52 at least unless it was 0 from the start. Boosting ends
//   - with a perfect learner, error 0, whose weight is 1 as in scikit-learn: the weights can teach nothing more.
//     Networks that fit all rows end it at once, with one member and hardly any diversity;
//   - with samme, at a learner no better than chance, error >= 1 - 1/K, which is left out. If it is the first one, it
//     is kept, alone: scikit-learn gives up there, but such a network is still the answer that was asked for. samme_r
//     does not end in this way;
//   - after `members` learners.
//
// Regression is AdaBoost.R2 (Drucker 1997). Rows are weighted here; Drucker draws them by weight:
//
//   error    sum of w L, L = |prediction - target| divided by the largest such difference of all rows
//   weights  beta = error / (1 - error);  w <- w beta^(1 - L): rows that are well predicted lose weight
//   say      log(1 / beta); the ensemble predicts the weighted median. A learner of error 1/2 or more is left out.
//
// model/decision.h tells how the learners decide together. Early stopping looks at each learner alone, by its own
// validation log-loss, and returns each one's best weights. It never ends the boosting. If a learner diverges, the
// training has diverged. If the training is stopped from outside, it keeps the finished learners, or else the
// unfinished first one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/base/parallel.h"
#include "perpend/train/options.h"
#include "perpend/train/train.h"
#include "perpend/train/training.h"

namespace perpend {

enum class Verdict { go_on, perfect, chance };

// The result of boosting by one learner.
struct BoostingStep {
  double error = 0;
  double weight = 1;  // of its say, before all weights are scaled to sum 1
  Verdict verdict = Verdict::go_on;
  std::vector<double> row_weights;  // for the next learner, sum 1; unchanged unless boosting goes on
};

// Equal weights, or weights in proportion to those given.
std::vector<double> first_row_weights(std::size_t rows, std::span<const float> given);

// probabilities (rows, K) are those of the learner on the training rows.
BoostingStep boost(Boosting boosting, MatrixView<const float, axis::Row, axis::Out> probabilities,
                   std::span<const std::int32_t> labels, std::vector<double> row_weights);

// AdaBoost.R2. predictions are those of the learner on the training rows.
BoostingStep boost_r2(std::span<const double> predictions, std::span<const float> targets,
                      std::vector<double> row_weights);

// task.start has a network for each learner.
TrainResult train_adaboost(const TrainingTask& task, const Threads& threads);

}  // namespace perpend
