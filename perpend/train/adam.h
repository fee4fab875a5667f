// Adam's schedule: the constants of each step. The arithmetic on weights is kernels/adam.h.
#pragma once

#include "perpend/kernels/adam.h"

namespace perpend {

// (1 + cos(pi x)) / 2, which falls from 1 to 0 for x from 0 to 1. It has the same bits on every machine.
double half_cosine(double x);

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
  // The constants of the next step, at this share of the learning rate. Powers of beta are computed by multiplication,
  // not by a library's pow.
  kernels::AdamStep next(double rate_share = 1);

 private:
  AdamOptions options_;
  double power1_ = 1;
  double power2_ = 1;
};

}  // namespace perpend
