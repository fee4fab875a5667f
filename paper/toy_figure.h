// The paper's figure of decision boundaries on its four data sets with gaps, as SVG: data sets side by side, a row a
// method.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "perpend/records/model_view.h"

namespace perpend::paper {

constexpr double kToyExtent = 10;      // axes from -10 to 10
constexpr std::size_t kToySide = 100;  // grid points a side
constexpr std::int8_t kNoToyRow = -1;  // a grid point without a training row

struct ToyPanel {
  std::vector<std::string> caption;                              // lines
  std::vector<std::vector<std::vector<CurvePoint>>> boundaries;  // per member, its lines
};
struct ToyColumn {
  std::string title;
  std::vector<std::int8_t> cells;  // the grid row by row from the top: the class of the training row, or kNoToyRow
  std::vector<ToyPanel> panels;    // a panel a method
};
struct ToyFigure {
  std::vector<std::string> methods;
  std::vector<ToyColumn> columns;
};

// Member 1's boundary is orange, member 2's dashed blue, as in the paper.
std::string toy_figure_svg(const ToyFigure& figure);

}  // namespace perpend::paper
