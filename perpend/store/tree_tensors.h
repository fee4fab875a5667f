// Boosted trees as the tensors of a model file (store/model_file.h).
//
// The trees are one after the other in flat lists. Every number takes four bytes:
//   trees.start          per output
//   trees.nodes          per tree, how many inner nodes it has (it has one more leaf)
//   trees.column, threshold, missing_left, left, right   per inner node, as in trees/tree.h
//   trees.set_words      per inner node, how many words its set of levels has
//   trees.words          the words of all sets
//   trees.value, weight  per leaf
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/trees/tree.h"

namespace perpend {

// The numbers that determine the sizes of all lists.
struct TreeSizes {
  std::size_t outputs = 0, trees = 0, nodes = 0, words = 0;
};
TreeSizes sizes_of(const BoostedTrees& trees);

struct TreeTensor {
  std::string_view name;
  std::string_view dtype;  // F32, I32 or U32
  std::size_t count = 0;
};
constexpr std::size_t kTreeTensors = 11;
// The tensors in the order of the file. trees.nodes, trees.column and trees.words have one number per tree, node and
// word.
std::array<TreeTensor, kTreeTensors> tree_tensors(const TreeSizes& sizes);

// All lists, in the order of the file.
std::string tree_bytes(const BoostedTrees& trees);

// `bytes` must have as many bytes as the sizes say. If counts do not add up, `problem` gets a few words about it, and
// the result has no trees. problem_of (trees/tree.h) checks everything else.
BoostedTrees trees_from_bytes(std::string_view bytes, const TreeSizes& sizes, std::string& problem);

}  // namespace perpend
