// Trains an ensemble: data go in, networks and their decision rule come out. Members of LIT, NCL, ACE and DivDis are
// trained together. Those of restarts and bagging are independent of each other. Those of adaboost and D-BAT follow one
// another. For the same options and data the result is the same to the bit on any number of threads and any machine.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "perpend/base/tangents.h"
#include "perpend/data/dataset.h"
#include "perpend/model/decision.h"
#include "perpend/model/ensemble.h"
#include "perpend/objective/objective.h"
#include "perpend/records/train_log.h"
#include "perpend/train/options.h"

namespace perpend {

// It is told about the progress. It may ask to stop, which happens between steps.
class TrainCallback {
 public:
  virtual ~TrainCallback() = default;
  virtual void on_epoch(const EpochRecord& /*record*/, int /*epochs*/) {}
  virtual bool stop_requested() { return false; }
};

enum class TrainStatus { ok, diverged, stopped };

// The course of early stopping.
struct Stopping {
  int epochs = 0;                    // epochs that were trained
  int best_epoch = 0;                // the epoch whose weights are kept
  bool by_itself = false;            // the validation log-loss stopped falling; else the epochs were used up
  bool still_falling = false;        // the last measurement was the best
  std::vector<RatePhase> plan = {};  // the way to the best weights, without its detours
};

struct TrainResult {
  // Has no members when training diverged, so nothing of it can be used. Boosting may end with fewer than asked for.
  Ensemble ensemble;
  Decision decision;
  TrainLog log;
  TrainStatus status = TrainStatus::ok;
  std::optional<Divergence> divergence;
  std::int64_t steps = 0;
  std::optional<Stopping> stopping = {};  // set with early stopping; with boosting, of the last learner
};

struct TrainInput {
  const Dataset* train = nullptr;
  const Dataset* validation = nullptr;  // only early stopping needs it; its loss is logged if it is given
  const Ensemble* initial = nullptr;    // weights to start from, with fresh optimizer state
  TrainCallback* callback = nullptr;
  const Objective<float>* objective = nullptr;  // one of your own, which replaces that of options.method
  // For LIT: penalise along these. They are shared, or of the training rows and then of those without labels. Empty:
  // none.
  const Tangents* tangents = nullptr;
  // Rows without labels (unlabeled.h), for the methods and penalties that use them.
  const Inputs* unlabeled = nullptr;
};

// Throws ConfigError for options that cannot be used and DataError for data that cannot be trained on. With early
// stopping, the weights of the best validation log-loss are returned.
TrainResult train(const TrainInput& input, const TrainOptions& options);

// The same training, one epoch at a time. Programs use it to show the members while they learn (web/playground).
//
//   EpochTraining training({.train = &rows}, options);
//   while (training.next_epoch()) draw(training.ensemble());
//   const TrainResult result = training.result();
//
// Its result has the bytes of train()'s. It is for methods that train their members side by side. Other methods, and
// options without a network to train, throw ConfigError. What the input points to must outlive it.
class EpochTraining {
 public:
  EpochTraining(const TrainInput& input, const TrainOptions& options);
  ~EpochTraining();
  EpochTraining(EpochTraining&&) noexcept;
  EpochTraining& operator=(EpochTraining&&) noexcept;

  bool next_epoch();          // false when nothing is left to train
  Ensemble ensemble() const;  // the networks as they are now
  TrainResult result();       // call it once, at the end

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Adds a logistic regression and boosted trees behind the networks, if the options have them. `train` does so itself.
// The members' weights are equal then.
void add_single_members(const TrainInput& input, const TrainOptions& options, TrainResult& result);

}  // namespace perpend
