#include "perpend/records/score_grid.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace perpend {

namespace {

// A grid edge: from point (column, row) to its right (across = true) or lower neighbour. A boundary crosses an edge at
// most once, so edges name crossings.
struct Edge {
  std::size_t row, column;
  bool across;
  auto operator<=>(const Edge&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 trips over <=>
};

CurvePoint crossing(const ScoreGrid& grid, std::size_t member, const Edge& edge) {
  const float a = grid.score(member, edge.column, edge.row);
  const float b = grid.score(member, edge.column + (edge.across ? 1 : 0), edge.row + (edge.across ? 0 : 1));
  const double share = static_cast<double>(a) / (static_cast<double>(a) - static_cast<double>(b));
  return {grid.x(static_cast<double>(edge.column) + (edge.across ? share : 0)),
          grid.y(static_cast<double>(edge.row) + (edge.across ? 0 : share))};
}

using Links = std::map<Edge, std::vector<Edge>>;

// Joins the crossings around one cell two by two. Four of them (a saddle) are joined around the upper right and the
// lower left corner.
void link_cell(const ScoreGrid& grid, std::size_t member, std::size_t column, std::size_t row, Links& links) {
  const auto at = [&](std::size_t c, std::size_t r) { return grid.positive(member, column + c, row + r); };
  std::vector<Edge> crossed;
  if (at(0, 0) != at(1, 0)) crossed.push_back({row, column, true});
  if (at(1, 0) != at(1, 1)) crossed.push_back({row, column + 1, false});
  if (at(0, 1) != at(1, 1)) crossed.push_back({row + 1, column, true});
  if (at(0, 0) != at(0, 1)) crossed.push_back({row, column, false});
  for (std::size_t i = 0; i + 1 < crossed.size(); i += 2) {
    links[crossed[i]].push_back(crossed[i + 1]);
    links[crossed[i + 1]].push_back(crossed[i]);
  }
}

// Follows the links from `edge` to their end, and removes them.
std::vector<Edge> follow(Links& links, Edge edge) {
  std::vector<Edge> line = {edge};
  while (!links[edge].empty()) {
    const Edge next = links[edge].back();
    links[edge].pop_back();
    auto& back = links[next];
    back.erase(std::find(back.begin(), back.end(), edge));
    line.push_back(next);
    edge = next;
  }
  return line;
}

}  // namespace

float ScoreGrid::x(double column) const {
  return static_cast<float>(extent * (2 * column / static_cast<double>(columns - 1) - 1));
}
float ScoreGrid::y(double row) const {
  return static_cast<float>(extent * (1 - 2 * row / static_cast<double>(rows - 1)));
}

std::vector<std::vector<CurvePoint>> decision_boundary(const ScoreGrid& grid, std::size_t member) {
  Links links;
  for (std::size_t row = 0; row + 1 < grid.rows; ++row) {
    for (std::size_t column = 0; column + 1 < grid.columns; ++column) link_cell(grid, member, column, row, links);
  }
  std::vector<std::vector<CurvePoint>> lines;
  // Lines that end at the border start there. The rest are closed loops.
  for (const std::size_t ends : {1, 2}) {
    for (auto& [edge, neighbours] : links) {
      if (neighbours.size() != ends) continue;
      lines.emplace_back();
      for (const Edge& e : follow(links, edge)) lines.back().push_back(crossing(grid, member, e));
    }
  }
  return lines;
}

}  // namespace perpend
