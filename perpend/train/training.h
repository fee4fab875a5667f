// The loop of epochs and steps over members that are trained side by side. It is internal to train. Every method is one
// such task (restarts, lit, bagging) or one after the other (adaboost).
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
  std::size_t first_member = 0;        // the number of the first member, which names its random streams
  std::span<const float> row_weights;  // of the training rows; empty: every row counts once
  int round = 0;                       // of boosting, for the log
  std::int64_t steps_before = 0;       // of earlier rounds, for the log
  bool rate_falls = false;             // the learning rate falls to 0 over the epochs, as half a cosine does
};

// If nothing waits for validation, it is measured at most at this many epochs, evenly spread, and at the last. So the
// curve costs hardly anything.
constexpr int kCurvePoints = 50;

// A training that goes on one epoch at a time. The task, what it refers to, and the threads must outlive it.
class RunningTraining {
 public:
  RunningTraining(const TrainingTask& task, const Threads& threads);
  ~RunningTraining();
  RunningTraining(const RunningTraining&) = delete;
  RunningTraining& operator=(const RunningTraining&) = delete;

  bool next_epoch();          // false when nothing is left to train
  Ensemble ensemble() const;  // the members as they are now
  TrainResult result();       // call it once, at the end

 private:
  struct Form;
  std::unique_ptr<Form> form_;
};

// Runs such a training from the first epoch to the last. The result has no decision rule, because the method sets it.
// Early stopping looks at the mean of the members' probabilities. The architecture and the needs of the objective
// decide which engine makes the steps.
TrainResult run_training(const TrainingTask& task, const Threads& threads);

// For methods that have an objective of their own. Throws if the user gave one.
void refuse_given_objective(const TrainingTask& task);

// For trainings that have several parts: adds the steps, the log and the status of the next part.
void add_part(TrainResult part, TrainResult& all);

// For members that are trained in turn. Adds the next member's training behind those before it. Returns false when it
// was the last: if it diverged, no member is left; if it was stopped, it is kept only if it is the first.
bool add_member(TrainResult one, TrainResult& all);
// Must follow the last one: keeps the views of the members that there are, which decide by the mean of their
// probabilities.
void finish_in_turn(TrainResult& all);

// Runs the training of members that are all trained at once and decide by the mean of their probabilities.
TrainResult train_together(const TrainingTask& task, const Threads& threads);

}  // namespace perpend
