// What every vector kernel shares: sixteen floats as one value, and functions with the same bits on every target.
//
// Included once per target (Highway's foreach_target). F16 is sixteen lanes whatever the machine's vector is: one
// AVX-512 register, two of AVX2, four of NEON, sixteen plain floats. A sum "over sixteen lanes, folded in halves" is
// therefore the same sum everywhere.
#if defined(PERPEND_KERNELS_VECTOR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PERPEND_KERNELS_VECTOR_INL_H_
#undef PERPEND_KERNELS_VECTOR_INL_H_
#else
#define PERPEND_KERNELS_VECTOR_INL_H_
#endif

#include <hwy/highway.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Tag>;
using IntTag = hn::RebindToSigned<Tag>;
constexpr std::size_t kLanes = hn::MaxLanes(Tag());
constexpr std::size_t kParts = 16 / kLanes;

// a * b + c, rounded once. Highway's plain target rounds twice, so there it is the library's fma.
template <class V>
HWY_INLINE V fma(V a, V b, V c) {
#if HWY_TARGET == HWY_SCALAR
  return V(std::fma(a.raw, b.raw, c.raw));
#else
  return hn::MulAdd(a, b, c);
#endif
}

HWY_INLINE Vector broadcast(float x) { return hn::Set(Tag(), x); }

struct F16 {
  Vector part[kParts];
};

HWY_INLINE F16 zero16() {
  F16 out;
  for (auto& part : out.part) part = hn::Zero(Tag());
  return out;
}
HWY_INLINE F16 load16(const float* p) {
  F16 out;
  for (std::size_t i = 0; i < kParts; ++i) out.part[i] = hn::LoadU(Tag(), p + i * kLanes);
  return out;
}
// The first n of them, and zeros.
HWY_INLINE F16 load_first(const float* p, std::size_t n) {
  if (n >= 16) return load16(p);
  F16 out;
  for (std::size_t i = 0; i < kParts; ++i) {
    const std::size_t left = n > i * kLanes ? n - i * kLanes : 0;
    // What follows may belong to another thread, which is writing it, or to nobody.
    out.part[i] = left == 0 ? hn::Zero(Tag()) : hn::MaskedLoad(hn::FirstN(Tag(), left), Tag(), p + i * kLanes);
  }
  return out;
}
HWY_INLINE void store16(const F16& x, float* p) {
  for (std::size_t i = 0; i < kParts; ++i) hn::StoreU(x.part[i], Tag(), p + i * kLanes);
}
HWY_INLINE F16 fma16(const F16& a, const F16& b, const F16& c) {
  F16 out;
  for (std::size_t i = 0; i < kParts; ++i) out.part[i] = fma(a.part[i], b.part[i], c.part[i]);
  return out;
}

// Sum of sixteen lanes, folded in halves: lane i + lane i + 8, then + 4, + 2, + 1.
HWY_INLINE float fold16(const F16& x) {
#if HWY_TARGET <= HWY_AVX3
  const auto eight = hn::Add(hn::LowerHalf(x.part[0]), hn::UpperHalf(hn::Half<Tag>(), x.part[0]));
  const hn::Half<hn::Half<Tag>> d4;
  const auto four = hn::Add(hn::LowerHalf(eight), hn::UpperHalf(d4, eight));
#elif HWY_TARGET == HWY_AVX2
  const auto eight = hn::Add(x.part[0], x.part[1]);
  const hn::Half<Tag> d4;
  const auto four = hn::Add(hn::LowerHalf(eight), hn::UpperHalf(d4, eight));
#else
  HWY_ALIGN float lane[16];
  store16(x, lane);
  for (std::size_t width = 8; width > 0; width /= 2) {
    for (std::size_t i = 0; i < width; ++i) lane[i] += lane[i + width];
  }
  return lane[0];
#endif
#if HWY_TARGET <= HWY_AVX2
  const auto two = hn::Add(four, hn::Shuffle1032(four));
  return hn::GetLane(hn::Add(two, hn::Shuffle2301(two)));
#endif
}

// Four items of four rows, transposed: item j of row i becomes item i of row j. An item is four bytes: a float, or two
// 16-bit integers.
template <class T>
HWY_INLINE void transpose_tile(const T* const (&row)[4], T* out, std::size_t stride) {
  constexpr std::size_t kItem = 4 / sizeof(T);
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) std::memcpy(out + j * stride + kItem * i, row[i] + kItem * j, 4);
  }
#else
  const hn::FixedTag<T, 4 * kItem> d;
  const hn::FixedTag<std::uint32_t, 4> items;
  const hn::FixedTag<std::uint64_t, 2> pairs;
  const auto row0 = hn::BitCast(items, hn::LoadU(d, row[0]));
  const auto row1 = hn::BitCast(items, hn::LoadU(d, row[1]));
  const auto row2 = hn::BitCast(items, hn::LoadU(d, row[2]));
  const auto row3 = hn::BitCast(items, hn::LoadU(d, row[3]));
  const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(items, row0, row1));
  const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(items, row2, row3));
  const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(items, row0, row1));
  const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(items, row2, row3));
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, low01, low23)), d, out);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, low01, low23)), d, out + stride);
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, high01, high23)), d, out + 2 * stride);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, high01, high23)), d, out + 3 * stride);
#endif
}

// Round to the nearest integer, ties to even, |x| < 2^22.
HWY_INLINE Vector nearest(Vector x) {
  const Vector magic = broadcast(12582912.0F);
  return hn::Sub(hn::Add(x, magic), magic);
}

// 2^n for integer-valued n in [-126, 127].
HWY_INLINE Vector power_of_two(Vector n) {
  const IntTag di;
  return hn::BitCast(Tag(), hn::ShiftLeft<23>(hn::Add(hn::ConvertTo(di, n), hn::Set(di, 127))));
}

// x = n ln 2 + r with |r| <= ln 2 / 2; returns e^r - 1 (relative error below 1 ulp or so) and n.
HWY_INLINE Vector reduced_expm1(Vector x, Vector& n) {
  n = nearest(hn::Mul(x, broadcast(1.44269504F)));
  const Vector minus_n = hn::Neg(n);
  Vector r = fma(minus_n, broadcast(0.693359375F), x);
  r = fma(minus_n, broadcast(-2.12194440e-4F), r);
  Vector p = broadcast(1.98412698e-4F);
  p = fma(p, r, broadcast(1.38888889e-3F));
  p = fma(p, r, broadcast(8.33333333e-3F));
  p = fma(p, r, broadcast(4.16666667e-2F));
  p = fma(p, r, broadcast(1.66666667e-1F));
  p = fma(p, r, broadcast(0.5F));
  return fma(p, hn::Mul(r, r), r);
}

// e^x, x clamped to [-87, 88].
HWY_INLINE Vector exponential(Vector x) {
  x = hn::Min(hn::Max(x, broadcast(-87.0F)), broadcast(88.0F));
  Vector n;
  const Vector p = reduced_expm1(x, n);
  const Vector scale = power_of_two(n);
  return fma(scale, p, scale);
}

// log(1 + u) for u in [0, 1]: 2 atanh(u / (2 + u)) by its odd series.
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

// log x for positive, normal x: x = m 2^e with m in [1/sqrt 2, sqrt 2), log m = 2 atanh((m - 1) / (m + 1)).
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
  const Vector low = fma(exponent, broadcast(-2.12194440e-4F), hn::Mul(hn::Mul(twice, t2), series));
  return fma(exponent, broadcast(0.693359375F), hn::Add(twice, low));
}

// 1 / (1 + e^-x), given e = e^-|x|.
HWY_INLINE Vector sigmoid_from(Vector x, Vector e) {
  const Vector one = broadcast(1.0F);
  const Vector numerator = hn::IfThenElse(hn::Ge(x, hn::Zero(Tag())), one, e);
  return hn::Div(numerator, hn::Add(one, e));
}
HWY_INLINE Vector sigmoid(Vector x) { return sigmoid_from(x, exponential(hn::Neg(hn::Abs(x)))); }

// log(1 + e^x), given e = e^-|x|. NaN stays NaN, so that a loss shows it; a machine's max would lose it.
HWY_INLINE Vector softplus_from(Vector x, Vector e) {
  return hn::Add(hn::IfThenZeroElse(hn::Lt(x, hn::Zero(Tag())), x), log1p_unit(e));
}

// tanh x = t / (t + 2) with t = e^(2|x|) - 1, which keeps small x exact.
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
