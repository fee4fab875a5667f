// AdaBoost over networks (Zhu, Zou, Rosset and Hastie 2009): one network after the other, each trained from its own
// first weights for the full number of epochs, on rows weighted by how hard the networks before it found them.
//
// Row weights w sum to 1 and start equal (or as the data's own). They enter a step's loss as w / sum of w in the batch.
// With p_k a learner's probabilities without drop-out, y the label and K classes:
//
//   error    sum of w over the rows whose most probable class is not y
//   samme_r  w <- w exp(-(K-1)/K sum_k c_k log p_k), c_y = 1, c_k = -1/(K-1) else, p_k taken as at least 2^-23;
//            that is exp(-(1/2) log-odds of the label) for K = 2. Every learner has the same say.
//   samme    alpha = log(1 / error - 1) + log(K - 1);  w <- w exp(alpha) where wrong. A learner's say is alpha.
//
// then w is brought back to sum 1, and kept at 2^-52 at least unless it was 0 from the start. Boosting ends
//   - with a perfect learner, error 0, whose weight is 1 as in scikit-learn: nothing is left to be learnt from the
//     weights. Networks that fit all rows end it at once, with one member and no diversity to speak of;
//   - samme: with a learner no better than chance, error >= 1 - 1/K, which is left out. The first one is kept, alone:
//     scikit-learn gives up there, but a network that does no better is still the answer that was asked for.
//     samme_r has no such end;
//   - after `members` learners.
//
// Regression is AdaBoost.R2 (Drucker 1997), with rows that are weighted where he draws them:
//
//   error    sum of w L, L = |prediction - target| divided by the largest such of all rows
//   weights  beta = error / (1 - error);  w <- w beta^(1 - L): rows that are well predicted lose weight
//   say      log(1 / beta); the ensemble predicts the weighted median. A learner of error 1/2 or more is left out.
//
// How the learners decide together: model/decision.h. Early stopping looks at each learner alone, by its own validation
// log-loss, and returns each one's best weights; it never ends the boosting. A diverged learner makes the training a
// diverged one. Stopped from outside, the finished learners are kept, or the unfinished first one.
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

// What a learner makes of the row weights.
struct BoostingStep {
  double error = 0;
  double weight = 1;  // of its say, before all are brought to sum 1
  Verdict verdict = Verdict::go_on;
  std::vector<double> row_weights;  // for the next learner, sum 1; as they were unless boosting goes on
};

// Equal, or in proportion to those given.
std::vector<double> first_row_weights(std::size_t rows, std::span<const float> given);

// probabilities (rows, K) are the learner's on the training rows.
BoostingStep boost(Boosting boosting, MatrixView<const float, axis::Row, axis::Out> probabilities,
                   std::span<const std::int32_t> labels, std::vector<double> row_weights);

// AdaBoost.R2: predictions are the learner's on the training rows.
BoostingStep boost_r2(std::span<const double> predictions, std::span<const float> targets,
                      std::vector<double> row_weights);

// task.start has a network for each learner.
TrainResult train_adaboost(const TrainingTask& task, const Threads& threads);

}  // namespace perpend
