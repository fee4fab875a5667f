#include "perpend/kernels/adam.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "perpend/kernels/adam.cpp"
#include <hwy/foreach_target.h>

#include "perpend/kernels/adam-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

bool adam(const AdamStep& step, const AdamArrays& a) {
  const Tag d;
  AdamVector vector(step);
  const std::size_t padded = (a.n + 15) / 16 * 16;
  for (std::size_t i = 0; i < padded; i += kLanes) {
    vector.step(hn::LoadU(d, a.gradient + i), hn::LoadU(d, a.weights + i), a.weights + i, a.m + i, a.v + i);
  }
  return vector.is_finite();
}

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perpend::kernels {

HWY_EXPORT(adam);

bool adam(const AdamStep& step, const AdamArrays& arrays) { return HWY_DYNAMIC_DISPATCH(adam)(step, arrays); }

}  // namespace perpend::kernels
#endif
