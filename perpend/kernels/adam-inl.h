// A step of Adam (adam.h) for one vector of weights.
#if defined(PERPEND_KERNELS_ADAM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PERPEND_KERNELS_ADAM_INL_H_
#undef PERPEND_KERNELS_ADAM_INL_H_
#else
#define PERPEND_KERNELS_ADAM_INL_H_
#endif

#include "perpend/kernels/adam.h"
#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

class AdamVector {
 public:
  HWY_INLINE explicit AdamVector(const AdamStep& step)
      : beta1_(broadcast(step.beta1)),
        beta2_(broadcast(step.beta2)),
        new1_(broadcast(1.0F - step.beta1)),
        new2_(broadcast(1.0F - step.beta2)),
        step_size_(broadcast(step.step_size)),
        inverse_root_(broadcast(step.inverse_root)),
        epsilon_(broadcast(step.epsilon)),
        decay_(broadcast(step.weight_decay)),
        largest_(hn::Zero(Tag())),
        finite_(hn::Eq(largest_, largest_)) {}

  // The caller has already loaded w from `weights`.
  HWY_INLINE void step(Vector gradient, Vector w, float* weights, float* m, float* v) {
    const Tag d;
    const Vector raw = fma(decay_, w, gradient);
    finite_ = hn::And(finite_, hn::Eq(raw, raw));
    const Vector g = zero_below(kLeastGradient, raw);
    const Vector mean = zero_below(kLeastMomentum, fma(beta1_, hn::LoadU(d, m), hn::Mul(new1_, g)));
    const Vector square = fma(beta2_, hn::LoadU(d, v), hn::Mul(hn::Mul(new2_, g), g));
    const Vector root = fma(hn::Sqrt(square), inverse_root_, epsilon_);
    const Vector next = hn::Sub(w, hn::Div(hn::Mul(step_size_, mean), root));
    largest_ = hn::Max(largest_, hn::Abs(next));
    finite_ = hn::And(finite_, hn::Eq(next, next));
    hn::StoreU(mean, d, m);
    hn::StoreU(square, d, v);
    hn::StoreU(next, d, weights);
  }
  HWY_INLINE bool is_finite() const {
    return hn::AllTrue(Tag(), hn::And(finite_, hn::Le(largest_, broadcast(kLargestWeight))));
  }

 private:
  static HWY_INLINE Vector zero_below(float least, Vector x) {
    return hn::IfThenElseZero(hn::Gt(hn::Abs(x), broadcast(least)), x);
  }

  Vector beta1_, beta2_, new1_, new2_, step_size_, inverse_root_, epsilon_, decay_, largest_;
  Mask finite_;
};

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
