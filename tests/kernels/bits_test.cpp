#include "perpend/kernels/bits.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "tests/support/targets.h"

namespace perpend::kernels {
namespace {

const StreamName kName{.seed = 5, .purpose = Purpose::dropout, .member = 2, .step = 9};

std::vector<std::uint64_t> random_words(std::size_t n, std::uint64_t seed) {
  const Stream stream({.seed = seed, .purpose = Purpose::test, .member = 0, .step = 0});
  std::vector<std::uint64_t> words(n);
  for (std::size_t i = 0; i < n; ++i) {
    words[i] = (static_cast<std::uint64_t>(stream.word(2 * i)) << 32) | stream.word(2 * i + 1);
  }
  return words;
}

TEST(DropoutMasks, AreTheStreamsMaskWordsOnEveryTarget) {
  for (const double keep : {1.0, 0.5, 0.8, 0.25, 1.0 / 65536}) {
    const KeepPlanes planes = keep_planes(keep);
    for (const std::size_t units : {0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100}) {
      test::on_every_target([&] {
        for (const std::uint64_t valid : {~std::uint64_t{0}, std::uint64_t{0x7F}}) {
          std::vector<std::uint64_t> mask(round_up(units, 32), 0);
          dropout_masks({.stream = kName, .keep = planes, .layer = 1, .group = 3, .valid = valid}, units, mask.data());
          for (std::uint32_t u = 0; u < units; ++u) {
            ASSERT_EQ(mask[u], mask_word(kName, planes, 1, 3, u) & valid) << keep << ' ' << units << ' ' << u;
          }
        }
      });
    }
  }
}

TEST(TransposeGroup, MovesEveryBitToItsRowOnEveryTarget) {
  for (const std::size_t units : {0, 1, 31, 32, 33, 127, 128, 129, 255, 256, 257, 300, 512, 513}) {
    const std::size_t chunks = (units + kUnitsPerChunk - 1) / kUnitsPerChunk;
    const auto words = random_words(units, 6);
    test::on_every_target([&] {
      for (std::size_t group = 0; group < kGroupsPerBlock; ++group) {
        std::vector<std::uint32_t> by_row(chunks * kWordsPerChunk, 0xDEADBEEF);
        std::uint32_t* first = by_row.data() + group * kRowsPerGroup * kWordsPerRow;
        transpose_group(units, words.data(), first);
        for (std::size_t u = 0; u < chunks * kUnitsPerChunk; ++u) {
          for (std::size_t r = 0; r < kRowsPerGroup; ++r) {
            const std::uint32_t word =
                first[(u / kUnitsPerChunk) * kWordsPerChunk + r * kWordsPerRow + u % kUnitsPerChunk / 32];
            const bool expected = u < units && ((words[u] >> r) & 1U) != 0;
            ASSERT_EQ(((word >> (u % 32)) & 1U) != 0, expected) << units << ' ' << group << ' ' << u << ' ' << r;
          }
        }
      }
    });
  }
}

// Items of very different lengths: none, all, one, and random bits of several densities.
std::vector<std::uint64_t> item_bits(std::size_t items) {
  auto words = random_words(4 * items, 7);
  const auto thin = random_words(4 * items, 8);
  for (std::size_t i = 0; i < items; ++i) {
    for (std::size_t w = 0; w < 4; ++w) {
      std::uint64_t& word = words[4 * i + w];
      if (i % 5 == 1) word = 0;
      if (i % 5 == 2) word = ~std::uint64_t{0};
      if (i % 5 == 3) word &= thin[4 * i + w];
      if (i % 5 == 4) word = w == i % 4 ? std::uint64_t{1} << (i % 64) : 0;
    }
  }
  return words;
}

// The order of the words of items. Rows store one item after the other; units store one word of all items after the
// other.
struct Order {
  const char* name;
  std::size_t item_words, word_words;
};
std::vector<Order> orders(std::size_t items) { return {{"rows", 4, 1}, {"units", 1, items}}; }

std::vector<std::uint64_t> in_order(const std::vector<std::uint64_t>& words, const Order& order) {
  std::vector<std::uint64_t> out(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) out[i / 4 * order.item_words + i % 4 * order.word_words] = words[i];
  return out;
}
ItemBits item_bits_of(const std::vector<std::uint64_t>& words, const Order& order) {
  return {.words = words.data(), .item_step = 8 * order.item_words, .word_step = 8 * order.word_words};
}

TEST(IndexLists, HoldEachItemsSetBitsAscendingOnEveryTarget) {
  for (const std::size_t items : {0, 1, 2, 7, 8, 9, 64, 255, 256}) {
    const auto bits = item_bits(items);
    for (const Order& order : orders(items)) {
      SCOPED_TRACE(order.name);
      const auto ordered = in_order(bits, order);
      test::on_every_target([&] {
        const auto lists = std::make_unique<IndexLists>();
        build_lists(items, item_bits_of(ordered, order), *lists);
        ASSERT_EQ(lists->bundles, (items + kListsPerBundle - 1) / kListsPerBundle);
        std::set<std::size_t> seen;
        for (std::size_t place = 0; place < lists->bundles * kListsPerBundle; ++place) {
          const std::size_t item = lists->item[place];
          const std::uint16_t* list = lists->list + item * kListStride;
          std::size_t length = 0;
          for (std::size_t k = 0; item < items && k < kBitsPerItem; ++k) {
            if (((bits[4 * item + k / 64] >> (k % 64)) & 1U) == 0) continue;
            ASSERT_EQ(list[length++], k) << items << ' ' << item;
          }
          const std::size_t longest = lists->longest[place / kListsPerBundle];
          ASSERT_LE(length, longest) << items << ' ' << item;
          for (std::size_t s = length; s < longest; ++s) ASSERT_EQ(list[s], kZeroRow) << items << ' ' << item;
          if (item < items) {
            EXPECT_TRUE(seen.insert(item).second) << item << " is in two bundles";
          } else {
            EXPECT_EQ(item, kMaxItems);
          }
        }
        EXPECT_EQ(seen.size(), items);
      });
    }
  }
}

TEST(JoinedLists, FollowEachOtherAscendingOnEveryTarget) {
  for (const std::size_t items : {1, 2, 9, 64}) {
    const auto bits = item_bits(items);
    test::on_every_target([&] {
      std::vector<std::uint16_t> lists(items * kBitsPerItem + kOverrun);
      std::vector<std::uint16_t> first(items + 1);
      join_lists(items, item_bits_of(bits, orders(items)[0]), lists.data(), first.data());
      EXPECT_EQ(first[0], 0);
      for (std::size_t i = 0; i < items; ++i) {
        std::size_t at = first[i];
        for (std::size_t k = 0; k < kBitsPerItem; ++k) {
          if (((bits[4 * i + k / 64] >> (k % 64)) & 1U) == 0) continue;
          ASSERT_EQ(lists[at++], k) << items << ' ' << i;
        }
        ASSERT_LT(first[i], first[i + 1]);
        ASSERT_EQ(first[i + 1] % kIndicesPerLoad, 0U);
        ASSERT_LT(first[i + 1], at + kIndicesPerLoad + (at == first[i] ? 1 : 0)) << items << ' ' << i;
        for (; at < first[i + 1]; ++at) ASSERT_EQ(lists[at], kZeroRow) << items << ' ' << i;
      }
    });
  }
}

}  // namespace
}  // namespace perpend::kernels
