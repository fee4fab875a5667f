// Finds the best split of one column of one leaf, from a histogram of integers.
//
// A leaf has the sums G of gradients and H of hessians. Its best value is -G / (H + l2), where its loss is
// -G^2 / (2 (H + l2)). A split gains GL^2 / (HL + l2) + GR^2 / (HR + l2) - G^2 / (H + l2), which is twice the decrease
// of the loss.
//
// Gradients are integers here. One 64-bit word per row has the gradient in its upper half and the hessian in its lower
// half. Both are scaled so that no sum over all rows leaves its half (losses.h). A bin is the sum of its rows' words. A
// sum of integers does not depend on the order of adding, so threads and parts cannot change a bit, and a sibling's
// histogram is exactly the parent's less the child's.
//
// If columns have a direction, a leaf has a range that its value w must stay in (grow.h). Its best value is then the
// nearest one in the range, and a side's part of the gain is -(2 G w + (H + l2) w^2). A split of a number with a
// direction counts only if the sides' values are in its order. A split that only separates missing cells from known
// ones need not be in order.
#pragma once

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "perpend/base/direction.h"
#include "perpend/trees/bins.h"

namespace perpend {

inline std::int64_t pack(std::int32_t gradient, std::uint32_t hessian) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(static_cast<std::uint32_t>(gradient)) << 32U) +
         static_cast<std::int64_t>(hessian);
}
inline double gradient_of(std::int64_t word) { return static_cast<double>(word >> 32); }
inline std::uint32_t hessian_of(std::int64_t word) { return static_cast<std::uint32_t>(word); }

struct Split {
  double gain = 0;  // in integer units; 0: there is no split
  std::size_t column = 0;
  std::size_t last_left = 0;             // numbers: the last bin that goes left
  std::bitset<kMostTreeBins> left = {};  // the bins that go left
};

// The values that a leaf may have, in integer units: -G / (H + l2) of the integers.
struct ValueRange {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();

  double nearest(double value) const { return std::min(std::max(value, least), most); }
  bool is_all() const {
    return least == -std::numeric_limits<double>::infinity() && most == std::numeric_limits<double>::infinity();
  }
};

// The limits of each side.
struct LeafLimits {
  double l2 = 0;         // in integer units, as the hessians
  double smoothing = 0;  // pulls a level's mean gradient to 0 in the order of levels, and penalises such splits
  std::uint64_t least_hessian = 1;  // of each side, in integer units
  ValueRange range = {};
  Direction direction = Direction::none;  // of the column
};

// The best value of a leaf with this sum, in integer units.
inline double best_value(std::int64_t sum, double l2, const ValueRange& range) {
  return range.nearest(-gradient_of(sum) / (static_cast<double>(hessian_of(sum)) + l2));
}

// `bins` is the column's histogram, `total` its sum. Splits of numbers are tried from left to right, first with missing
// cells on the right, then on the left. Among equal gains the first counts. Up to four levels are tried one against the
// rest. More levels are ordered by their mean gradient, and split as numbers are (Fisher 1958; LightGBM). Bins without
// rows in the leaf, such as unseen levels, go to the side with the larger hessian.
Split best_split(const ColumnBins& column, const std::int64_t* bins, std::int64_t total, const LeafLimits& limits);

}  // namespace perpend
