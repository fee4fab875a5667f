// Masks of lanes: bits in memory to masks and back, and what is done where a mask is set.
#if defined(PERPEND_KERNELS_MASK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PERPEND_KERNELS_MASK_INL_H_
#undef PERPEND_KERNELS_MASK_INL_H_
#else
#define PERPEND_KERNELS_MASK_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "perpend/kernels/bits.h"
#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

using Mask = hn::Mask<Tag>;

// Bits first .. first + kLanes of a row of 64-bit words as a mask; and back, into one word.
HWY_INLINE Mask load_mask(const void* word, std::size_t first) {
#if HWY_TARGET <= HWY_AVX3
  // g++ would go through a general register.
  using Bits [[gnu::may_alias]] = __mmask16;
  Mask mask;
  asm("kmovw %1, %0" : "=Yk"(mask.raw) : "m"(static_cast<const Bits*>(word)[first / 16]));
  return mask;
#else
  if constexpr (kLanes >= 8) {
    return hn::LoadMaskBits(Tag(), static_cast<const std::uint8_t*>(word) + first / 8);
  } else {
    std::uint64_t bits = 0;
    std::memcpy(&bits, static_cast<const char*>(word) + first / 64 * 8, 8);
    bits >>= first % 64;
    std::uint8_t bytes[8];
    std::memcpy(bytes, &bits, 8);
    return hn::LoadMaskBits(Tag(), bytes);
  }
#endif
}
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
HWY_INLINE void store_mask(Mask mask, std::uint64_t* word, std::size_t first) {
  if constexpr (kLanes >= 8) {
    hn::StoreMaskBits(Tag(), mask, reinterpret_cast<std::uint8_t*>(word) + first / 8);
  } else {
    const std::uint64_t bits = mask_bits(mask);
    const std::uint64_t lanes = ((std::uint64_t{1} << kLanes) - 1) << first;
    *word = (*word & ~lanes) | ((bits << first) & lanes);
  }
}

// The bits of a vector of rows as transpose_group (bits.h) reads them, where a vector has whole bytes of them.
HWY_INLINE void store_part(Mask mask, std::uint16_t* by_part, std::size_t stride, std::size_t row) {
  if constexpr (kLanes >= 8) {
    std::uint16_t* part = by_part + row / kRowsPerPart * stride;
    hn::StoreMaskBits(Tag(), mask, reinterpret_cast<std::uint8_t*>(part) + row % kRowsPerPart / 8);
  }
}

// Narrower vectors' bits, from those per unit.
HWY_INLINE void cut_parts(std::size_t units, const std::uint64_t* by_unit, std::uint16_t* by_part) {
  for (std::size_t u = 0; u < units; ++u) {
    for (std::size_t p = 0; p < kPartsPerGroup; ++p) {
      by_part[p * part_stride(units) + u] =
          static_cast<std::uint16_t>(by_unit[u * kGroupsPerBlock] >> (p * kRowsPerPart));
    }
  }
}

// c + a b, or a + b, where active: one instruction where masks are registers.
HWY_INLINE Vector fma_where(Mask active, Vector a, Vector b, Vector c) {
#if HWY_TARGET <= HWY_AVX3
  return Vector{_mm512_mask3_fmadd_ps(a.raw, b.raw, c.raw, active.raw)};
#else
  return hn::IfThenElse(active, fma(a, b, c), c);
#endif
}

HWY_INLINE Vector add_where(Mask active, Vector a, Vector b) {
#if HWY_TARGET <= HWY_AVX3
  return Vector{_mm512_mask_add_ps(a.raw, active.raw, a.raw, b.raw)};
#else
  return hn::IfThenElse(active, hn::Add(a, b), a);
#endif
}

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
