// Members' scores on a grid over the square [-extent, extent]^2, and where they change sign. evaluate/score_grid.h
// makes it from an ensemble.
#pragma once

#include <cstddef>
#include <vector>

#include "perpend/records/model_view.h"

namespace perpend {

// Point (column c, row r) lies at x = extent (2 c / (columns - 1) - 1) and y = extent (1 - 2 r / (rows - 1)): the first
// row is the top one.
struct ScoreGrid {
  std::size_t columns = 0, rows = 0;
  float extent = 1;
  std::vector<std::vector<float>> scores;  // per member, row by row

  float x(double column) const;
  float y(double row) const;
  float score(std::size_t member, std::size_t column, std::size_t row) const {
    return scores[member][row * columns + column];
  }
  bool positive(std::size_t member, std::size_t column, std::size_t row) const {
    return score(member, column, row) > 0;
  }
};

// Returns the member's decision boundary, score = 0: lines by marching squares, with crossings placed by linear
// interpolation.
std::vector<std::vector<CurvePoint>> decision_boundary(const ScoreGrid& grid, std::size_t member);

}  // namespace perpend
