#include <algorithm>
#include <bit>

#include "perpend/trees/masked_trees.h"

namespace perpend {

RowBlock::RowBlock(InputsView rows) : rows_(rows.rows()), cells_(rows.cols() * kernels::kTreeRows, 0.0F) {
  PERPEND_CHECK(rows_ <= kernels::kTreeRows);
  float* const cells = cells_.data();
  for (std::size_t r = 0; r < rows_; ++r) {
    const float* const row = rows.row(r);
    for (std::size_t c = 0; c < rows.cols(); ++c) cells[c * kernels::kTreeRows + r] = row[c];
  }
}

MaskedTrees::MaskedTrees(std::span<const Tree> trees) : trees_(trees), places_(1) {
  for (const Tree& tree : trees) append(tree);
}

void MaskedTrees::append(const Tree& tree) {
  if (tree.leaves() <= kernels::kMostMaskedLeaves) append_nodes(tree);
  places_.push_back({missing_right_.size(), missing_left_.size(), levels_.size(), values_.size()});
}

void MaskedTrees::append_nodes(const Tree& tree) {
  // Children come behind their parents. So a backward pass has counted the leaves of both sides when it reaches a node.
  std::vector<std::uint32_t> leaves(tree.nodes(), 0);
  const auto leaves_below = [&](std::int32_t child) { return child < 0 ? 1 : leaves[static_cast<std::size_t>(child)]; };
  for (std::size_t n = tree.nodes(); n-- > 0;) leaves[n] = leaves_below(tree.left[n]) + leaves_below(tree.right[n]);

  const std::size_t first_value = values_.size();
  values_.resize(first_value + tree.leaves());
  std::vector<std::uint32_t> first(tree.nodes(), 0);  // the node's leftmost leaf, counted from the left
  const auto place = [&](std::int32_t child, std::uint32_t at) {
    if (child >= 0) {
      first[static_cast<std::size_t>(child)] = at;
    } else {
      values_[first_value + at] = tree.value[static_cast<std::size_t>(~child)];
    }
  };
  place(tree.nodes() > 0 ? 0 : ~0, 0);
  for (std::size_t n = 0; n < tree.nodes(); ++n) {
    const std::uint32_t lefts = leaves_below(tree.left[n]);  // below 32
    place(tree.left[n], first[n]);
    place(tree.right[n], first[n] + lefts);
    const std::uint32_t reachable = ~(((std::uint32_t{1} << lefts) - 1) << first[n]);
    const auto column = static_cast<std::uint32_t>(tree.column[n]);
    if (tree.is_category(n)) {
      const std::uint32_t word = tree.first_word[n];
      levels_.push_back({column, reachable, tree.words.data() + word, tree.first_word[n + 1] - word});
    } else {
      (tree.missing_left[n] != 0 ? missing_left_ : missing_right_).push_back({column, tree.threshold[n], reachable});
    }
  }
}

void MaskedTrees::add(std::size_t t, const RowBlock& block, double* scores) const {
  const Place& from = places_[t];
  const Place& to = places_[t + 1];
  if (from.values == to.values) {
    const Tree& tree = trees_[t];
    std::vector<float> row(block.columns());
    for (std::size_t r = 0; r < block.rows(); ++r) {
      for (std::size_t c = 0; c < row.size(); ++c) row[c] = block.cells()[c * kernels::kTreeRows + r];
      scores[r] += tree.value[tree.leaf_of(row.data())];
    }
    return;
  }
  std::uint32_t reachable[kernels::kTreeRows];
  kernels::reachable_leaves({.missing_right = missing_right_.data() + from.missing_right,
                             .missing_rights = to.missing_right - from.missing_right,
                             .missing_left = missing_left_.data() + from.missing_left,
                             .missing_lefts = to.missing_left - from.missing_left,
                             .levels = levels_.data() + from.levels,
                             .level_nodes = to.levels - from.levels},
                            block.cells(), reachable);
  const float* const values = values_.data() + from.values;
  for (std::size_t r = 0; r < block.rows(); ++r) scores[r] += values[std::countr_zero(reachable[r])];
}

namespace {

// With fewer rows, making masks costs more than it saves.
constexpr std::size_t kFewRows = 16;

void walk(const BoostedTrees& trees, InputsView rows, TreeScores& out) {
  const std::size_t outputs = trees.outputs();
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    std::vector<double> sums(trees.start.begin(), trees.start.end());
    for (std::size_t t = 0; t < trees.trees.size(); ++t) {
      sums[t % outputs] += trees.trees[t].value[trees.trees[t].leaf_of(rows.row(r))];
    }
    for (std::size_t k = 0; k < outputs; ++k) out(r, k) = static_cast<float>(sums[k]);
  }
}

}  // namespace

TreeScores score(const BoostedTrees& trees, InputsView rows, const Threads& threads) {
  TreeScores out(rows.rows(), trees.outputs());
  if (rows.rows() < kFewRows) {
    walk(trees, rows, out);
    return out;
  }
  const MaskedTrees masked(trees.trees);
  threads.for_each((rows.rows() + kernels::kTreeRows - 1) / kernels::kTreeRows, [&](std::size_t b) {
    const std::size_t first = b * kernels::kTreeRows;
    const RowBlock block(rows.middle_rows(first, std::min(kernels::kTreeRows, rows.rows() - first)));
    for (std::size_t k = 0; k < trees.outputs(); ++k) {
      double sums[kernels::kTreeRows];
      std::fill(std::begin(sums), std::end(sums), trees.start[k]);
      for (std::size_t t = k; t < masked.size(); t += trees.outputs()) masked.add(t, block, sums);
      for (std::size_t r = 0; r < block.rows(); ++r) out(first + r, k) = static_cast<float>(sums[r]);
    }
  });
  return out;
}

}  // namespace perpend
