// Bit matrices: drop-out masks, transposes, and lists of the set bits.
//
// Rows come in groups of 64 and blocks of 256. A block's bit matrix is kept in both orders: per hidden unit 4 words of
// 64 rows, and, per chunk of 256 units and per row, 8 words of 32 units.
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

// mask[u] = mask_word(name, keep, layer, group, u) & valid for u < units; mask has room for units rounded up to 32.
void dropout_masks(const StreamName& name, const KeepPlanes& keep, std::uint32_t layer, std::uint32_t group,
                   std::uint64_t valid, std::size_t units, std::uint64_t* mask);

// One group of a block, from parts to the order by row. Part p of unit u is the 16 bits of the group's rows 16 p ..,
// at by_part[p * part_stride(units) + u]; parts of units beyond `units` are zero. by_row points at the group's first
// row in chunk 0: unit u of row r becomes bit u % 32 of by_row[(u / 256) * kWordsPerChunk + r * kWordsPerRow + (u %
// 256) / 32].
constexpr std::size_t kRowsPerPart = 16;
constexpr std::size_t kPartsPerGroup = kRowsPerGroup / kRowsPerPart;
constexpr std::size_t part_stride(std::size_t units) { return round_up(units, kUnitsPerChunk); }
void transpose_group(std::size_t units, const std::uint16_t* by_part, std::uint32_t* by_row);

// Lists of the set bits, ready to be walked several at a time.
//
// An item (a row, or a hidden unit) has 256 bits in 8 words of 32; its list holds the numbers of the set bits,
// ascending: the rows of a table to sum. A walk takes kWalkers lists in lockstep, so items are handed out sorted by
// length, and lists are padded up to the longest of their walk, and to a multiple of kNumbersPerLoad, with the number
// of a table row that is all zeros.
constexpr std::size_t kBitsPerList = 256;
constexpr std::size_t kWalkers = 8;
constexpr std::size_t kNumbersPerLoad = 4;
constexpr std::size_t kMaxItems = 256;
constexpr std::size_t kSpilled = 32;  // entries that may be written past the end of a list
constexpr std::size_t kListStride = kBitsPerList + kSpilled;
constexpr std::uint16_t kZeroRow = kBitsPerList;

struct BitLists {
  std::size_t walks = 0;
  std::uint16_t item[kMaxItems + kWalkers];     // walk w takes items kWalkers w .. ; kMaxItems is nobody
  std::uint16_t longest[kMaxItems / kWalkers];  // per walk, with the padding
  alignas(64) std::uint16_t list[(kMaxItems + 1) * kListStride];  // per item, and an empty one for nobody
};

// bits holds 32 bytes per item, bit k of an item in byte k / 8; items <= kMaxItems.
void build_lists(std::size_t items, const void* bits, BitLists& lists);

// The same lists of at most kRowsPerGroup items, one after another in their order, to be walked one by one: that of
// item i is lists[first[i] .. first[i + 1]], padded to a multiple of kNumbersPerLoad and never empty. lists has room
// for items * kBitsPerList + kSpilled entries.
void join_lists(std::size_t items, const void* bits, std::uint16_t* lists, std::uint16_t* first);

}  // namespace perpend::kernels
