// Decision trees over encoded rows (data/column_table.h), as plain values.
//
// An inner node asks one column. A row goes left or right until it comes to a leaf, and gets the leaf's value:
//   a number    goes left where x <= threshold; a missing one (NaN) goes to the side that missing_left says
//   a category  goes left where bit code + 1 of the node's set is 1. Code is the index of the level, the number of
//               levels where the cell is missing, -1 where training never saw the level. A bit behind the set is 0.
// A score is a sum of trees: start[k] + the values of trees k, k + K, k + 2 K ..., where K is the number of outputs. It
// is summed in double, in the order of the trees, and then rounded to float.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/base/parallel.h"
#include "perpend/data/column_table.h"

namespace perpend {

// Larger trees, and more of them, are neither grown nor loaded.
constexpr std::size_t kMostTreeLeaves = 1024;
constexpr std::size_t kMostTreeRounds = 2000;
// The largest number of nodes on a path. Contributions of longer paths lose all their digits (at 60 columns a few
// percent, at 100 everything), and take a time that grows with the square of the path.
constexpr std::size_t kMostTreeDepth = 32;

struct Tree {
  // Per inner node. Node 0 is the root, and a node comes before its children. A tree may be a single leaf.
  std::vector<std::int32_t> column = {};
  std::vector<float> threshold = {};                // 0 where the column is a category
  std::vector<std::uint8_t> missing_left = {};      // 0 or 1; 0 where the column is a category
  std::vector<std::int32_t> left = {}, right = {};  // child >= 0: that inner node; child < 0: leaf ~child
  std::vector<std::uint32_t> first_word = {0};      // inner nodes + 1: node n has words first_word[n] ..
  std::vector<std::uint32_t> words = {};            // .. first_word[n + 1] of these; a number has none
  // Per leaf.
  std::vector<float> value = {};
  std::vector<float> weight = {};  // of the training rows that came to the leaf; contributions() uses it

  std::size_t nodes() const { return column.size(); }
  std::size_t leaves() const { return value.size(); }
  bool is_category(std::size_t node) const { return first_word[node + 1] > first_word[node]; }
  bool goes_left(std::size_t node, float x) const;
  // The leaf that a row comes to. This defines the result of all functions that follow.
  std::size_t leaf_of(const float* row) const;
  bool operator==(const Tree&) const = default;
};

struct BoostedTrees {
  std::vector<float> start = {};  // per output: one log-odds for two classes, K logits for K > 2, one number
  std::vector<Tree> trees = {};   // tree t adds to output t % outputs()

  std::size_t outputs() const { return start.size(); }
  std::size_t rounds() const { return outputs() == 0 ? 0 : trees.size() / outputs(); }
  bool operator==(const BoostedTrees&) const = default;
};

// Trees are read from files that others wrote. Says in a few words why they cannot be used: sizes, children (each node
// has one parent and comes behind it), columns, sets, finite values. Empty: they are sound. `columns` are those of the
// table. All functions below need sound trees.
std::string problem_of(const BoostedTrees& trees, std::span<const ColumnTable> columns);

using TreeScores = Matrix<float, axis::Row, axis::Score>;

// (rows, outputs)
TreeScores score(const BoostedTrees& trees, InputsView rows, const Threads& threads);

}  // namespace perpend
