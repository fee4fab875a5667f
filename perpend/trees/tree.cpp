#include "perpend/trees/tree.h"

#include <cmath>

#include "perpend/base/message.h"

namespace perpend {

bool Tree::goes_left(std::size_t node, float x) const {
  if (!is_category(node)) return x <= threshold[node] || (std::isnan(x) && missing_left[node] != 0);
  const auto bit = static_cast<std::size_t>(x + 1);
  const std::size_t word = first_word[node] + bit / 32;
  return word < first_word[node + 1] && (words[word] >> bit % 32 & 1U) != 0;
}

std::size_t Tree::leaf_of(const float* row) const {
  if (nodes() == 0) return 0;
  std::int32_t at = 0;
  while (at >= 0) {
    const auto node = static_cast<std::size_t>(at);
    at = goes_left(node, row[column[node]]) ? left[node] : right[node];
  }
  return static_cast<std::size_t>(~at);
}

namespace {

std::string split_problem(const Tree& tree, std::size_t node, std::span<const ColumnTable> columns) {
  const std::int32_t column = tree.column[node];
  if (column < 0 || static_cast<std::size_t>(column) >= columns.size()) {
    return "asks column " + std::to_string(column) + " of " + std::to_string(columns.size());
  }
  if (!std::isfinite(tree.threshold[node])) return "has a threshold that is not a number";
  if (tree.missing_left[node] > 1) return "sends missing cells neither left nor right";
  const ColumnTable& table = columns[static_cast<std::size_t>(column)];
  if (tree.is_category(node) != table.is_category) {
    return std::string("asks a column of ") +
           (table.is_category ? "categories for a number" : "numbers for a category");
  }
  if (table.is_category && (tree.threshold[node] != 0 || tree.missing_left[node] != 0)) {
    return "has a set of levels, and a threshold or a side for missing cells too";
  }
  const std::size_t words = tree.first_word[node + 1] - tree.first_word[node];
  if (table.is_category && words > (table.means.size() + 2 + 31) / 32)
    return "has a set of more levels than its column";
  return {};
}

// Counts the parents of every node and leaf. A child comes behind its parent. So if each has one parent, there is no
// cycle and everything can be reached.
std::string child_problem(const Tree& tree) {
  std::vector<bool> has_parent(tree.nodes() + tree.leaves(), false);
  for (std::size_t node = 0; node < tree.nodes(); ++node) {
    for (const std::int32_t child : {tree.left[node], tree.right[node]}) {
      const bool inner = child >= 0;
      const auto index = static_cast<std::size_t>(inner ? child : ~child);
      if (index >= (inner ? tree.nodes() : tree.leaves())) return "has a child that does not exist";
      if (inner && index <= node) return "has a child that comes before it";
      const std::size_t place = inner ? index : tree.nodes() + index;
      if (has_parent[place]) return "shares a child with another node";
      has_parent[place] = true;
    }
  }
  return {};
}

// One pass is enough, because parents come before their children.
bool is_too_deep(const Tree& tree) {
  std::vector<std::size_t> depth(tree.nodes(), 1);
  for (std::size_t node = 0; node < tree.nodes(); ++node) {
    if (depth[node] > kMostTreeDepth) return true;
    for (const std::int32_t child : {tree.left[node], tree.right[node]}) {
      if (child >= 0) depth[static_cast<std::size_t>(child)] = depth[node] + 1;
    }
  }
  return false;
}

std::string tree_problem(const Tree& tree, std::span<const ColumnTable> columns) {
  const std::size_t nodes = tree.nodes();
  if (tree.leaves() > kMostTreeLeaves) return "has more than " + thousands(kMostTreeLeaves) + " leaves";
  for (const std::size_t size :
       {tree.threshold.size(), tree.missing_left.size(), tree.left.size(), tree.right.size()}) {
    if (size != nodes) return "has arrays of different lengths";
  }
  if (tree.leaves() != nodes + 1 || tree.weight.size() != nodes + 1 || tree.first_word.size() != nodes + 1) {
    return "has arrays of different lengths";
  }
  for (std::size_t node = 0; node < nodes; ++node) {
    if (tree.first_word[node + 1] < tree.first_word[node]) return "has a set that ends before it begins";
  }
  if (tree.first_word.front() != 0 || tree.first_word.back() != tree.words.size()) return "has sets of another length";
  for (std::size_t node = 0; node < nodes; ++node) {
    const std::string problem = split_problem(tree, node, columns);
    if (!problem.empty()) return "node " + std::to_string(node) + " " + problem;
  }
  const std::string problem = child_problem(tree);
  if (!problem.empty()) return "a node " + problem;
  if (is_too_deep(tree)) return "has more than " + std::to_string(kMostTreeDepth) + " nodes one below the other";
  for (std::size_t leaf = 0; leaf <= nodes; ++leaf) {
    if (!std::isfinite(tree.value[leaf])) return "a leaf has a value that is not a number";
    if (!(tree.weight[leaf] > 0) || !std::isfinite(tree.weight[leaf])) return "a leaf has no weight";
  }
  return {};
}

}  // namespace

std::string problem_of(const BoostedTrees& trees, std::span<const ColumnTable> columns) {
  if (trees.outputs() == 0) return "the trees have no output";
  if (trees.trees.size() % trees.outputs() != 0) return "the trees do not come in whole rounds";
  for (const float start : trees.start) {
    if (!std::isfinite(start)) return "the trees start at a score that is not a number";
  }
  for (std::size_t t = 0; t < trees.trees.size(); ++t) {
    const std::string problem = tree_problem(trees.trees[t], columns);
    if (!problem.empty()) return "tree " + std::to_string(t) + ": " + problem;
  }
  return {};
}

}  // namespace perpend
