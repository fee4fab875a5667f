#include "perpend/train/adam.h"

#include <cmath>
#include <numbers>

namespace perpend {

// Computes 1 - sin^2(pi x / 2), with the sine's series.
double half_cosine(double x) {
  const double a = std::numbers::pi / 2 * x;
  double term = a;
  double sine = a;
  for (int k = 2; k < 24; k += 2) {
    term *= -a * a / (k * (k + 1));
    sine += term;
  }
  return 1 - sine * sine;
}

kernels::AdamStep AdamSchedule::next(double rate_share) {
  power1_ *= options_.beta1;
  power2_ *= options_.beta2;
  return {.step_size = static_cast<float>(rate_share * options_.learning_rate / (1 - power1_)),
          .inverse_root = static_cast<float>(1 / std::sqrt(1 - power2_)),
          .epsilon = static_cast<float>(options_.epsilon),
          .beta1 = static_cast<float>(options_.beta1),
          .beta2 = static_cast<float>(options_.beta2),
          .weight_decay = static_cast<float>(options_.weight_decay)};
}

}  // namespace perpend
