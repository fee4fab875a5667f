// What happened during a training, as plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace perpend {

// Terms of L = sum_m fit_m + lambda penalty + weight_decay. fit and penalty are averaged over the steps of an epoch;
// weight_decay and validation are taken at its end. They are measured at about 50 epochs and the last, or at every
// epoch when early stopping needs them. Boosting trains one member after the other, and a record is of that one alone.
struct EpochRecord {
  int round = 0;           // of boosting, from 1; 0: all members are trained side by side
  int epoch = 0;           // from 1, in each round
  std::int64_t steps = 0;  // since the start
  std::vector<double> fit;
  double penalty = 0;
  std::optional<double> weight_decay;
  std::optional<double> validation_log_loss;  // of the mean of the members trained side by side
};

// A round of boosting: the learner's weighted error on the training rows, and its say before all are scaled to sum 1.
struct BoostingRound {
  double error = 0;
  double weight = 0;
};

// Training whose numbers became infinite or NaN: at which step (from 0) and in which term (fit, penalty or weights).
struct Divergence {
  std::int64_t step = 0;
  std::string term;

  bool operator==(const Divergence&) const = default;
};

struct TrainLog {
  std::vector<EpochRecord> epochs;
  std::vector<BoostingRound> rounds;  // adaboost only; the last may be of a learner that was left out
};

}  // namespace perpend
