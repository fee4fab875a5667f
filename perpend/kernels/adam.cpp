#include "perpend/kernels/adam.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "perpend/kernels/adam.cpp"
#include <hwy/foreach_target.h>

#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

HWY_INLINE Vector zero_below(float least, Vector x) {
  return hn::IfThenElseZero(hn::Gt(hn::Abs(x), broadcast(least)), x);
}

bool adam(const AdamStep& step, const AdamArrays& a) {
  const Tag d;
  const Vector beta1 = broadcast(step.beta1);
  const Vector beta2 = broadcast(step.beta2);
  const Vector new1 = broadcast(1.0F - step.beta1);
  const Vector new2 = broadcast(1.0F - step.beta2);
  const Vector step_size = broadcast(step.step_size);
  const Vector inverse_root = broadcast(step.inverse_root);
  const Vector epsilon = broadcast(step.epsilon);
  const Vector decay = broadcast(step.weight_decay);
  const std::size_t padded = (a.n + 15) / 16 * 16;
  Vector largest = hn::Zero(d);
  auto finite = hn::Eq(largest, largest);
  for (std::size_t i = 0; i < padded; i += kLanes) {
    const Vector w = hn::LoadU(d, a.weights + i);
    const Vector raw = fma(decay, w, hn::LoadU(d, a.gradient + i));
    finite = hn::And(finite, hn::Eq(raw, raw));
    const Vector g = zero_below(kLeastGradient, raw);
    const Vector mean = zero_below(kLeastMomentum, fma(beta1, hn::LoadU(d, a.m + i), hn::Mul(new1, g)));
    const Vector square = fma(beta2, hn::LoadU(d, a.v + i), hn::Mul(hn::Mul(new2, g), g));
    const Vector root = fma(hn::Sqrt(square), inverse_root, epsilon);
    const Vector next = hn::Sub(w, hn::Div(hn::Mul(step_size, mean), root));
    largest = hn::Max(largest, hn::Abs(next));
    finite = hn::And(finite, hn::Eq(next, next));
    hn::StoreU(mean, d, a.m + i);
    hn::StoreU(square, d, a.v + i);
    hn::StoreU(next, d, a.weights + i);
  }
  return hn::AllTrue(d, hn::And(finite, hn::Le(largest, broadcast(kLargestWeight))));
}

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perpend::kernels {

HWY_EXPORT(adam);

bool adam(const AdamStep& step, const AdamArrays& arrays) { return HWY_DYNAMIC_DISPATCH(adam)(step, arrays); }

}  // namespace perpend::kernels
#endif
