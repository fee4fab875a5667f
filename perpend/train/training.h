// The loop of epochs and steps over members that are trained side by side. Internal to train: every method is one such
// task (restarts, lit, bagging) or one after the other (adaboost).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "perpend/base/parallel.h"
#include "perpend/model/ensemble.h"
#include "perpend/objective/objective.h"
#include "perpend/train/options.h"
#include "perpend/train/train.h"

namespace perpend {

struct TrainingTask {
  const TrainInput& input;
  const TrainOptions& options;
  const Objective<float>& objective;
  Ensemble start;                      // the members to train
  bool bootstrap = false;              // each member on its own bootstrap sample of the rows (bagging.h)
  std::size_t first_member = 0;        // the number of the first one, which names its random streams
  std::span<const float> row_weights;  // of the training rows; empty: every row counts once
  int round = 0;                       // of boosting, for the log
  std::int64_t steps_before = 0;       // of earlier rounds, for the log
  bool rate_falls = false;             // the learning rate falls to 0 over the epochs, as half a cosine does
};

// Where nobody waits for it, validation is measured at no more epochs than this, evenly spread, and at the last: the
// curve costs nothing beside the training.
constexpr int kCurvePoints = 50;

// A training that goes on one epoch at a time. The task, what it refers to, and the threads outlive it.
class RunningTraining {
 public:
  RunningTraining(const TrainingTask& task, const Threads& threads);
  ~RunningTraining();
  RunningTraining(const RunningTraining&) = delete;
  RunningTraining& operator=(const RunningTraining&) = delete;

  bool next_epoch();          // false when nothing was left to train
  Ensemble ensemble() const;  // the members as they are now
  TrainResult result();       // once, at the end

 private:
  struct Form;
  std::unique_ptr<Form> form_;
};

// The same from the first epoch to the last. The result has no decision rule: that is the method's. Early stopping
// looks at the mean of the members' probabilities. Which engine makes the steps follows from the architecture and from
// what the objective needs.
TrainResult run_training(const TrainingTask& task, const Threads& threads);

// For methods whose objective is a part of them.
void refuse_given_objective(const TrainingTask& task);

// For trainings of several parts: adds the steps, the log and the status of the next one.
void add_part(TrainResult part, TrainResult& all);

// For members that are trained in turn. Puts the training of the next one behind those before it; false when it was the
// last: it diverged, which leaves no member, or it was stopped. A stopped member stays where it is the first.
bool add_member(TrainResult one, TrainResult& all);
// After the last: the views are those of the members that there are, which decide by the mean of their probabilities.
void finish_in_turn(TrainResult& all);

// The same for members that are all trained at once and decide by the mean of their probabilities.
TrainResult train_together(const TrainingTask& task, const Threads& threads);

}  // namespace perpend
