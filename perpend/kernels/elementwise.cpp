#include "perpend/kernels/elementwise.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "perpend/kernels/elementwise.cpp"
#include <hwy/foreach_target.h>

#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

struct Activated {
  Vector value, first, second;
};

HWY_INLINE Activated relu(Vector z) {
  const Vector zero = hn::Zero(Tag());
  const auto off = hn::Le(z, zero);  // NaN counts as on, and stays NaN
  return {hn::IfThenZeroElse(off, z), hn::IfThenZeroElse(off, broadcast(1.0F)), zero};
}
HWY_INLINE Activated softplus(Vector z) {
  const Vector e = exponential(hn::Neg(hn::Abs(z)));
  const Vector s = sigmoid_from(z, e);
  return {softplus_from(z, e), s, hn::Mul(s, hn::Sub(broadcast(1.0F), s))};
}
HWY_INLINE Activated tanh(Vector z) {
  const Vector a = hyperbolic_tangent(z);
  const Vector first = fma(hn::Neg(a), a, broadcast(1.0F));
  return {a, first, hn::Mul(hn::Mul(broadcast(-2.0F), a), first)};
}
HWY_INLINE Activated logistic(Vector z) {
  const Vector a = sigmoid(z);
  const Vector first = hn::Mul(a, hn::Sub(broadcast(1.0F), a));
  return {a, first, hn::Mul(first, hn::Sub(broadcast(1.0F), hn::Add(a, a)))};
}

HWY_INLINE Vector factors(const RowMask<float>& mask, std::size_t i) {
  if (mask.words == nullptr) return broadcast(1.0F);
  const hn::RebindToUnsigned<Tag> words;
  const auto kept = hn::TestBit(hn::LoadU(words, mask.words + i), hn::Set(words, mask.bit));
  return hn::IfThenElseZero(hn::RebindMask(Tag(), kept), broadcast(mask.kept));
}

template <class Function>
HWY_INLINE void apply(Function function, const Activate<float>& a) {
  const Tag d;
  for (std::size_t i = 0; i < (a.n + 15) / 16 * 16; i += kLanes) {
    const Activated out = function(hn::LoadU(d, a.z + i));
    const Vector factor = factors(a.mask, i);
    hn::StoreU(hn::Mul(out.value, factor), d, a.value + i);
    if (a.first != nullptr) hn::StoreU(hn::Mul(out.first, factor), d, a.first + i);
    if (a.second != nullptr) hn::StoreU(hn::Mul(out.second, factor), d, a.second + i);
  }
}

void activate_all(Activation activation, const Activate<float>& args) {
  switch (activation) {
    case Activation::relu:
      return apply([](Vector x) HWY_ATTR { return relu(x); }, args);
    case Activation::softplus:
      return apply([](Vector x) HWY_ATTR { return softplus(x); }, args);
    case Activation::tanh:
      return apply([](Vector x) HWY_ATTR { return tanh(x); }, args);
    case Activation::sigmoid:
      return apply([](Vector x) HWY_ATTR { return logistic(x); }, args);
  }
}

void sigmoid_all(std::size_t n, const float* s, float* p) {
  for (std::size_t i = 0; i < (n + 15) / 16 * 16; i += kLanes) {
    hn::StoreU(sigmoid(hn::LoadU(Tag(), s + i)), Tag(), p + i);
  }
}

void multiply_all(std::size_t n, const float* a, const float* b, float* out) {
  const Tag d;
  for (std::size_t i = 0; i < (n + 15) / 16 * 16; i += kLanes) {
    hn::StoreU(hn::Mul(hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, out + i);
  }
}

void multiply_add_all(const MultiplyAdd<float>& x) {
  const Tag d;
  for (std::size_t i = 0; i < (x.n + 15) / 16 * 16; i += kLanes) {
    const Vector product = hn::Mul(hn::LoadU(d, x.a + i), hn::LoadU(d, x.b + i));
    hn::StoreU(fma(hn::LoadU(d, x.c + i), hn::LoadU(d, x.d + i), product), d, x.out + i);
  }
}

float softmax_row(std::size_t classes, const float* z, float* p) {
  const float largest = *std::max_element(z, z + classes);
  const std::size_t padded = (classes + 15) / 16 * 16;
  for (std::size_t k = 0; k < padded; k += kLanes) {
    hn::StoreU(exponential(hn::Sub(hn::LoadU(Tag(), z + k), broadcast(largest))), Tag(), p + k);
  }
  float sum = 0;
  for (std::size_t k = 0; k < classes; ++k) sum += z[k] == z[k] ? p[k] : z[k];  // the exponential's clamp loses NaN
  for (std::size_t k = 0; k < classes; ++k) p[k] /= sum;
  return sum == sum ? largest + hn::GetLane(logarithm(broadcast(sum))) : sum;
}

void cross_entropy_all(const CrossEntropy<float>& a) {
  const Tag d;
  for (std::size_t i = 0; i < (a.n + 15) / 16 * 16; i += kLanes) {
    const Vector label = hn::ConvertTo(d, hn::LoadU(IntTag(), a.labels + i));
    const Vector w = hn::LoadU(d, a.weights + i);
    const Vector against = hn::Sub(broadcast(1.0F), hn::Add(label, label));
    const Vector t = hn::Mul(against, hn::LoadU(d, a.scores + i));
    const Vector e = exponential(hn::Neg(hn::Abs(t)));
    hn::StoreU(hn::Mul(w, softplus_from(t, e)), d, a.loss + i);
    hn::StoreU(hn::Mul(hn::Mul(against, w), sigmoid_from(t, e)), d, a.derivative + i);
  }
}

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perpend::kernels {

HWY_EXPORT(activate_all);
HWY_EXPORT(multiply_all);
HWY_EXPORT(multiply_add_all);
HWY_EXPORT(sigmoid_all);
HWY_EXPORT(cross_entropy_all);
HWY_EXPORT(softmax_row);

template <>
void activate<float>(Activation activation, const Activate<float>& args) {
  HWY_DYNAMIC_DISPATCH(activate_all)(activation, args);
}
template <>
void multiply<float>(std::size_t n, const float* a, const float* b, float* out) {
  HWY_DYNAMIC_DISPATCH(multiply_all)(n, a, b, out);
}
template <>
void multiply_add<float>(const MultiplyAdd<float>& args) {
  HWY_DYNAMIC_DISPATCH(multiply_add_all)(args);
}
template <>
void sigmoid<float>(std::size_t n, const float* s, float* p) {
  HWY_DYNAMIC_DISPATCH(sigmoid_all)(n, s, p);
}
template <>
void cross_entropy<float>(const CrossEntropy<float>& args) {
  HWY_DYNAMIC_DISPATCH(cross_entropy_all)(args);
}
template <>
float softmax<float>(std::size_t classes, const float* z, float* p) {
  return HWY_DYNAMIC_DISPATCH(softmax_row)(classes, z, p);
}

}  // namespace perpend::kernels
#endif
