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
  const auto off = hn::Le(z, zero);  // NaN is on, and stays
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
HWY_INLINE void apply(Function function, std::size_t n, const float* z, const RowMask<float>& mask, float* value,
                      float* first, float* second) {
  const Tag d;
  for (std::size_t i = 0; i < (n + 15) / 16 * 16; i += kLanes) {
    const Activated out = function(hn::LoadU(d, z + i));
    const Vector factor = factors(mask, i);
    hn::StoreU(hn::Mul(out.value, factor), d, value + i);
    if (first != nullptr) hn::StoreU(hn::Mul(out.first, factor), d, first + i);
    if (second != nullptr) hn::StoreU(hn::Mul(out.second, factor), d, second + i);
  }
}

void activate_all(Activation activation, std::size_t n, const float* z, const RowMask<float>& mask, float* value,
                  float* first, float* second) {
  switch (activation) {
    case Activation::relu:
      return apply([](Vector x) HWY_ATTR { return relu(x); }, n, z, mask, value, first, second);
    case Activation::softplus:
      return apply([](Vector x) HWY_ATTR { return softplus(x); }, n, z, mask, value, first, second);
    case Activation::tanh:
      return apply([](Vector x) HWY_ATTR { return tanh(x); }, n, z, mask, value, first, second);
    case Activation::sigmoid:
      return apply([](Vector x) HWY_ATTR { return logistic(x); }, n, z, mask, value, first, second);
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

void multiply_add_all(std::size_t n, const float* a, const float* b, const float* c, const float* e, float* out) {
  const Tag d;
  for (std::size_t i = 0; i < (n + 15) / 16 * 16; i += kLanes) {
    const Vector product = hn::Mul(hn::LoadU(d, a + i), hn::LoadU(d, b + i));
    hn::StoreU(fma(hn::LoadU(d, c + i), hn::LoadU(d, e + i), product), d, out + i);
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

void cross_entropy_all(std::size_t n, const float* s, const std::int32_t* y, const float* weight, float* loss,
                       float* derivative) {
  const Tag d;
  for (std::size_t i = 0; i < (n + 15) / 16 * 16; i += kLanes) {
    const Vector label = hn::ConvertTo(d, hn::LoadU(IntTag(), y + i));
    const Vector w = hn::LoadU(d, weight + i);
    const Vector against = hn::Sub(broadcast(1.0F), hn::Add(label, label));
    const Vector t = hn::Mul(against, hn::LoadU(d, s + i));
    const Vector e = exponential(hn::Neg(hn::Abs(t)));
    hn::StoreU(hn::Mul(w, softplus_from(t, e)), d, loss + i);
    hn::StoreU(hn::Mul(hn::Mul(against, w), sigmoid_from(t, e)), d, derivative + i);
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
void activate<float>(Activation activation, std::size_t n, const float* z, const RowMask<float>& mask, float* value,
                     float* first, float* second) {
  HWY_DYNAMIC_DISPATCH(activate_all)(activation, n, z, mask, value, first, second);
}
template <>
void multiply<float>(std::size_t n, const float* a, const float* b, float* out) {
  HWY_DYNAMIC_DISPATCH(multiply_all)(n, a, b, out);
}
template <>
void multiply_add<float>(std::size_t n, const float* a, const float* b, const float* c, const float* d, float* out) {
  HWY_DYNAMIC_DISPATCH(multiply_add_all)(n, a, b, c, d, out);
}
template <>
void sigmoid<float>(std::size_t n, const float* s, float* p) {
  HWY_DYNAMIC_DISPATCH(sigmoid_all)(n, s, p);
}
template <>
void cross_entropy<float>(std::size_t n, const float* s, const std::int32_t* y, const float* weight, float* loss,
                          float* derivative) {
  HWY_DYNAMIC_DISPATCH(cross_entropy_all)(n, s, y, weight, loss, derivative);
}
template <>
float softmax<float>(std::size_t classes, const float* z, float* p) {
  return HWY_DYNAMIC_DISPATCH(softmax_row)(classes, z, p);
}

}  // namespace perpend::kernels
#endif
