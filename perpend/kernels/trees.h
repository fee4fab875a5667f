// Finds the leaf of a tree that each of 64 rows comes to, without following a path.
//
// A tree has at most 32 leaves, numbered from left to right, and a word with one bit per leaf. Where a row goes right
// at a node, no leaf of the node's left side can be reached: `leaves` of the node clears their bits. After all nodes,
// in any order, the lowest bit that is left is the row's leaf (Lucchese et al., QuickScorer, 2015). Every node costs
// one compare and one AND per vector of rows; a walk would wait for memory at each step.
#pragma once

#include <cstddef>
#include <cstdint>

namespace perpend::kernels {

constexpr std::size_t kTreeRows = 64;
constexpr std::size_t kMostMaskedLeaves = 32;

struct NumberNode {
  std::uint32_t column = 0;
  float threshold = 0;
  std::uint32_t leaves = 0;  // bits of the leaves that a row can still reach when it goes right
};
struct LevelNode {
  std::uint32_t column = 0;
  std::uint32_t leaves = 0;
  const std::uint32_t* words = nullptr;  // bit code + 1 is 1: the code goes left
  std::uint32_t count = 0;               // number of words
};

struct MaskedTree {
  const NumberNode* missing_right = nullptr;  // go right unless x <= threshold
  std::size_t missing_rights = 0;
  const NumberNode* missing_left = nullptr;  // go right where x > threshold
  std::size_t missing_lefts = 0;
  const LevelNode* levels = nullptr;
  std::size_t level_nodes = 0;
};

// x has 64 numbers per column, one column after the other. reachable[r] becomes the bits of the leaves that row r can
// still reach.
void reachable_leaves(const MaskedTree& tree, const float* x, std::uint32_t* reachable);

namespace reference {

// The twin for one row: its column c is x[c * kTreeRows].
inline std::uint32_t reachable_leaves(const MaskedTree& tree, const float* x) {
  std::uint32_t reachable = ~std::uint32_t{0};
  for (std::size_t i = 0; i < tree.missing_rights; ++i) {
    const NumberNode& node = tree.missing_right[i];
    if (!(x[node.column * kTreeRows] <= node.threshold)) reachable &= node.leaves;
  }
  for (std::size_t i = 0; i < tree.missing_lefts; ++i) {
    const NumberNode& node = tree.missing_left[i];
    if (x[node.column * kTreeRows] > node.threshold) reachable &= node.leaves;
  }
  for (std::size_t i = 0; i < tree.level_nodes; ++i) {
    const LevelNode& node = tree.levels[i];
    const auto bit = static_cast<std::uint32_t>(x[node.column * kTreeRows] + 1);
    const bool left = bit / 32 < node.count && (node.words[bit / 32] >> bit % 32 & 1U) != 0;
    if (!left) reachable &= node.leaves;
  }
  return reachable;
}

}  // namespace reference

}  // namespace perpend::kernels
