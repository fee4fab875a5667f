// Trees prepared for kernels/trees.h, and rows in blocks of 64 as it needs them.
//
// Trees of up to 32 leaves take the kernel; larger ones are walked. Both add the same value.
#pragma once

#include <vector>

#include "perpend/kernels/trees.h"
#include "perpend/trees/tree.h"

namespace perpend {

// Up to 64 rows, one column after the other. Missing rows of a block are zeros.
class RowBlock {
 public:
  explicit RowBlock(InputsView rows);
  const float* cells() const { return cells_.data(); }
  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return cells_.size() / kernels::kTreeRows; }

 private:
  std::size_t rows_;
  AlignedVector<float> cells_;
};

class MaskedTrees {
 public:
  // The trees must be sound (problem_of), and must outlive this object.
  explicit MaskedTrees(std::span<const Tree> trees);

  std::size_t size() const { return trees_.size(); }
  // Adds the value of tree t for row r of the block to scores[r].
  void add(std::size_t t, const RowBlock& block, double* scores) const;

 private:
  struct Place {  // where a tree's nodes are in the lists
    std::size_t missing_right = 0, missing_left = 0, levels = 0, values = 0;
  };
  void append(const Tree& tree);
  void append_nodes(const Tree& tree);

  std::span<const Tree> trees_;
  std::vector<Place> places_;
  std::vector<kernels::NumberNode> missing_right_, missing_left_;
  std::vector<kernels::LevelNode> levels_;
  std::vector<float> values_;  // from left to right
};

}  // namespace perpend
