// What happened during a training, as plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace perpend {

// Terms of L = sum_m fit_m + lambda penalty + weight_decay, averaged over the steps of an epoch (fit, penalty) or taken
// at its end (weight_decay, validation).
struct EpochRecord {
  int epoch = 0;           // from 1
  std::int64_t steps = 0;  // since the start
  std::vector<double> fit;
  double penalty = 0;
  double weight_decay = 0;
  std::optional<double> validation_log_loss;  // of the ensemble
};

// Training that left the numbers: at which step (from 0) and in which term (fit, penalty or weights).
struct Divergence {
  std::int64_t step = 0;
  std::string term;
};

struct TrainLog {
  std::vector<EpochRecord> epochs;
};

}  // namespace perpend
