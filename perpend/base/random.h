// Random numbers that depend on their name only.
//
// A stream is named by (seed, purpose, member, step) and has 2^64 words; word i is a pure function of the name and i
// (Philox4x32-10 of Random123, Salmon et al. 2011). Nothing is shared and nothing advances, so any thread may draw any
// number at any time and get the same one. The maps to uniform, normal, permutation and Bernoulli bits are our own.
// They use only correctly rounded operations, so they give the same bits on every machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace perpend {

enum class Purpose : std::uint8_t {
  test = 0,
  init = 1,           // first weights; step = layer
  dropout = 2,        // masks; step = training step
  shuffle = 3,        // order of rows; step = epoch
  split = 4,          // train, validation, test
  generate = 5,       // generated data sets
  bootstrap = 6,      // rows drawn with replacement
  interval = 7,       // the same, for confidence intervals; step = replicate
  perturb = 8,        // points near a row: starts of an ascent, Gaussian noise
  unlabeled = 9,      // order of rows without labels; step = pass
  tree_rows = 10,     // which rows a tree is grown on; step = round
  tree_columns = 11,  // which columns a tree may split; step = tree
  permute = 12,       // order of a column's cells, to measure its importance; member = column, step = repeat
  marks = 13,     // the questions that marks answer, and numbers for places of a column; member = question or column
  compare = 14,   // which rows two sets exchange in a permutation test; step = permutation
  ask = 15,       // which rows to label
  subspace = 16,  // which columns a member sees
};

struct StreamName {
  std::uint64_t seed = 0;
  Purpose purpose = Purpose::test;
  std::uint32_t member = 0;  // below 2^24
  std::uint32_t step = 0;
};

// The 128-bit counter of a stream's block: low and high half of the block index, step, then purpose and member.
std::array<std::uint32_t, 4> counter_of(const StreamName& name, std::uint64_t block);

class Stream {
 public:
  explicit Stream(const StreamName& name) : name_(name) {}

  std::array<std::uint32_t, 4> block(std::uint64_t index) const;  // words 4 index .. 4 index + 3
  std::uint32_t word(std::uint64_t index) const { return block(index / 4)[index % 4]; }
  // In [0, 1), a multiple of 2^-24: the top 24 bits of word(index).
  float uniform(std::uint64_t index) const { return static_cast<float>(word(index) >> 8) * 0x1p-24F; }
  // In (0, 1), an odd multiple of 2^-53 from words 2 index and 2 index + 1: never 0, never 1.
  double uniform_open(std::uint64_t index) const;
  // Standard normal: the inverse distribution function (Wichura's AS 241) of uniform_open(index).
  double normal(std::uint64_t index) const;
  // In [0, n): the high half of a 64-bit word times n (bias below n / 2^64).
  std::uint64_t below(std::uint64_t index, std::uint64_t n) const;
  // 0 .. n-1 in random order (Fisher and Yates from the end; element i is drawn with below(i)).
  std::vector<std::uint32_t> permutation(std::size_t n) const;

 private:
  StreamName name_;
};

// The inverse of the standard normal distribution function, for 0 < probability < 1. It has the same bits on every
// machine.
double normal_quantile(double probability);

// Drop-out masks: bit r of mask_word(name, keep, layer, group, unit) says whether row 64 group + r keeps hidden unit
// `unit` of `layer`. keep is rounded to a multiple of 2^-16. So it is a sum over planes j of b_j 2^-(j+1), where each
// b_j is 0 or 1 and b_last = 1. The mask starts as all zeros. For each plane, from the last to the first, a random word
// w changes it:
//     mask = b_j ? (mask | w) : (mask & w)
// So each bit is one with probability exactly keep, and keep = 1/2 costs one random bit per unit.
// Half s (0 low, 1 high) of the 64-bit w of (unit u, plane j) is word (i, o) of the stream, where
//     n = 2 u + s,  o = (n mod 64) / 16,  i = 16 (n / 64) + n mod 16
// and i is the low half of the block index and (layer 2^24 + plane 2^16 + group) the high half. Sixteen neighbouring
// blocks thus give 64 consecutive words, which suits any vector of up to 16 lanes.
constexpr std::size_t kRowsPerGroup = 64;
struct KeepPlanes {
  int count = 0;           // 0 means: keep everything
  std::uint32_t bits = 0;  // bit j is b_j
};
KeepPlanes keep_planes(double keep);
double rounded_keep(double keep);  // the probability that keep_planes(keep) stands for
std::uint32_t mask_block_high(std::uint32_t layer, int plane, std::uint32_t group);
std::uint64_t mask_word(const StreamName& name, const KeepPlanes& keep, std::uint32_t layer, std::uint32_t group,
                        std::uint32_t unit);

}  // namespace perpend
