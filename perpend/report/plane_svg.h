// What two members answer over a plane, as parts of an SVG: for pictures of boundaries on a table and on a surface.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "perpend/records/score_grid.h"

namespace perpend {

// A square of `side` as three paths of runs, a row of the grid at a time: classes both0, both1 (what both answer) and
// apart.
std::string shades_svg(const ScoreGrid& grid, double side);

// The member's decision boundary as the data of a path.
using ToPage = std::function<std::array<double, 2>(const GridPoint&)>;
std::string boundary_path(const ScoreGrid& grid, std::size_t member, const ToPage& to_page);

}  // namespace perpend
