// How the columns of a table enter a network: the first layer as one small table of weights per column.
//
// A row of encoded inputs has one number per column of the user's table:
//   a number     z = (x - mean) / sd; NaN where the cell is missing
//   a category   the index of its level; the number of levels where the cell is missing, -1 where training never saw it
// A view turns that number into the inputs of the first layer:
//   linear       a number is one input, z itself
//   piecewise    a number is K inputs, ramps that rise from 0 to 1 between two edges: clamp((z - e_k) / (e_k+1 - e_k),
//                0, 1). Between the edges the network is piecewise linear in z; outside them it stays constant.
//   In both views a category has one input per level, which is 1 at its level and else 0. If a column has missing cells
//   in training, it has one more input, which is 1 where the cell is missing.
// Two views are for one member each, and these are the last members:
//   logistic     a logistic regression (train/logistic.h) over the inputs of the linear view
//   trees        boosted trees (trees/boost.h), which split the encoded numbers themselves
// Every input is centred by its training mean. That trains far better than ramps that are mostly 1. A value that
// training never saw (a new level, a first missing cell) enters as the mean: all inputs of the column are 0.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/base/matrix.h"

namespace perpend {

enum class View { linear, piecewise, logistic, trees };
std::string_view word_of(View view);
const View* find_view(std::string_view word);  // nullptr if there is none

// The words of several views, such as "linear,piecewise".
std::string words_of(const std::vector<View>& views);

// Whether networks have this view. Any number of networks may have it. Each other view has one member.
bool is_for_networks(View view);
bool has_view(const std::vector<View>& views, View view);
// The view of each member. Networks take linear and piecewise in turn. A logistic regression and boosted trees would be
// the same every time, so there is one member of each. They are the last members, in this order. Members beyond the end
// of the list start again at its beginning.
std::vector<View> member_views(const std::vector<View>& views, std::size_t members);

struct ColumnTable {
  // For numbers: K + 1 ascending edges in encoded units. With fewer than three edges the column is linear in every
  // view.
  std::vector<float> edges = {};
  // For numbers: the mean of each of the K ramps over the known training cells. For categories: the share of each
  // level.
  std::vector<float> means = {};
  bool is_category = false;
  float missing = 0;  // the share of missing cells in training; if it is 0, a missing cell has no input of its own

  bool has_ramps() const { return edges.size() > 2; }
  bool operator==(const ColumnTable&) const = default;
};

// Narrower bins are merged with their neighbours, because slopes of 1e6 per standard deviation would drown the penalty.
constexpr double kNarrowestBin = 0.02;
constexpr int kMostBins = 256;

// Finds all means, and edges at quantiles of the training rows. If a column has few values, it has an edge at each.
// `levels` has the number of levels of each column, 0 for numbers.
std::vector<ColumnTable> fit_columns(InputsView rows, std::span<const std::size_t> levels, int bins);

// The number of bins if the user gives none: 16, or 8 below 2,500 rows, because finer bins would have too few rows
// each.
int default_bins(std::size_t rows);

}  // namespace perpend
