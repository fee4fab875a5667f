// Several sums over sixteen lanes at once.
#if defined(PERPEND_KERNELS_FOLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PERPEND_KERNELS_FOLD_INL_H_
#undef PERPEND_KERNELS_FOLD_INL_H_
#else
#define PERPEND_KERNELS_FOLD_INL_H_
#endif

#include <cstddef>

#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

constexpr std::size_t kSlots = kLanes == 16 ? 16 : 4;

// out[k] = fold16(x[k]).
#if HWY_TARGET <= HWY_AVX3

// Each step halves the lanes of two vectors and puts the halves side by side, so the sums are those of fold16 and
// sixteen of them cost little more than four. kOrder[i] must stand at place i.
constexpr std::size_t kOrder[kSlots] = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};
HWY_INLINE __m512 halve16(__m512 a, __m512 b) {
  return _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0x44), _mm512_shuffle_f32x4(a, b, 0xEE));
}
HWY_INLINE __m512 halve8(__m512 a, __m512 b) {
  return _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0x88), _mm512_shuffle_f32x4(a, b, 0xDD));
}
HWY_INLINE __m512 halve4(__m512 a, __m512 b) {
  return _mm512_add_ps(_mm512_shuffle_ps(a, b, 0x44), _mm512_shuffle_ps(a, b, 0xEE));
}
HWY_INLINE __m512 halve2(__m512 a, __m512 b) {
  return _mm512_add_ps(_mm512_shuffle_ps(a, b, 0x88), _mm512_shuffle_ps(a, b, 0xDD));
}
HWY_INLINE void fold_slots(const F16 (&x)[kSlots], float* out) {
  const auto four = [&](std::size_t place) HWY_ATTR {
    const auto raw = [&](std::size_t k) HWY_ATTR { return x[kOrder[place + k]].part[0].raw; };
    return halve8(halve16(raw(0), raw(1)), halve16(raw(2), raw(3)));
  };
  _mm512_storeu_ps(out, halve2(halve4(four(0), four(4)), halve4(four(8), four(12))));
}

#else

HWY_INLINE void fold_slots(const F16 (&x)[kSlots], float* out) {
  HWY_UNROLL(4)
  for (std::size_t k = 0; k < kSlots; ++k) out[k] = fold16(x[k]);
}

#endif

// The sum over sixteen lanes of use(i), an F16, at out[i] for i < n: kSlots of them at a time.
template <class Use>
HWY_INLINE void fold_each(std::size_t n, float* out, const Use& use) {
  F16 some[kSlots];
  std::size_t i = 0;
  for (; i + kSlots <= n; i += kSlots) {
    for (std::size_t k = 0; k < kSlots; ++k) some[k] = use(i + k);
    fold_slots(some, out + i);
  }
  for (; i < n; ++i) out[i] = fold16(use(i));
}

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
