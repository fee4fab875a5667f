#include "perpend/kernels/bits.h"

#include <algorithm>
#include <bit>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "perpend/kernels/bits.cpp"
#include <hwy/foreach_target.h>

#include "perpend/kernels/vector-inl.h"

#ifndef PERPEND_KERNELS_BITS_CPP_
#define PERPEND_KERNELS_BITS_CPP_
namespace perpend::kernels {

// The list of each possible byte, for targets that cannot compress bytes.
struct BitsOfByte {
  constexpr BitsOfByte() {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      std::size_t n = 0;
      for (std::size_t bit = 0; bit < 8; ++bit) {
        if ((byte >> bit & 1U) != 0) numbers[byte][n++] = static_cast<std::uint16_t>(bit);
      }
    }
  }
  alignas(64) std::uint16_t numbers[256][8] = {};
};
constexpr BitsOfByte kBitsOfByte;

}  // namespace perpend::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

using WordTag = hn::CappedTag<std::uint32_t, 16>;
using Words = hn::Vec<WordTag>;

using WideTag = hn::Repartition<std::uint64_t, WordTag>;
using Wide = hn::Vec<WideTag>;

// Philox4x32-10 on as many counters as there are 64-bit lanes. Only the low halves of the lanes count: products read
// nothing else, so what rounds leave in the high halves need not be cleared.
struct Block {
  Wide x[4];
};
HWY_INLINE Wide low_product(Wide a, std::uint32_t constant) {
  const WordTag d;
  return hn::MulEven(hn::BitCast(d, a), hn::Set(d, constant));
}
HWY_INLINE Block philox(Block c, std::uint64_t seed) {
  const WideTag d;
  auto key0 = static_cast<std::uint32_t>(seed);
  auto key1 = static_cast<std::uint32_t>(seed >> 32);
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

// Random words n = 64 set .. 64 set + 63 of one plane; merged into `words` as mask_word() defines.
HWY_INLINE void merge_plane(const StreamName& name, std::uint32_t set, std::uint32_t high, bool one,
                            std::uint32_t* words) {
  const WordTag d;
  const auto c = counter_of(name, (static_cast<std::uint64_t>(high) << 32) | (std::uint64_t{16} * set));
  const WideTag wide;
  // Counters of even number and of odd number, whose words then share one vector.
  const auto block_from = [&](std::uint32_t first) {
    const Wide numbers = hn::Add(hn::ShiftLeft<1>(hn::Iota(wide, 0)), hn::Set(wide, first));
    return philox({{numbers, hn::Set(wide, c[1]), hn::Set(wide, c[2]), hn::Set(wide, c[3])}}, name.seed);
  };
  for (std::uint32_t i = 0; i < 16; i += hn::Lanes(d)) {
    const Block even = block_from(c[0] + i);
    const Block odd = block_from(c[0] + i + 1);
    for (std::size_t o = 0; o < 4; ++o) {
      const Words random = hn::OddEven(hn::BitCast(d, hn::ShiftLeft<32>(odd.x[o])), hn::BitCast(d, even.x[o]));
      std::uint32_t* at = words + 16 * o + i;
      const Words old = hn::LoadU(d, at);
      hn::StoreU(one ? hn::Or(old, random) : hn::And(old, random), d, at);
    }
  }
}

void dropout_masks(const StreamName& name, const KeepPlanes& keep, std::uint32_t layer, std::uint32_t group,
                   std::uint64_t valid, std::size_t units, std::uint64_t* mask) {
  if (keep.count == 0) {
    std::fill_n(mask, units, valid);
    return;
  }
  for (std::uint32_t set = 0; 32 * set < units; ++set) {
    alignas(64) std::uint32_t words[64] = {};
    for (int plane = keep.count; plane-- > 0;) {
      merge_plane(name, set, mask_block_high(layer, plane, group), ((keep.bits >> plane) & 1U) != 0, words);
    }
    std::uint64_t pairs[32];
    std::memcpy(pairs, words, sizeof(pairs));
    for (std::size_t u = 0; u < 32; ++u) mask[32 * set + u] = pairs[u] & valid;
  }
}

#else

void dropout_masks(const StreamName& name, const KeepPlanes& keep, std::uint32_t layer, std::uint32_t group,
                   std::uint64_t valid, std::size_t units, std::uint64_t* mask) {
  for (std::size_t u = 0; u < units; ++u) {
    mask[u] = mask_word(name, keep, layer, group, static_cast<std::uint32_t>(u)) & valid;
  }
}

#endif

// One test per row: which of as many units as a vector has lanes have the row's bit.
void transpose_group(std::size_t units, const std::uint16_t* by_part, std::uint32_t* by_row) {
  const std::size_t padded = part_stride(units);
  for (std::size_t i = 0; i < kPartsPerGroup * padded; i += 32) {
    const std::size_t part = i / padded;
    const std::size_t unit = i % padded;
    std::uint32_t* out = by_row + unit / kUnitsPerChunk * kWordsPerChunk + kRowsPerPart * part * kWordsPerRow +
                         unit % kUnitsPerChunk / 32;
#if HWY_TARGET == HWY_SCALAR
    for (std::size_t row = 0; row < kRowsPerPart; ++row) {
      std::uint32_t word = 0;
      for (std::size_t u = 0; u < 32; ++u) word |= ((std::uint32_t{by_part[i + u]} >> row) & 1U) << u;
      out[row * kWordsPerRow] = word;
    }
#else
    const hn::CappedTag<std::uint16_t, 32> d;
    for (std::size_t u = 0; u < 32; u += hn::Lanes(d)) {
      const auto bits = hn::LoadU(d, by_part + i + u);
      for (std::size_t row = 0; row < kRowsPerPart; ++row) {
        const auto active = hn::TestBit(bits, hn::Set(d, static_cast<std::uint16_t>(1U << row)));
        hn::StoreMaskBits(d, active, reinterpret_cast<std::uint8_t*>(out + row * kWordsPerRow) + u / 8);
      }
    }
#endif
  }
}

// Writes the numbers of the set bits of one item; returns how many. May write kSpilled entries past the last.
HWY_INLINE std::size_t list_bits(const char* source, std::uint16_t* out) {
  std::uint64_t words[4];
  std::memcpy(words, source, sizeof(words));
  std::uint16_t* const start = out;
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t w = 0; w < 4; ++w) {
    for (std::uint64_t bits = words[w]; bits != 0; bits &= bits - 1) {
      *out++ = static_cast<std::uint16_t>(64 * w + std::countr_zero(bits));
    }
  }
#elif HWY_TARGET <= HWY_AVX3_DL
  const hn::CappedTag<std::uint8_t, 64> bytes;
  const hn::CappedTag<std::uint16_t, 32> d;
  HWY_UNROLL(4)
  for (std::size_t w = 0; w < 4; ++w) {
    const auto all = hn::Iota(bytes, static_cast<std::uint8_t>(64 * w));
    const hn::Vec<decltype(bytes)> set{_mm512_maskz_compress_epi8(words[w], all.raw)};
    const int count = std::popcount(words[w]);
    hn::StoreU(hn::PromoteTo(d, hn::LowerHalf(set)), d, out);
    if (count > 32) hn::StoreU(hn::PromoteTo(d, hn::UpperHalf(hn::Half<decltype(bytes)>(), set)), d, out + 32);
    out += count;
  }
#else
  const hn::FixedTag<std::uint16_t, 8> d;
  for (std::size_t w = 0; w < 4; ++w) {
    HWY_UNROLL(8)
    for (std::size_t b = 0; b < 8; ++b) {
      const auto byte = static_cast<std::uint8_t>(words[w] >> (8 * b));
      const auto base = hn::Set(d, static_cast<std::uint16_t>(64 * w + 8 * b));
      hn::StoreU(hn::Add(base, hn::Load(d, kBitsOfByte.numbers[byte])), d, out);
      out += std::popcount(byte);
    }
  }
#endif
  return static_cast<std::size_t>(out - start);
}

// Items sorted by length (counting sort over the lengths that occur), kMaxItems filling the last walk.
HWY_INLINE void sort_items(std::size_t items, const std::uint16_t* length, BitLists& lists) {
  std::uint16_t first[kBitsPerList + 2] = {};
  std::size_t shortest = kBitsPerList;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < items; ++i) {
    ++first[length[i] + 1];
    shortest = std::min<std::size_t>(shortest, length[i]);
    longest = std::max<std::size_t>(longest, length[i]);
  }
  for (std::size_t n = shortest + 1; n <= longest; ++n) first[n] = static_cast<std::uint16_t>(first[n] + first[n - 1]);
  for (std::size_t i = 0; i < items; ++i) lists.item[first[length[i]]++] = static_cast<std::uint16_t>(i);
  lists.walks = (items + kWalkers - 1) / kWalkers;
  std::fill(lists.item + items, lists.item + lists.walks * kWalkers, static_cast<std::uint16_t>(kMaxItems));
}

HWY_INLINE void pad(std::uint16_t* list, std::size_t from, std::size_t to) {
  const hn::CappedTag<std::uint16_t, 32> d;
  for (; from < to; from += hn::Lanes(d)) hn::StoreU(hn::Set(d, kZeroRow), d, list + from);
}

void build_lists(std::size_t items, const void* bits, BitLists& lists) {
  const char* bytes = static_cast<const char*>(bits);
  std::uint16_t length[kMaxItems + 1];
  length[kMaxItems] = 0;
  for (std::size_t i = 0; i < items; ++i) {
    length[i] = static_cast<std::uint16_t>(list_bits(bytes + kBitsPerList / 8 * i, lists.list + i * kListStride));
  }
  sort_items(items, length, lists);
  for (std::size_t w = 0; w < lists.walks; ++w) {
    const std::uint16_t* item = lists.item + w * kWalkers;
    // Sorted, so the last is the longest, unless nobody stands there.
    std::uint16_t longest = length[item[kWalkers - 1]];
    if (item[kWalkers - 1] == kMaxItems) longest = *std::max_element(length, length + items);
    lists.longest[w] = static_cast<std::uint16_t>(round_up(longest, kNumbersPerLoad));
    for (std::size_t k = 0; k < kWalkers; ++k) {
      pad(lists.list + item[k] * kListStride, length[item[k]], lists.longest[w]);
    }
  }
}

void join_lists(std::size_t items, const void* bits, std::uint16_t* lists, std::uint16_t* first) {
  const char* bytes = static_cast<const char*>(bits);
  const std::uint16_t padding[kNumbersPerLoad] = {kZeroRow, kZeroRow, kZeroRow, kZeroRow};
  std::size_t at = 0;
  for (std::size_t i = 0; i < items; ++i) {
    first[i] = static_cast<std::uint16_t>(at);
    const std::size_t length = list_bits(bytes + kBitsPerList / 8 * i, lists + at);
    std::memcpy(lists + at + length, padding, sizeof(padding));
    at += round_up(std::max<std::size_t>(length, 1), kNumbersPerLoad);
  }
  first[items] = static_cast<std::uint16_t>(at);
}

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perpend::kernels {

HWY_EXPORT(dropout_masks);
HWY_EXPORT(transpose_group);
HWY_EXPORT(build_lists);
HWY_EXPORT(join_lists);

void dropout_masks(const StreamName& name, const KeepPlanes& keep, std::uint32_t layer, std::uint32_t group,
                   std::uint64_t valid, std::size_t units, std::uint64_t* mask) {
  HWY_DYNAMIC_DISPATCH(dropout_masks)(name, keep, layer, group, valid, units, mask);
}
void transpose_group(std::size_t units, const std::uint16_t* by_part, std::uint32_t* by_row) {
  HWY_DYNAMIC_DISPATCH(transpose_group)(units, by_part, by_row);
}
void build_lists(std::size_t items, const void* bits, BitLists& lists) {
  HWY_DYNAMIC_DISPATCH(build_lists)(items, bits, lists);
}
void join_lists(std::size_t items, const void* bits, std::uint16_t* lists, std::uint16_t* first) {
  HWY_DYNAMIC_DISPATCH(join_lists)(items, bits, lists, first);
}

}  // namespace perpend::kernels
#endif
