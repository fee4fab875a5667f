// This file holds everything that knows an instruction set: all raw intrinsics, inline assembly and HWY_TARGET
// conditions of the kernels. The other kernels are written once, with Highway's operations and those below.
//
// The file is included once per target (Highway's foreach_target). Each function is the plainest code for the target:
//   AVX-512 (HWY_AVX3 and HWY_AVX3_DL, whose names compare as <=) has masked instructions and mask registers; g++ does
//     not find all of them by itself.
//   HWY_SCALAR is the fallback wherever there is no fused multiply-add. Highway's scalar "vector" is one number, so
//     functions that mix widths (bits, pairs of integers) have a loop for it.
//   The rest (AVX2, NEON) takes Highway's portable operations.
#if defined(PERPEND_KERNELS_INSTRUCTIONS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PERPEND_KERNELS_INSTRUCTIONS_INL_H_
#undef PERPEND_KERNELS_INSTRUCTIONS_INL_H_
#else
#define PERPEND_KERNELS_INSTRUCTIONS_INL_H_
#endif

#include <hwy/highway.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "perpend/base/random.h"

#ifndef PERPEND_KERNELS_INDICES_OF_BYTE_
#define PERPEND_KERNELS_INDICES_OF_BYTE_
namespace perpend::kernels {

// The indices of the set bits of each possible byte, for targets that cannot compress bytes.
struct IndicesOfByte {
  constexpr IndicesOfByte() {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      std::size_t n = 0;
      for (std::size_t bit = 0; bit < 8; ++bit) {
        if ((byte >> bit & 1U) != 0) indices[byte][n++] = static_cast<std::uint16_t>(bit);
      }
    }
  }
  alignas(64) std::uint16_t indices[256][8] = {};
};
inline constexpr IndicesOfByte kIndicesOfByte;

}  // namespace perpend::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Tag>;
using Mask = hn::Mask<Tag>;
using IntTag = hn::RebindToSigned<Tag>;
using Ints = hn::Vec<IntTag>;
using UnsignedTag = hn::RebindToUnsigned<Tag>;
using Unsigned = hn::Vec<UnsignedTag>;
constexpr std::size_t kLanes = hn::MaxLanes(Tag());  // 16 with AVX-512, 8 with AVX2, 4 with NEON, 1 in plain C++

// Vector registers: register tiles are cut to fit into them. AVX2 has 16, AVX-512 and NEON have 32.
constexpr std::size_t kRegisters = kLanes == 8 ? 16 : 32;

// Sixteen floats as one value, in as many registers as the target needs. A sum "over sixteen lanes, folded in halves"
// is therefore the same sum on every target.
constexpr std::size_t kF16Vectors = 16 / kLanes;
struct F16 {
  Vector v[kF16Vectors];
};

// ---- floats

#if HWY_TARGET == HWY_WASM

// Adds product + c as doubles and rounds to odd: if the sum is not a double, the result is the neighbour whose last bit
// is 1. Rounding that result to float gives what a single rounding gives (Boldo and Melquiond 2008), because a double
// has more than two bits more than a float. Knuth's two-sum finds the error. Infinities and NaN have an error of NaN,
// which compares false, so they stay.
HWY_INLINE v128_t sum_to_odd(v128_t product, v128_t c) {
  const v128_t sum = wasm_f64x2_add(product, c);
  const v128_t back = wasm_f64x2_sub(sum, product);
  const v128_t error = wasm_f64x2_add(wasm_f64x2_sub(product, wasm_f64x2_sub(sum, back)), wasm_f64x2_sub(c, back));
  const v128_t zero = wasm_f64x2_const_splat(0);
  const v128_t inexact = wasm_v128_or(wasm_f64x2_lt(error, zero), wasm_f64x2_gt(error, zero));
  const v128_t one = wasm_i64x2_const_splat(1);
  const v128_t is_even = wasm_i64x2_eq(wasm_v128_and(sum, one), wasm_i64x2_const_splat(0));
  // Go to the neighbouring double: up if the error has the sum's sign, else down.
  const v128_t step = wasm_v128_or(wasm_i64x2_shr(wasm_v128_xor(error, sum), 63), one);
  return wasm_i64x2_add(sum, wasm_v128_and(step, wasm_v128_and(inexact, is_even)));
}

// True where rounding a sum to double and then to float may differ from rounding it once. That is half way between two
// normal floats, and below the normal floats, which have fewer bits.
HWY_INLINE v128_t may_round_twice(v128_t sum) {
  const v128_t half_way =
      wasm_i64x2_eq(wasm_v128_and(sum, wasm_i64x2_const_splat(0x1FFFFFFF)), wasm_i64x2_const_splat(0x10000000));
  const v128_t small = wasm_f64x2_lt(wasm_f64x2_abs(sum), wasm_f64x2_const_splat(0x1p-126));
  return wasm_v128_or(half_way, wasm_v128_and(small, wasm_f64x2_ne(sum, wasm_f64x2_const_splat(0))));
}

// a b + c. The product of two floats is exact as a double.
HWY_INLINE v128_t fma_by_doubles(v128_t a, v128_t b, v128_t c) {
  const auto low = [](v128_t v) { return wasm_f64x2_promote_low_f32x4(v); };
  const auto high = [](v128_t v) { return wasm_f64x2_promote_low_f32x4(wasm_i64x2_shuffle(v, v, 1, 1)); };
  const v128_t product[2] = {wasm_f64x2_mul(low(a), low(b)), wasm_f64x2_mul(high(a), high(b))};
  const v128_t added[2] = {low(c), high(c)};
  v128_t sum[2] = {wasm_f64x2_add(product[0], added[0]), wasm_f64x2_add(product[1], added[1])};
  if (HWY_UNLIKELY(wasm_v128_any_true(wasm_v128_or(may_round_twice(sum[0]), may_round_twice(sum[1]))))) {
    for (int half = 0; half < 2; ++half) sum[half] = sum_to_odd(product[half], added[half]);
  }
  return wasm_i64x2_shuffle(wasm_f32x4_demote_f64x2_zero(sum[0]), wasm_f32x4_demote_f64x2_zero(sum[1]), 0, 2);
}

#endif

// a * b + c, rounded once. Highway rounds twice on its scalar and WebAssembly targets. So the first uses the library's
// fma, and the second computes in doubles.
template <class V>
HWY_INLINE V fma(V a, V b, V c) {
#if HWY_TARGET == HWY_SCALAR
  return V(std::fma(a.raw, b.raw, c.raw));
#elif HWY_TARGET == HWY_WASM
  return V{fma_by_doubles(a.raw, b.raw, c.raw)};
#else
  return hn::MulAdd(a, b, c);
#endif
}

// The sum of sixteen lanes, folded in halves: lane i + lane i + 8, then + 4, + 2, + 1.
HWY_INLINE float fold16(const F16& x) {
#if HWY_TARGET <= HWY_AVX3
  const auto eight = hn::Add(hn::LowerHalf(x.v[0]), hn::UpperHalf(hn::Half<Tag>(), x.v[0]));
  const hn::Half<hn::Half<Tag>> d4;
  const auto four = hn::Add(hn::LowerHalf(eight), hn::UpperHalf(d4, eight));
#elif HWY_TARGET == HWY_AVX2
  const auto eight = hn::Add(x.v[0], x.v[1]);
  const hn::Half<Tag> d4;
  const auto four = hn::Add(hn::LowerHalf(eight), hn::UpperHalf(d4, eight));
#else
  HWY_ALIGN float lane[16];
  for (std::size_t i = 0; i < kF16Vectors; ++i) hn::Store(x.v[i], Tag(), lane + i * kLanes);
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

// out[k] = fold16(x[k]) for kFolds values at once.
#if HWY_TARGET <= HWY_AVX3

// Each step adds the halves of the lanes of two vectors and puts both results into one vector. The sums are those of
// fold16, and sixteen of them cost little more than four. Shuffles of pairs leave value kFoldOrder[i] in lane i.
constexpr std::size_t kFolds = 16;
constexpr std::size_t kFoldOrder[kFolds] = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};
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
HWY_INLINE void fold_all(const F16 (&x)[kFolds], float* out) {
  const auto four = [&](std::size_t place) HWY_ATTR {
    const auto raw = [&](std::size_t k) HWY_ATTR { return x[kFoldOrder[place + k]].v[0].raw; };
    return halve8(halve16(raw(0), raw(1)), halve16(raw(2), raw(3)));
  };
  _mm512_storeu_ps(out, halve2(halve4(four(0), four(4)), halve4(four(8), four(12))));
}

#else

constexpr std::size_t kFolds = 4;
HWY_INLINE void fold_all(const F16 (&x)[kFolds], float* out) {
  HWY_UNROLL(4)
  for (std::size_t k = 0; k < kFolds; ++k) out[k] = fold16(x[k]);
}

#endif

// Transposes four rows of four items: item j of row i becomes item i of row j. An item is four bytes: one float, or two
// 16-bit integers.
template <class T>
HWY_INLINE void transpose_4x4(const T* const (&row)[4], T* out, std::size_t stride) {
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

// ---- masks of lanes, and arithmetic under them

// The mask whose lanes are the bits first .. first + kLanes of an array of 64-bit words.
HWY_INLINE Mask load_mask(const void* words, std::size_t first) {
#if HWY_TARGET <= HWY_AVX3
  // g++ would load into a general register first.
  using Bits [[gnu::may_alias]] = __mmask16;
  Mask mask;
  asm("kmovw %1, %0" : "=Yk"(mask.raw) : "m"(static_cast<const Bits*>(words)[first / 16]));
  return mask;
#else
  if constexpr (kLanes >= 8) {
    return hn::LoadMaskBits(Tag(), static_cast<const std::uint8_t*>(words) + first / 8);
  } else {
    std::uint64_t bits = 0;
    std::memcpy(&bits, static_cast<const char*>(words) + first / 64 * 8, 8);
    bits >>= first % 64;
    std::uint8_t bytes[8];
    std::memcpy(bytes, &bits, 8);
    return hn::LoadMaskBits(Tag(), bytes);
  }
#endif
}

// The lanes of a mask as the low bits of a word.
HWY_INLINE std::uint64_t mask_bits(Mask mask) {
#if HWY_TARGET <= HWY_AVX3
  return mask.raw;
#else
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(Tag(), mask, bytes);
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes, sizeof(bits));
  return bits;
#endif
}

// Replaces the bits first .. first + kLanes of one 64-bit word.
HWY_INLINE void store_mask(Mask mask, std::uint64_t* word, std::size_t first) {
  if constexpr (kLanes >= 8) {
    hn::StoreMaskBits(Tag(), mask, reinterpret_cast<std::uint8_t*>(word) + first / 8);
  } else {
    const std::uint64_t lanes = ((std::uint64_t{1} << kLanes) - 1) << first;
    *word = (*word & ~lanes) | ((mask_bits(mask) << first) & lanes);
  }
}

// c + a b where the mask is set, else c. b must be finite.
HWY_INLINE Vector fma_where(Mask mask, Vector a, Vector b, Vector c) {
#if HWY_TARGET <= HWY_AVX3
  return Vector{_mm512_mask3_fmadd_ps(a.raw, b.raw, c.raw, mask.raw)};
#elif HWY_TARGET == HWY_AVX2
  // Cheaper than a blend, and the same: b is finite, and c + 0 is c.
  return fma(hn::IfThenElseZero(mask, a), b, c);
#else
  return hn::IfThenElse(mask, fma(a, b, c), c);
#endif
}

// a + b where the mask is set, else a.
HWY_INLINE Vector add_where(Mask mask, Vector a, Vector b) {
#if HWY_TARGET <= HWY_AVX3
  return Vector{_mm512_mask_add_ps(a.raw, mask.raw, a.raw, b.raw)};
#elif HWY_TARGET == HWY_AVX2
  return hn::Add(a, hn::IfThenElseZero(mask, b));  // cheaper than a blend, and the same
#else
  return hn::IfThenElse(mask, hn::Add(a, b), a);
#endif
}

// Takes four vectors of rows from `row` on. A lane is active where the bit of `kept` is set and z is positive or NaN.
// The bits of the active lanes are stored in `word`. A NaN counts as active because it must reach the score and so the
// loss.
HWY_INLINE void store_active(const Vector (&z)[4], const std::uint64_t* kept, std::size_t row, std::uint64_t* word,
                             Mask (&active)[4]) {
#if HWY_TARGET == HWY_AVX2
  // Masks are vectors here. Those of all 32 rows are packed into one word of bits and stored at once.
  const __m256i first_bits = _mm256_sllv_epi32(_mm256_set1_epi32(1), hn::Iota(IntTag(), 0).raw);
  const __m256i in_order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  std::int32_t kept_rows = 0;
  std::memcpy(&kept_rows, reinterpret_cast<const char*>(kept) + row / 8, sizeof(kept_rows));
  __m256i on[4];
  HWY_UNROLL(4)
  for (std::size_t t = 0; t < 4; ++t) {
    const __m256i bit = _mm256_slli_epi32(first_bits, static_cast<int>(8 * t));
    const __m256i own = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(kept_rows), bit), bit);
    on[t] = _mm256_and_si256(_mm256_castps_si256(_mm256_cmp_ps(z[t].raw, _mm256_setzero_ps(), _CMP_NLE_UQ)), own);
    active[t] = Mask{_mm256_castsi256_ps(on[t])};
  }
  const __m256i bytes = _mm256_packs_epi16(_mm256_packs_epi32(on[0], on[1]), _mm256_packs_epi32(on[2], on[3]));
  const int bits = _mm256_movemask_epi8(_mm256_permutevar8x32_epi32(bytes, in_order));
  std::memcpy(reinterpret_cast<char*>(word) + row / 8, &bits, sizeof(bits));
#else
  HWY_UNROLL(4)
  for (std::size_t t = 0; t < 4; ++t) {
    const std::size_t at = row + t * kLanes;
    const Mask own = load_mask(kept, at);
#if HWY_TARGET <= HWY_AVX3
    active[t] = Mask{_mm512_mask_cmp_ps_mask(own.raw, z[t].raw, _mm512_setzero_ps(), _CMP_NLE_UQ)};
#else
    active[t] = hn::AndNot(hn::Le(z[t], hn::Zero(Tag())), own);
#endif
    store_mask(active[t], word, at);
  }
#endif
}

// ---- integers

// sum + x0 w0 + x1 w1 for the pair of 16-bit integers in each 32-bit lane; the result wraps, as int32 does.
HWY_INLINE Ints add_pair_products(Ints sum, Ints x, Ints w) {
#if HWY_TARGET <= HWY_AVX3_DL
  // g++ would order the intrinsics of a tile such that its sums do not stay in registers.
  asm("vpdpwssd %2, %1, %0" : "+v"(sum.raw) : "v"(x.raw), "v"(w.raw));
  return sum;
#elif HWY_TARGET == HWY_AVX3
  return Ints{_mm512_add_epi32(sum.raw, _mm512_madd_epi16(x.raw, w.raw))};
#else
  const auto low = [](Ints both) { return hn::ShiftRight<16>(hn::ShiftLeft<16>(both)); };
  const auto high = [](Ints both) { return hn::ShiftRight<16>(both); };
  return hn::Add(sum, hn::Add(hn::Mul(low(x), low(w)), hn::Mul(high(x), high(w))));
#endif
}

HWY_INLINE Ints broadcast_pair(const std::int16_t* p) {
  std::int32_t pair = 0;
  std::memcpy(&pair, p, sizeof(pair));
  return hn::Set(IntTag(), pair);
}
HWY_INLINE Ints load_pairs(const std::int16_t* p) {
#if HWY_TARGET == HWY_SCALAR
  return broadcast_pair(p);
#else
  return hn::BitCast(IntTag(), hn::LoadU(hn::Repartition<std::int16_t, IntTag>(), p));
#endif
}

// The lanes where x <= most as unsigned integers.
HWY_INLINE Mask at_most_unsigned(Ints x, Ints most) {
#if HWY_TARGET <= HWY_AVX3
  return Mask{_mm512_cmple_epu32_mask(x.raw, most.raw)};
#else
  const auto bits = hn::BitCast(UnsignedTag(), x);
  return hn::RebindMask(Tag(), hn::Eq(hn::Min(bits, hn::BitCast(UnsignedTag(), most)), bits));
#endif
}

// The lanes of `mask` where x > least.
HWY_INLINE Mask greater_where(Mask mask, Ints x, Ints least) {
#if HWY_TARGET <= HWY_AVX3
  return Mask{_mm512_mask_cmpgt_epi32_mask(mask.raw, x.raw, least.raw)};
#else
  return hn::And(mask, hn::RebindMask(Tag(), hn::Gt(x, least)));
#endif
}

// The smaller of least and x where the mask is set, else least.
HWY_INLINE Unsigned min_where(Mask mask, Unsigned least, Unsigned x) {
#if HWY_TARGET <= HWY_AVX3
  return Unsigned{_mm512_mask_min_epu32(least.raw, mask.raw, least.raw, x.raw)};
#else
  return hn::IfThenElse(hn::RebindMask(UnsignedTag(), mask), hn::Min(least, x), least);
#endif
}

// ---- bits in memory

// Transposes 32 words of 64 bits: bit u of out[r * stride] becomes bit r of words[u].
HWY_INLINE void transpose_64x32(const std::uint64_t* words, std::uint32_t* out, std::size_t stride) {
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t r = 0; r < 64; ++r) {
    std::uint32_t bits = 0;
    for (std::size_t u = 0; u < 32; ++u) bits |= static_cast<std::uint32_t>(words[u] >> r & 1U) << u;
    out[r * stride] = bits;
  }
#else
  // Load the four 16-bit quarters of as many words as a vector has lanes. Each test of a bit then gives part of a row.
  const hn::CappedTag<std::uint16_t, 32> d;
  for (std::size_t u = 0; u < 32; u += hn::Lanes(d)) {
    hn::Vec<decltype(d)> quarter[4];
    hn::LoadInterleaved4(d, reinterpret_cast<const std::uint16_t*>(words + u), quarter[0], quarter[1], quarter[2],
                         quarter[3]);
    for (std::size_t r = 0; r < 64; ++r) {
      const auto set = hn::TestBit(quarter[r / 16], hn::Set(d, static_cast<std::uint16_t>(1U << (r % 16))));
      hn::StoreMaskBits(d, set, reinterpret_cast<std::uint8_t*>(out + r * stride) + u / 8);
    }
  }
#endif
}

// Writes first + i for each set bit i of a word, ascending, and returns how many there are. May write up to 32 entries
// behind the last.
HWY_INLINE std::size_t list_set_bits(std::uint64_t word, std::size_t first, std::uint16_t* out) {
#if HWY_TARGET == HWY_SCALAR
  for (std::uint64_t bits = word; bits != 0; bits &= bits - 1) {
    *out++ = static_cast<std::uint16_t>(first + static_cast<std::size_t>(std::countr_zero(bits)));
  }
#elif HWY_TARGET <= HWY_AVX3_DL
  // Put all indices into bytes, and compress the set ones to the front. (first + 63 must fit into a byte.)
  const hn::CappedTag<std::uint8_t, 64> bytes;
  const hn::CappedTag<std::uint16_t, 32> d;
  const auto all = hn::Iota(bytes, static_cast<std::uint8_t>(first));
  const hn::Vec<decltype(bytes)> set{_mm512_maskz_compress_epi8(word, all.raw)};
  hn::StoreU(hn::PromoteTo(d, hn::LowerHalf(set)), d, out);
  if (std::popcount(word) > 32) {
    hn::StoreU(hn::PromoteTo(d, hn::UpperHalf(hn::Half<decltype(bytes)>(), set)), d, out + 32);
  }
#else
  const hn::FixedTag<std::uint16_t, 8> d;
  HWY_UNROLL(8)
  for (std::size_t b = 0; b < 8; ++b) {
    const auto byte = static_cast<std::uint8_t>(word >> (8 * b));
    const auto base = hn::Set(d, static_cast<std::uint16_t>(first + 8 * b));
    hn::StoreU(hn::Add(base, hn::Load(d, kIndicesOfByte.indices[byte])), d, out);
    out += std::popcount(byte);
  }
#endif
  return static_cast<std::size_t>(std::popcount(word));
}

// ---- random words

// Names 64 words of a stream: words 64 set .. 64 set + 63 of one bit plane, in the order of mask_word (base/random.h).
struct WordSet {
  const StreamName& stream;
  std::uint32_t set;
  std::uint32_t high;  // mask_block_high of the plane
};

// words[i] = words[i] | random word i where the plane's bit is one, else words[i] & random word i.
#if HWY_TARGET == HWY_SCALAR

HWY_INLINE void merge_plane(const WordSet& which, bool one, std::uint32_t* words) {
  const Stream stream(which.stream);
  for (std::uint64_t i = 0; i < 16; ++i) {
    const auto block = stream.block((std::uint64_t{which.high} << 32) | (std::uint64_t{16} * which.set + i));
    for (std::size_t o = 0; o < 4; ++o) {
      std::uint32_t& word = words[16 * o + i];
      word = one ? word | block[o] : word & block[o];
    }
  }
}

#else

using WordTag = hn::CappedTag<std::uint32_t, 16>;
using Words = hn::Vec<WordTag>;
using WideTag = hn::Repartition<std::uint64_t, WordTag>;
using Wide = hn::Vec<WideTag>;

// Philox4x32-10 on as many counters as there are 64-bit lanes. Only the low halves of the lanes count: products read
// nothing else, so what the rounds leave in the high halves need not be cleared.
struct PhiloxBlock {
  Wide x[4];
};
HWY_INLINE Wide low_product(Wide a, std::uint32_t constant) {
  const WordTag d;
  return hn::MulEven(hn::BitCast(d, a), hn::Set(d, constant));
}
HWY_INLINE PhiloxBlock philox(PhiloxBlock c, std::uint64_t seed) {
  const WideTag d;
  auto key0 = static_cast<std::uint32_t>(seed);
  auto key1 = static_cast<std::uint32_t>(seed >> 32);
  // Multipliers and key increments are those of Salmon et al. (2011), table 2 and section 4.3.
  for (int round = 0; round < 10; ++round) {
    const Wide p0 = low_product(c.x[0], 0xD2511F53U);
    const Wide p1 = low_product(c.x[2], 0xCD9E8D57U);
    c = {{hn::Xor3(hn::ShiftRight<32>(p1), c.x[1], hn::Set(d, key0)), p1,
          hn::Xor3(hn::ShiftRight<32>(p0), c.x[3], hn::Set(d, key1)), p0}};
    key0 += 0x9E3779B9U;
    key1 += 0xBB67AE85U;
  }
  return c;
}

HWY_INLINE void merge_plane(const WordSet& which, bool one, std::uint32_t* words) {
  const WordTag d;
  const WideTag wide;
  const auto c = counter_of(which.stream, (std::uint64_t{which.high} << 32) | (std::uint64_t{16} * which.set));
  // Even and odd counters are computed apart, and their words then share one vector.
  const auto block_from = [&](std::uint32_t first) {
    const Wide counters = hn::Add(hn::ShiftLeft<1>(hn::Iota(wide, 0)), hn::Set(wide, first));
    return philox({{counters, hn::Set(wide, c[1]), hn::Set(wide, c[2]), hn::Set(wide, c[3])}}, which.stream.seed);
  };
  for (std::uint32_t i = 0; i < 16; i += hn::Lanes(d)) {
    const PhiloxBlock even = block_from(c[0] + i);
    const PhiloxBlock odd = block_from(c[0] + i + 1);
    for (std::size_t o = 0; o < 4; ++o) {
      const Words random = hn::OddEven(hn::BitCast(d, hn::ShiftLeft<32>(odd.x[o])), hn::BitCast(d, even.x[o]));
      std::uint32_t* at = words + 16 * o + i;
      const Words old = hn::LoadU(d, at);
      hn::StoreU(one ? hn::Or(old, random) : hn::And(old, random), d, at);
    }
  }
}

#endif

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
