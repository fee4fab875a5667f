#include "perpend/report/boundary_picture.h"

#include <fmt/format.h>

namespace perpend {

namespace {

// Two hues that every kind of colour vision can tell apart: dark for rows and pale for answers. Members differ in their
// dashes, too.
constexpr Ink kMembers[] = {{.colour = "#111111", .width = 3.5, .radius = 0},
                            {.colour = "#d6246e", .dash = "10 7", .width = 3.5, .radius = 0}};
constexpr Ink kEdge = {.colour = "#ffffff", .width = 7, .opacity = 0.8};
constexpr Ink kNegativeRow = {.colour = "#c96a00", .shape = "triangle-up", .radius = 2.5, .opacity = 0.75};
constexpr Ink kPositiveRow = {.colour = "#0072b2", .radius = 2.4, .opacity = 0.75};
// Both answer 0, both answer 1, they disagree.
constexpr Ink kShades[] = {{.colour = "#fcecd2"}, {.colour = "#dcebf5"}, {.hatched = true}};

std::size_t shade_at(const ScoreGrid& grid, std::size_t column, std::size_t row) {
  const bool first = grid.positive(0, column, row);
  return first != grid.positive(1, column, row) ? 2 : first ? 1 : 0;
}

// Returns the axis value, from -extent to extent, of an edge of one of `count` cells.
double edge_of(const ScoreGrid& grid, std::size_t cell, std::size_t count) {
  return grid.extent * (2 * static_cast<double>(cell) / static_cast<double>(count) - 1);
}

PlotAxis plain_axis(float extent) { return {-static_cast<double>(extent), static_cast<double>(extent)}; }

}  // namespace

std::vector<Mark> shade_marks(const ScoreGrid& grid) {
  std::vector<Mark> marks;
  for (const Ink& ink : kShades) marks.push_back({MarkKind::boxes, ink});
  for (std::size_t row = 0; row < grid.rows; ++row) {
    for (std::size_t first = 0, end = 0; first < grid.columns; first = end) {
      const std::size_t shade = shade_at(grid, first, row);
      while (end < grid.columns && shade_at(grid, end, row) == shade) ++end;
      marks[shade].parts.push_back({{edge_of(grid, first, grid.columns), -edge_of(grid, row, grid.rows)},
                                    {edge_of(grid, end, grid.columns), -edge_of(grid, row + 1, grid.rows)}});
    }
  }
  return marks;
}

std::vector<Mark> boundary_marks(const ScoreGrid& grid, const std::function<CurvePoint(const CurvePoint&)>& place) {
  std::vector<Mark> edges, lines;
  for (std::size_t m = 0; m < grid.scores.size(); ++m) {
    auto parts = decision_boundary(grid, m);
    for (auto& line : parts) {
      for (auto& point : line) point = place ? place(point) : point;
    }
    edges.push_back({MarkKind::line, kEdge, parts});
    lines.push_back({MarkKind::line, kMembers[m], std::move(parts)});
  }
  edges.insert(edges.end(), lines.begin(), lines.end());
  return edges;
}

std::vector<Mark> row_marks(const PlaneRows& rows) {
  return {{MarkKind::markers, kNegativeRow, {rows.negative}}, {MarkKind::markers, kPositiveRow, {rows.positive}}};
}

std::vector<LegendItem> boundary_legend(const std::array<std::string, 2>& rows,
                                        const std::array<std::string, 2>& answers) {
  return {{"member 1", MarkKind::line, kMembers[0]},
          {"member 2", MarkKind::line, kMembers[1]},
          {rows[1], MarkKind::markers, kPositiveRow},
          {rows[0], MarkKind::markers, kNegativeRow},
          {"both answer " + answers[1], MarkKind::boxes, kShades[1]},
          {"both answer " + answers[0], MarkKind::boxes, kShades[0]},
          {"they disagree", MarkKind::boxes, kShades[2]}};
}

std::string boundary_picture(const PlaneRows& rows, const std::vector<BoundaryPanel>& panels) {
  Picture picture{.title = "What two networks answer where they saw nothing",
                  .subtitle = fmt::format("{} training rows in two opposite quadrants; x and y explain the classes "
                                          "equally well.",
                                          rows.negative.size() + rows.positive.size()),
                  .legend = boundary_legend({"row of class 0", "row of class 1"}, {"0", "1"}),
                  .columns = panels.size(),
                  .width = 420,
                  .height = 420};
  for (const auto& from : panels) {
    Panel panel{.title = from.title,
                .x = plain_axis(from.grid.extent),
                .y = plain_axis(from.grid.extent),
                .x_title = "x",
                .y_title = "y",
                .marks = shade_marks(from.grid),
                .caption = from.caption};
    for (auto&& marks : {row_marks(rows), boundary_marks(from.grid)}) {
      panel.marks.insert(panel.marks.end(), marks.begin(), marks.end());
    }
    panel.marks.push_back({MarkKind::text, {}, {{{-1.15, 0.4}}, {{1.15, -0.4}}}, "no training rows"});
    picture.panels.push_back(std::move(panel));
  }
  return picture_svg(picture);
}

}  // namespace perpend
