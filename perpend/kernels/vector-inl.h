// Sixteen floats as one value, and elementary functions with the same bits on every target.
//
// Every kernel includes this file, once per target (Highway's foreach_target). What depends on the instruction set is
// in instructions-inl.h.
#if defined(PERPEND_KERNELS_VECTOR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PERPEND_KERNELS_VECTOR_INL_H_
#undef PERPEND_KERNELS_VECTOR_INL_H_
#else
#define PERPEND_KERNELS_VECTOR_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "perpend/kernels/instructions-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

HWY_INLINE Vector broadcast(float x) { return hn::Set(Tag(), x); }

HWY_INLINE F16 zero16() {
  F16 out;
  for (auto& vector : out.v) vector = hn::Zero(Tag());
  return out;
}
HWY_INLINE F16 load16(const float* p) {
  F16 out;
  for (std::size_t i = 0; i < kF16Vectors; ++i) out.v[i] = hn::LoadU(Tag(), p + i * kLanes);
  return out;
}
// Loads the first n floats; the other lanes are zero. It must not read the memory behind them: another thread may be
// writing it, or it may not exist.
HWY_INLINE F16 load_first(const float* p, std::size_t n) {
  if (n >= 16) return load16(p);
  F16 out;
  for (std::size_t i = 0; i < kF16Vectors; ++i) {
    const std::size_t left = n > i * kLanes ? n - i * kLanes : 0;
    out.v[i] = left == 0 ? hn::Zero(Tag()) : hn::MaskedLoad(hn::FirstN(Tag(), left), Tag(), p + i * kLanes);
  }
  return out;
}
HWY_INLINE void store16(const F16& x, float* p) {
  for (std::size_t i = 0; i < kF16Vectors; ++i) hn::StoreU(x.v[i], Tag(), p + i * kLanes);
}
HWY_INLINE F16 fma16(const F16& a, const F16& b, const F16& c) {
  F16 out;
  for (std::size_t i = 0; i < kF16Vectors; ++i) out.v[i] = fma(a.v[i], b.v[i], c.v[i]);
  return out;
}

// out[i] = fold16(use(i)) for i < n, kFolds at a time.
template <class Use>
HWY_INLINE void fold_each(std::size_t n, float* out, const Use& use) {
  F16 some[kFolds];
  std::size_t i = 0;
  for (; i + kFolds <= n; i += kFolds) {
    for (std::size_t k = 0; k < kFolds; ++k) some[k] = use(i + k);
    fold_all(some, out + i);
  }
  for (; i < n; ++i) out[i] = fold16(use(i));
}

// Rounds to the nearest integer, ties to even, for |x| < 2^22: floats between 2^23 and 2^24 are the integers, and
// adding 1.5 * 2^23 brings x there from either side of zero.
HWY_INLINE Vector nearest(Vector x) {
  const Vector magic = broadcast(0x1.8p23F);
  return hn::Sub(hn::Add(x, magic), magic);
}

// 2^n for integer-valued n in [-126, 127]: a float's exponent field is n + 127, behind 23 bits of mantissa.
HWY_INLINE Vector power_of_two(Vector n) {
  const IntTag di;
  return hn::BitCast(Tag(), hn::ShiftLeft<23>(hn::Add(hn::ConvertTo(di, n), hn::Set(di, 127))));
}

// ln 2 in two parts (Cody and Waite): the first has 9 significant bits, so n times it is exact for |n| < 2^15, and the
// second is the rest.
constexpr float kLn2High = 0.693359375F;
constexpr float kLn2Low = -2.12194440e-4F;

// x = n ln 2 + r with |r| <= ln 2 / 2. Returns e^r - 1 and n. The polynomial is Taylor's, r + r^2 (1/2! + r/3! + ... +
// r^5/7!). The first term left out, r^8/8!, is below 1.5e-8 of r, a quarter of a float's rounding (2^-24 = 6e-8).
HWY_INLINE Vector reduced_expm1(Vector x, Vector& n) {
  n = nearest(hn::Mul(x, broadcast(1.44269504F)));  // 1 / ln 2
  const Vector minus_n = hn::Neg(n);
  Vector r = fma(minus_n, broadcast(kLn2High), x);
  r = fma(minus_n, broadcast(kLn2Low), r);
  Vector p = broadcast(1.98412698e-4F);
  p = fma(p, r, broadcast(1.38888889e-3F));
  p = fma(p, r, broadcast(8.33333333e-3F));
  p = fma(p, r, broadcast(4.16666667e-2F));
  p = fma(p, r, broadcast(1.66666667e-1F));
  p = fma(p, r, broadcast(0.5F));
  return fma(p, hn::Mul(r, r), r);
}

// e^x, with x clamped to [-87, 88], where the result is a normal number (e^-87 > 2^-126, e^88 < 2^127).
HWY_INLINE Vector exponential(Vector x) {
  x = hn::Min(hn::Max(x, broadcast(-87.0F)), broadcast(88.0F));
  Vector n;
  const Vector p = reduced_expm1(x, n);
  const Vector scale = power_of_two(n);
  return fma(scale, p, scale);
}

// log(1 + u) for u in [0, 1]: 2 atanh(t) with t = u / (2 + u) <= 1/3, by its odd series up to t^15/15. The first term
// left out, t^17/17, is below 1.4e-9 of t.
HWY_INLINE Vector log1p_unit(Vector u) {
  const Vector t = hn::Div(u, hn::Add(u, broadcast(2.0F)));
  const Vector t2 = hn::Mul(t, t);
  Vector series = broadcast(1.0F / 15);
  series = fma(series, t2, broadcast(1.0F / 13));
  series = fma(series, t2, broadcast(1.0F / 11));
  series = fma(series, t2, broadcast(1.0F / 9));
  series = fma(series, t2, broadcast(1.0F / 7));
  series = fma(series, t2, broadcast(1.0F / 5));
  series = fma(series, t2, broadcast(1.0F / 3));
  const Vector twice = hn::Add(t, t);
  return fma(hn::Mul(twice, t2), series, twice);
}

// log x for positive, normal x: x = m 2^e with m in [1/sqrt 2, sqrt 2), log m = 2 atanh(t), t = (m - 1) / (m + 1). As
// |t| < 0.172, the first term that the series up to t^9/9 leaves out, t^11/11, is below 2.1e-9 of t. 0x3F3504F3 are the
// bits of 1/sqrt 2.
HWY_INLINE Vector logarithm(Vector x) {
  const IntTag di;
  const auto shifted = hn::Sub(hn::BitCast(di, x), hn::Set(di, 0x3F3504F3));
  const Vector exponent = hn::ConvertTo(Tag(), hn::ShiftRight<23>(shifted));
  const auto mantissa = hn::Add(hn::And(shifted, hn::Set(di, 0x007FFFFF)), hn::Set(di, 0x3F3504F3));
  const Vector m = hn::BitCast(Tag(), mantissa);
  const Vector t = hn::Div(hn::Sub(m, broadcast(1.0F)), hn::Add(m, broadcast(1.0F)));
  const Vector t2 = hn::Mul(t, t);
  Vector series = broadcast(1.0F / 9);
  series = fma(series, t2, broadcast(1.0F / 7));
  series = fma(series, t2, broadcast(1.0F / 5));
  series = fma(series, t2, broadcast(1.0F / 3));
  const Vector twice = hn::Add(t, t);
  const Vector low = fma(exponent, broadcast(kLn2Low), hn::Mul(hn::Mul(twice, t2), series));
  return fma(exponent, broadcast(kLn2High), hn::Add(twice, low));
}

// 1 / (1 + e^-x), given e = e^-|x|.
HWY_INLINE Vector sigmoid_from(Vector x, Vector e) {
  const Vector one = broadcast(1.0F);
  const Vector numerator = hn::IfThenElse(hn::Ge(x, hn::Zero(Tag())), one, e);
  return hn::Div(numerator, hn::Add(one, e));
}
HWY_INLINE Vector sigmoid(Vector x) { return sigmoid_from(x, exponential(hn::Neg(hn::Abs(x)))); }

// log(1 + e^x), given e = e^-|x|. NaN stays NaN, so that a loss shows it; a maximum instruction would lose it.
HWY_INLINE Vector softplus_from(Vector x, Vector e) {
  return hn::Add(hn::IfThenZeroElse(hn::Lt(x, hn::Zero(Tag())), x), log1p_unit(e));
}

// tanh x = t / (t + 2) with t = e^(2|x|) - 1, which is precise for small x. 2|x| is clamped to 40, where tanh rounds to
// 1.
HWY_INLINE Vector hyperbolic_tangent(Vector x) {
  const Vector twice = hn::Min(hn::Add(hn::Abs(x), hn::Abs(x)), broadcast(40.0F));
  Vector n;
  const Vector p = reduced_expm1(twice, n);
  const Vector scale = power_of_two(n);
  const Vector t = fma(scale, p, hn::Sub(scale, broadcast(1.0F)));
  return hn::CopySign(hn::Div(t, hn::Add(t, broadcast(2.0F))), x);
}

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
