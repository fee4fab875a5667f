// What columns are worth to an ensemble, and how its answers change with one column, as plain values.
// evaluate/permutation.h and evaluate/dependence.h make and define them; pages, JSON and tables show them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace perpend {

// How much the loss grows when a column of the user's table is shuffled.
struct ColumnWorth {
  std::string name;
  double increase = 0;          // of the ensemble's loss: the mean over repeats
  double standard_error = 0;    // of this mean, over repeats
  std::vector<double> members;  // the same increase of each member's own loss

  double least() const { return std::ranges::min(members); }
  double most() const { return std::ranges::max(members); }
  // Whether shuffling moves the loss by more than the shuffles differ among themselves.
  bool is_seen() const { return std::abs(increase) > 2 * standard_error; }
};

struct ColumnsWorth {
  std::string loss_name;    // "log-loss", "squared error", ...
  std::size_t rows = 0;     // that were shuffled, evenly spread over the table
  std::size_t of = 0;       // how many rows there are
  std::size_t repeats = 0;  // shuffles of each column
  double loss = 0;          // of the ensemble, before
  std::vector<double> member_losses;
  std::vector<ColumnWorth> columns;  // in the table's order
};

// The mean answer over rows, at each point of a column.
struct DependenceCurve {
  std::string of_class;  // whose probability this is; empty: the prediction of a number
  std::vector<double> ensemble;
  std::vector<std::vector<double>> members;
};

struct Dependence {
  std::string column;
  bool is_number = true;
  std::vector<double> numbers;                     // the points of a number, ascending
  std::vector<std::optional<std::string>> levels;  // those of a category, the most frequent first; nothing: missing
  std::size_t rows = 0;                            // that the means are over, evenly spread over the table
  std::size_t of = 0;                              // how many rows there are
  std::vector<DependenceCurve> curves;             // one; with more than two classes one per class

  std::size_t points() const { return is_number ? numbers.size() : levels.size(); }
};

}  // namespace perpend
