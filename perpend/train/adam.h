// Adam's schedule: the constants of each step. The arithmetic on weights is kernels/adam.h.
#pragma once

#include "perpend/kernels/adam.h"

namespace perpend {

struct AdamOptions {
  double learning_rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 1e-4;
};

class AdamSchedule {
 public:
  explicit AdamSchedule(const AdamOptions& options) : options_(options) {}
  // The constants of the next step. Powers of beta are kept by multiplication, not by a library's pow.
  kernels::AdamStep next();

 private:
  AdamOptions options_;
  double power1_ = 1;
  double power2_ = 1;
};

}  // namespace perpend
