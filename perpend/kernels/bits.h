// Bit matrices: drop-out masks, transposes, and lists of the indices of set bits.
//
// Rows come in groups of 64 and in blocks of 256. Hidden units come in chunks of 256. The bit matrix of a block is kept
// in both orders:
//   by unit   per group of 64 rows, one 64-bit word per unit: bit r of word u is row r of the group
//   by row    per chunk of 256 units and per row, 8 words of 32 bits: bit u % 32 of word u / 32 is unit u of the chunk
// Lists of indices and tables (sparse_row_sum.h) have 256 entries, because a table of 256 rows with 32 floats each is
// as large as a first-level cache (32 KiB).
#pragma once

#include <cstddef>
#include <cstdint>

#include "perpend/base/aligned.h"
#include "perpend/base/random.h"

namespace perpend::kernels {

constexpr std::size_t kGroupsPerBlock = 4;
constexpr std::size_t kRowsPerBlock = kGroupsPerBlock * kRowsPerGroup;
constexpr std::size_t kUnitsPerChunk = 256;
constexpr std::size_t kWordsPerRow = kUnitsPerChunk / 32;
constexpr std::size_t kWordsPerChunk = kRowsPerBlock * kWordsPerRow;  // 32-bit words of one chunk of a block, by row

constexpr std::size_t count_blocks(std::size_t rows) { return (rows + kRowsPerBlock - 1) / kRowsPerBlock; }
constexpr std::size_t count_chunks(std::size_t units) { return (units + kUnitsPerChunk - 1) / kUnitsPerChunk; }

// Identifies a drop-out mask: the mask of 64 rows at one layer.
struct MaskName {
  StreamName stream;
  KeepPlanes keep;
  std::uint32_t layer = 0;
  std::uint32_t group = 0;                  // rows 64 group .. 64 group + 63
  std::uint64_t valid = ~std::uint64_t{0};  // the bits of rows that exist
};
// mask[u] = mask_word(stream, keep, layer, group, u) & valid for u < units. mask must have room for units rounded up to
// 32.
void dropout_masks(const MaskName& name, std::size_t units, std::uint64_t* mask);

// Transposes one group: bit r of by_unit[u] becomes unit u of row r. by_row points at the group's first row in chunk 0.
// The words of chunk c lie c * kWordsPerChunk words further on. Bits of units beyond `units`, up to a whole chunk,
// become zero.
void transpose_group(std::size_t units, const std::uint64_t* by_unit, std::uint32_t* by_row);

// ---- Lists of the indices of set bits. Sparse row sums read them.
//
// An item (a row, or a hidden unit) has 256 bits. Its list holds the indices of the set bits in ascending order. They
// name the table rows to be summed. kListsPerBundle lists are summed in lockstep, so that their chains of additions
// hide each other's latency. For this, items are sorted by the length of their lists, and each list is padded to the
// longest of its bundle and to a multiple of kIndicesPerLoad. The padding is the index of a table row that is all
// zeros.
constexpr std::size_t kBitsPerItem = 256;
constexpr std::size_t kListsPerBundle = 8;  // an addition takes 3 to 5 cycles and a core starts 2 per cycle
constexpr std::size_t kIndicesPerLoad = 4;  // 16-bit indices in one 64-bit load
constexpr std::size_t kMaxItems = 256;
constexpr std::size_t kOverrun =
    32;  // entries that may be written behind the end of a list: a vector of 16-bit numbers
constexpr std::size_t kListStride = kBitsPerItem + kOverrun;
constexpr std::uint16_t kZeroRow = kBitsPerItem;  // the table row that is all zeros

struct IndexLists {
  std::size_t bundles = 0;
  std::uint16_t item[kMaxItems + kListsPerBundle];     // bundle b has kListsPerBundle items; kMaxItems marks "none"
  std::uint16_t longest[kMaxItems / kListsPerBundle];  // the longest list of each bundle, with its padding
  alignas(64) std::uint16_t list[(kMaxItems + 1) * kListStride];  // one list per item, and an empty one for "none"
};

// The bits of items: word w (bits 64 w .. 64 w + 63) of item i is the 64-bit word at words + i * item_step + w *
// word_step, in bytes.
struct ItemBits {
  const void* words = nullptr;
  std::size_t item_step = 0;
  std::size_t word_step = 0;
};
// The bits of the rows of one chunk. by_row points to the first row's words.
inline ItemBits bits_of_rows(const std::uint32_t* by_row) {
  return {.words = by_row, .item_step = kWordsPerRow * sizeof(*by_row), .word_step = sizeof(std::uint64_t)};
}
// The bits of the units of a block. by_unit points to the first unit's word in group 0, and groups are `units` words
// apart.
inline ItemBits bits_of_units(const std::uint64_t* by_unit, std::size_t units) {
  return {.words = by_unit, .item_step = sizeof(*by_unit), .word_step = units * sizeof(*by_unit)};
}

// Makes the lists of at most kMaxItems items.
void build_lists(std::size_t items, const ItemBits& bits, IndexLists& lists);

// Makes the same lists for at most kRowsPerGroup items and joins them in the order of the items. The list of item i is
// lists[first[i] .. first[i + 1]]. It is padded to a multiple of kIndicesPerLoad and never empty. `lists` must have
// room for items * kBitsPerItem + kOverrun entries, and `first` for items + 1.
void join_lists(std::size_t items, const ItemBits& bits, std::uint16_t* lists, std::uint16_t* first);

}  // namespace perpend::kernels
