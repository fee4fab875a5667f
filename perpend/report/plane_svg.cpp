#include "perpend/report/plane_svg.h"

#include <fmt/format.h>

namespace perpend {

namespace {

// Which of the three shades a point has.
std::size_t shade_at(const ScoreGrid& grid, std::size_t column, std::size_t row) {
  const bool first = grid.positive(0, column, row);
  return first != grid.positive(1, column, row) ? 2 : first ? 1 : 0;
}

}  // namespace

std::string shades_svg(const ScoreGrid& grid, double side) {
  const double step = side / static_cast<double>(grid.columns);
  std::array<std::string, 3> paths;
  for (std::size_t row = 0; row < grid.rows; ++row) {
    for (std::size_t first = 0, end = 0; first < grid.columns; first = end) {
      const std::size_t shade = shade_at(grid, first, row);
      while (end < grid.columns && shade_at(grid, end, row) == shade) ++end;
      paths[shade] += fmt::format("M{:.1f} {:.1f}h{:.1f}v{:.1f}h-{:.1f}z", static_cast<double>(first) * step,
                                  static_cast<double>(row) * step, static_cast<double>(end - first) * step, step + 0.2,
                                  static_cast<double>(end - first) * step);
    }
  }
  constexpr std::array<const char*, 3> kClasses = {"both0", "both1", "apart"};
  std::string svg;
  for (std::size_t i = 0; i < 3; ++i) svg += fmt::format("<path class=\"{}\" d=\"{}\"/>\n", kClasses[i], paths[i]);
  return svg;
}

std::string boundary_path(const ScoreGrid& grid, std::size_t member, const ToPage& to_page) {
  std::string path;
  for (const auto& line : decision_boundary(grid, member)) {
    char command = 'M';
    for (const GridPoint& p : line) {
      const auto [x, y] = to_page(p);
      path += fmt::format("{}{:.1f} {:.1f}", command, x, y);
      command = 'L';
    }
  }
  return path;
}

}  // namespace perpend
