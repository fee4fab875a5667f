// Grows one tree on the gradients of one round, leaf by leaf. The split that gains most comes next, wherever it is.
//
// Columns may have a direction. Say the score must not fall along `income`. A split of income is allowed only if the
// left value is at most the right one. Their mid value then bounds both sides: all leaves of the left subtree stay at
// or below it, and those of the right subtree at or above it. (XGBoost and LightGBM have the same "basic"
// construction.) Two rows that differ in income alone go the same way until a split of income separates them. The row
// with less income goes left, so its leaf is at most the mid value and the other's at least. So each tree obeys the
// direction exactly, for all possible rows. Their sum does too, because adding rounded numbers never swaps two. Missing
// cells are on neither side of the order.
#pragma once

#include <span>
#include <vector>

#include "perpend/base/parallel.h"
#include "perpend/trees/split.h"
#include "perpend/trees/tree.h"

namespace perpend {

struct GrowOptions {
  std::size_t leaves = 31;  // at most
  // Of each side, by weight. The rows of a side are estimated by its share of the leaf's hessian, as LightGBM does.
  // That is exact if all rows have the same hessian.
  double min_rows = 20;
  double min_hessian = 1e-3;
  double l2 = 0;
  double level_smoothing = 10;  // in units of hessian: a handicap for splits of categories with many levels
  double rate = 0.1;            // factor on a leaf's best value
  Directions directions = {};   // of the columns; a category has none
};

// One word per row (split.h). A gradient is its integer times `gradient_unit`, a hessian its integer times
// `hessian_unit`.
struct PackedGradients {
  AlignedVector<std::int64_t> words = {};
  double gradient_unit = 1;
  double hessian_unit = 1;
};

// Memory that all trees of a training share. The rows and threads must outlive it.
class Grower {
 public:
  // `weights` has one entry per row; empty: every row counts once.
  Grower(const BinnedRows& rows, std::span<const float> weights, const GrowOptions& options, const Threads& threads);
  Grower(const BinnedRows&, std::span<const float>, const GrowOptions&, Threads&&) = delete;  // it keeps a reference

  // Grows on these rows, and asks only these columns. Both are in ascending order.
  Tree grow(const PackedGradients& gradients, std::span<const std::uint32_t> rows,
            std::span<const std::size_t> columns);

  // The rows of a leaf of the last tree.
  std::span<const std::uint32_t> rows_of(std::size_t leaf) const {
    return {rows_.data() + leaves_[leaf].first, leaves_[leaf].end - leaves_[leaf].first};
  }

 private:
  struct Leaf {
    std::size_t first = 0, end = 0;  // into rows_
    std::int64_t sum = 0;
    double weight = 0;
    std::size_t histogram = 0;  // which of histograms_
    std::size_t parent = 0;     // the node that it is a child of
    bool is_left = false;
    std::size_t depth = 0;  // number of nodes above it
    ValueRange range = {};  // of the leaf's value
    Split split = {};
    std::size_t rows() const { return end - first; }
  };

  double weight_of(std::size_t first, std::size_t end) const;
  Direction direction_of(std::size_t column) const;
  LeafLimits limits_of(const Leaf& leaf, Direction direction = Direction::none) const;
  bool may_split(const Leaf& leaf) const;
  std::int64_t* bins_of(std::size_t histogram, std::size_t column);
  void search(Leaf& smaller, Leaf* larger);
  void build(const Leaf& leaf, std::size_t block, std::size_t part, std::size_t parts);
  void search_column(std::size_t column, std::size_t parts, Leaf& smaller, Leaf* larger);
  std::size_t divide(const Leaf& leaf);
  void append_node(Tree& tree, const Leaf& leaf) const;
  void bound_sides(const Leaf& parent, Leaf& left, Leaf& right) const;
  float value_of(const Leaf& leaf) const;
  void split(std::size_t leaf, Tree& tree);

  const BinnedRows& binned_;
  std::span<const float> weights_;
  GrowOptions options_;
  const Threads& threads_;

  const PackedGradients* gradients_ = nullptr;
  std::vector<std::uint8_t> asked_;    // by column
  std::vector<std::uint32_t> rows_;    // the rows of a leaf are contiguous, in ascending order
  std::vector<std::uint32_t> rights_;  // room for the rows that go right
  std::vector<Leaf> leaves_;
  AlignedVector<std::int64_t> histograms_;  // (leaves, columns, 256)
  AlignedVector<std::int64_t> parts_;       // (parts - 1, columns, 256): histograms of parts of the rows
  std::vector<Split> found_;                // (two leaves, columns)
};

}  // namespace perpend
