#include "perpend/kernels/bits.h"

#include <algorithm>
#include <bit>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "perpend/kernels/bits.cpp"
#include <hwy/foreach_target.h>

#include "perpend/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

using WordTag = hn::CappedTag<std::uint32_t, 16>;
using Words = hn::Vec<WordTag>;

struct Wide {
  Words high, low;
};

// The 64-bit product of each lane with a constant.
HWY_INLINE Wide multiply(Words a, std::uint32_t constant) {
  const WordTag d;
  const Words c = hn::Set(d, constant);
  const Words even = hn::BitCast(d, hn::MulEven(a, c));
  const Words odd = hn::BitCast(d, hn::MulEven(hn::DupOdd(a), c));
  return {hn::OddEven(odd, hn::DupOdd(even)), hn::OddEven(hn::DupEven(odd), even)};
}

// Philox4x32-10 on as many counters as there are lanes.
struct Block {
  Words x[4];
};
HWY_INLINE Block philox(Block c, std::uint64_t seed) {
  const WordTag d;
  auto key0 = static_cast<std::uint32_t>(seed);
  auto key1 = static_cast<std::uint32_t>(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const Wide p0 = multiply(c.x[0], 0xD2511F53U);
    const Wide p1 = multiply(c.x[2], 0xCD9E8D57U);
    c = {{hn::Xor(hn::Xor(p1.high, c.x[1]), hn::Set(d, key0)), p1.low,
          hn::Xor(hn::Xor(p0.high, c.x[3]), hn::Set(d, key1)), p0.low}};
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
  for (std::uint32_t i = 0; i < 16; i += hn::Lanes(d)) {
    const Block random =
        philox({{hn::Iota(d, c[0] + i), hn::Set(d, c[1]), hn::Set(d, c[2]), hn::Set(d, c[3])}}, name.seed);
    for (std::size_t o = 0; o < 4; ++o) {
      std::uint32_t* at = words + 16 * o + i;
      const Words old = hn::LoadU(d, at);
      hn::StoreU(one ? hn::Or(old, random.x[o]) : hn::And(old, random.x[o]), d, at);
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

using LaneTag = hn::CappedTag<std::uint32_t, 8>;
using Lane = hn::Vec<LaneTag>;
constexpr std::size_t kWordLanes = hn::MaxLanes(LaneTag());

// One stage of the classical 32 x 32 transpose: swaps blocks of kShift bits between rows kShift apart, in every lane.
template <int kShift>
HWY_INLINE void swap_blocks(Lane* v, std::uint32_t low_bits) {
  const Lane low = hn::Set(LaneTag(), low_bits);
  for (std::size_t base = 0; base < 32; base += 2 * kShift) {
    for (std::size_t k = base; k < base + kShift; ++k) {
      const Lane t = hn::And(hn::Xor(hn::ShiftRight<kShift>(v[k]), v[k + kShift]), low);
      v[k + kShift] = hn::Xor(v[k + kShift], t);
      v[k] = hn::Xor(v[k], hn::ShiftLeft<kShift>(t));
    }
  }
}

HWY_INLINE void transpose32(Lane* v) {
  swap_blocks<16>(v, 0x0000FFFFU);
  swap_blocks<8>(v, 0x00FF00FFU);
  swap_blocks<4>(v, 0x0F0F0F0FU);
  swap_blocks<2>(v, 0x33333333U);
  swap_blocks<1>(v, 0x55555555U);
}

// 128 units of a group: eight 32 x 32 transposes side by side; lane 4 s + q has rows 32 s .. and units 32 q .. .
HWY_INLINE void transpose_half_chunk(std::size_t units, const std::uint64_t* by_unit, std::uint32_t* by_row) {
  alignas(64) std::uint32_t word[32][8] = {};
  for (std::size_t u = 0; u < std::min<std::size_t>(units, 128); ++u) {
    const std::uint64_t bits = by_unit[u * kGroupsPerBlock];
    word[u % 32][u / 32] = static_cast<std::uint32_t>(bits);
    word[u % 32][4 + u / 32] = static_cast<std::uint32_t>(bits >> 32);
  }
  for (std::size_t lane = 0; lane < 8; lane += kWordLanes) {
    Lane v[32];
    for (std::size_t i = 0; i < 32; ++i) v[i] = hn::Load(LaneTag(), word[i] + lane);
    transpose32(v);
    for (std::size_t i = 0; i < 32; ++i) hn::Store(v[i], LaneTag(), word[i] + lane);
  }
  for (std::size_t i = 0; i < 32; ++i) {
    std::memcpy(by_row + i * kWordsPerRow, word[i], 16);
    std::memcpy(by_row + (32 + i) * kWordsPerRow, word[i] + 4, 16);
  }
}

void transpose_group(std::size_t units, const std::uint64_t* by_unit, std::uint32_t* by_row) {
  for (std::size_t chunk = 0; chunk * kUnitsPerChunk < units; ++chunk) {
    for (std::size_t half = 0; half < 2; ++half) {
      const std::size_t first = chunk * kUnitsPerChunk + half * 128;
      transpose_half_chunk(units > first ? units - first : 0, by_unit + first * kGroupsPerBlock,
                           by_row + chunk * kWordsPerChunk + half * 4);
    }
  }
}

// Writes the offsets of the set bits of one item; returns how many. May write up to 32 entries past the last.
HWY_INLINE std::size_t list_bits(const char* source, std::uint16_t* out) {
  std::uint32_t words[8];
  std::memcpy(words, source, sizeof(words));
  std::uint16_t* const start = out;
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t w = 0; w < 8; ++w) {
    for (std::uint32_t bits = words[w]; bits != 0; bits &= bits - 1) {
      *out++ = static_cast<std::uint16_t>((32 * w + std::countr_zero(bits)) * kStep);
    }
  }
#else
  const hn::CappedTag<std::uint16_t, 32> d;
  constexpr std::size_t kWidth = hn::MaxLanes(d);
  const auto ramp = hn::Mul(hn::Iota(d, 0), hn::Set(d, kStep));
  for (std::size_t w = 0; w < 8; ++w) {
    for (std::size_t shift = 0; shift < 32; shift += kWidth) {
      const std::uint32_t bits = kWidth == 32 ? words[w] : (words[w] >> shift) & ((1U << (kWidth % 32)) - 1);
      const auto offsets = hn::Add(ramp, hn::Set(d, static_cast<std::uint16_t>((32 * w + shift) * kStep)));
      std::uint8_t bytes[8] = {};
      std::memcpy(bytes, &bits, 4);
      const auto packed = hn::CompressBits(offsets, bytes);
      const int count = std::popcount(bits);
      // Most words have few bits; half a vector then spares the store a second cache line.
      const hn::Half<decltype(d)> half;
      hn::StoreU(hn::LowerHalf(half, packed), half, out);
      if (count > static_cast<int>(kWidth / 2)) hn::StoreU(packed, d, out);
      out += count;
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
    for (std::size_t k = 0; k < kWalkers; ++k) pad(lists.list + item[k] * kListStride, length[item[k]], longest);
    lists.longest[w] = longest;
  }
}

}  // namespace perpend::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perpend::kernels {

HWY_EXPORT(dropout_masks);
HWY_EXPORT(transpose_group);
HWY_EXPORT(build_lists);

void dropout_masks(const StreamName& name, const KeepPlanes& keep, std::uint32_t layer, std::uint32_t group,
                   std::uint64_t valid, std::size_t units, std::uint64_t* mask) {
  HWY_DYNAMIC_DISPATCH(dropout_masks)(name, keep, layer, group, valid, units, mask);
}
void transpose_group(std::size_t units, const std::uint64_t* by_unit, std::uint32_t* by_row) {
  HWY_DYNAMIC_DISPATCH(transpose_group)(units, by_unit, by_row);
}
void build_lists(std::size_t items, const void* bits, BitLists& lists) {
  HWY_DYNAMIC_DISPATCH(build_lists)(items, bits, lists);
}

}  // namespace perpend::kernels
#endif
