#include "perpend/train/adam.h"

#include <cmath>

namespace perpend {

kernels::AdamStep AdamSchedule::next() {
  power1_ *= options_.beta1;
  power2_ *= options_.beta2;
  return {.step_size = static_cast<float>(options_.learning_rate / (1 - power1_)),
          .inverse_root = static_cast<float>(1 / std::sqrt(1 - power2_)),
          .epsilon = static_cast<float>(options_.epsilon),
          .beta1 = static_cast<float>(options_.beta1),
          .beta2 = static_cast<float>(options_.beta2),
          .weight_decay = static_cast<float>(options_.weight_decay)};
}

}  // namespace perpend
