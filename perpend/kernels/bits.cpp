#include "perpend/kernels/bits.h"

#include <algorithm>
#include <cstring>

#include "perpend/base/error.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "perpend/kernels/bits.cpp"
#include <hwy/foreach_target.h>

#include "perpend/kernels/instructions-inl.h"

HWY_BEFORE_NAMESPACE();
namespace perpend::kernels::HWY_NAMESPACE {

// `name` is taken by value, so no store can change it and it stays in registers.
void dropout_masks(MaskName name, std::size_t units, std::uint64_t* mask) {
  if (name.keep.count == 0) {
    std::fill_n(mask, units, name.valid);
    return;
  }
  for (std::uint32_t set = 0; 32 * set < units; ++set) {
    alignas(64) std::uint32_t words[64] = {};
    for (int plane = name.keep.count; plane-- > 0;) {
      merge_plane({.stream = name.stream, .set = set, .high = mask_block_high(name.layer, plane, name.group)},
                  ((name.keep.bits >> plane) & 1U) != 0, words);
    }
    std::uint64_t pairs[32];
    std::memcpy(pairs, words, sizeof(pairs));
    for (std::size_t u = 0; u < 32; ++u) mask[32 * set + u] = pairs[u] & name.valid;
  }
}

void transpose_group(std::size_t units, const std::uint64_t* by_unit, std::uint32_t* by_row) {
  for (std::size_t u = 0; u < round_up(units, kUnitsPerChunk); u += 32) {
    std::uint32_t* out = by_row + u / kUnitsPerChunk * kWordsPerChunk + u % kUnitsPerChunk / 32;
    if (u + 32 <= units) {
      transpose_64x32(by_unit + u, out, kWordsPerRow);
    } else {
      std::uint64_t words[32] = {};
      for (std::size_t i = 0; u + i < units; ++i) words[i] = by_unit[u + i];
      transpose_64x32(words, out, kWordsPerRow);
    }
  }
}

// Writes the indices of the set bits of one item and returns how many there are. May write up to kOverrun entries
// behind the last.
HWY_INLINE std::size_t list_item(const ItemBits& bits, std::size_t item, std::uint16_t* out) {
  const char* source = static_cast<const char*>(bits.words) + item * bits.item_step;
  std::size_t length = 0;
  HWY_UNROLL(4)
  for (std::size_t w = 0; w < kBitsPerItem / 64; ++w) {
    std::uint64_t word = 0;
    std::memcpy(&word, source + w * bits.word_step, sizeof(word));
    length += list_set_bits(word, 64 * w, out + length);
  }
  return length;
}

// Sorts the items by the length of their lists (a counting sort over the lengths that occur), and fills up the last
// bundle with kMaxItems.
HWY_INLINE void sort_items(std::size_t items, const std::uint16_t* length, IndexLists& lists) {
  std::uint16_t first[kBitsPerItem + 2] = {};
  std::size_t shortest = kBitsPerItem;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < items; ++i) {
    ++first[length[i] + 1];
    shortest = std::min<std::size_t>(shortest, length[i]);
    longest = std::max<std::size_t>(longest, length[i]);
  }
  for (std::size_t n = shortest + 1; n <= longest; ++n) first[n] = static_cast<std::uint16_t>(first[n] + first[n - 1]);
  for (std::size_t i = 0; i < items; ++i) lists.item[first[length[i]]++] = static_cast<std::uint16_t>(i);
  lists.bundles = (items + kListsPerBundle - 1) / kListsPerBundle;
  std::fill(lists.item + items, lists.item + lists.bundles * kListsPerBundle, static_cast<std::uint16_t>(kMaxItems));
}

// Appends the index of the zero row until the length is `to`, or a little more.
HWY_INLINE void pad_list(std::uint16_t* list, std::size_t from, std::size_t to) {
  const hn::CappedTag<std::uint16_t, 32> d;
  for (; from < to; from += hn::Lanes(d)) hn::StoreU(hn::Set(d, kZeroRow), d, list + from);
}

void build_lists(std::size_t items, const ItemBits& bits, IndexLists& lists) {
  std::uint16_t length[kMaxItems + 1];
  length[kMaxItems] = 0;
  for (std::size_t i = 0; i < items; ++i) {
    length[i] = static_cast<std::uint16_t>(list_item(bits, i, lists.list + i * kListStride));
  }
  sort_items(items, length, lists);
  for (std::size_t b = 0; b < lists.bundles; ++b) {
    const std::uint16_t* item = lists.item + b * kListsPerBundle;
    // Items are sorted, so the last one of a bundle has the longest list, unless the bundle is not full.
    std::uint16_t longest = length[item[kListsPerBundle - 1]];
    if (item[kListsPerBundle - 1] == kMaxItems) longest = *std::max_element(length, length + items);
    lists.longest[b] = static_cast<std::uint16_t>(round_up(longest, kIndicesPerLoad));
    for (std::size_t k = 0; k < kListsPerBundle; ++k) {
      pad_list(lists.list + item[k] * kListStride, length[item[k]], lists.longest[b]);
    }
  }
}

void join_lists(std::size_t items, const ItemBits& bits, std::uint16_t* lists, std::uint16_t* first) {
  const std::uint16_t padding[kIndicesPerLoad] = {kZeroRow, kZeroRow, kZeroRow, kZeroRow};
  std::size_t at = 0;
  for (std::size_t i = 0; i < items; ++i) {
    first[i] = static_cast<std::uint16_t>(at);
    const std::size_t length = list_item(bits, i, lists + at);
    std::memcpy(lists + at + length, padding, sizeof(padding));
    at += round_up(std::max<std::size_t>(length, 1), kIndicesPerLoad);
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

void dropout_masks(const MaskName& name, std::size_t units, std::uint64_t* mask) {
  HWY_DYNAMIC_DISPATCH(dropout_masks)(name, units, mask);
}
void transpose_group(std::size_t units, const std::uint64_t* by_unit, std::uint32_t* by_row) {
  HWY_DYNAMIC_DISPATCH(transpose_group)(units, by_unit, by_row);
}
void build_lists(std::size_t items, const ItemBits& bits, IndexLists& lists) {
  PERPEND_CHECK(items <= kMaxItems);
  HWY_DYNAMIC_DISPATCH(build_lists)(items, bits, lists);
}
void join_lists(std::size_t items, const ItemBits& bits, std::uint16_t* lists, std::uint16_t* first) {
  PERPEND_CHECK(items <= kRowsPerGroup);
  HWY_DYNAMIC_DISPATCH(join_lists)(items, bits, lists, first);
}

}  // namespace perpend::kernels
#endif
