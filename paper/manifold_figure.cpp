#include "paper/manifold_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "perpend/base/parallel.h"
#include "perpend/manifold/principal.h"
#include "perpend/model/predict.h"
#include "perpend/report/boundary_picture.h"

namespace perpend::paper {

namespace {

constexpr double kSide = 360;         // of a panel
constexpr std::size_t kPoints = 151;  // of the grid, per side
constexpr std::size_t kMesh = 61;     // of the surface, per side
constexpr Ink kMeshInk = {.colour = "#cccccc", .width = 0.7};

// The surface as it is seen: its first principal direction points right, the second up, and it is tilted so that the
// third shows.
class View {
 public:
  View(const Manifold& surface, const Inputs& rows) : surface_(surface) {
    constexpr double kTiltCosine = 0.8;
    constexpr double kTiltSine = 0.6;
    const auto principal = principal_directions(rows.view(), {}, Threads(1));
    for (std::size_t i = 0; i < 3; ++i) {
      right_[i] = principal.vectors(0, i);
      up_[i] = kTiltCosine * principal.vectors(1, i) + kTiltSine * principal.vectors(2, i);
    }
  }
  // Returns where a point of the chart is seen.
  CurvePoint operator()(const CurvePoint& chart) const {
    const auto p = manifold_point(surface_, chart.x, chart.y).point;
    return {p[0] * right_[0] + p[1] * right_[1] + p[2] * right_[2], p[0] * up_[0] + p[1] * up_[1] + p[2] * up_[2]};
  }

 private:
  const Manifold& surface_;
  std::array<double, 3> right_{}, up_{};
};

// Draws every sixth line of the chart's grid, both ways, as it is seen.
Mark mesh_of(const View& view) {
  constexpr std::size_t kEvery = 6;
  const auto at = [](std::size_t i) {
    return kChartExtent * (2 * static_cast<double>(i) / static_cast<double>(kMesh - 1) - 1);
  };
  Mark mesh{MarkKind::line, kMeshInk};
  for (const bool across : {true, false}) {
    for (std::size_t i = 0; i < kMesh; i += kEvery) {
      auto& line = mesh.parts.emplace_back();
      for (std::size_t j = 0; j < kMesh; ++j) line.push_back(view({at(across ? j : i), at(across ? i : j)}));
    }
  }
  return mesh;
}

// Takes every eighth row, so that the picture stays small.
PlaneRows rows_of(const ManifoldSet& set) {
  PlaneRows rows;
  for (std::size_t r = 0; r < set.chart.rows(); r += 8) {
    (set.dataset.labels[r] == 1 ? rows.positive : rows.negative).push_back({set.chart(r, 0), set.chart(r, 1)});
  }
  return rows;
}

PlaneRows seen(PlaneRows rows, const View& view) {
  for (auto* points : {&rows.negative, &rows.positive}) std::ranges::transform(*points, points->begin(), view);
  return rows;
}

void add(Panel& panel, std::vector<Mark> marks) {
  panel.marks.insert(panel.marks.end(), std::make_move_iterator(marks.begin()), std::make_move_iterator(marks.end()));
}

Panel chart_panel(const ManifoldPanel& from, const ScoreGrid& grid, const PlaneRows& rows) {
  const PlotAxis axis{-kChartExtent, kChartExtent};
  Panel panel{.title = from.title, .x = axis, .y = axis, .x_title = "chart: x to the right, y up"};
  add(panel, shade_marks(grid));
  add(panel, row_marks(rows));
  add(panel, boundary_marks(grid));
  return panel;
}

// The panel is as wide as a chart, and as high as the surface then is.
Panel surface_panel(const ManifoldPanel& from, const ScoreGrid& grid, const PlaneRows& rows, const View& view) {
  Panel panel{.marks = {mesh_of(view)}, .caption = from.caption, .framed = false};
  double low[2] = {1e300, 1e300};
  double high[2] = {-1e300, -1e300};
  for (const auto& line : panel.marks.front().parts) {
    for (const auto& p : line) {
      low[0] = std::min(low[0], p.x), high[0] = std::max(high[0], p.x);
      low[1] = std::min(low[1], p.y), high[1] = std::max(high[1], p.y);
    }
  }
  panel.x = {low[0], high[0]};
  panel.y = {low[1], high[1]};
  panel.height = kSide * (high[1] - low[1]) / (high[0] - low[0]);
  add(panel, row_marks(seen(rows, view)));
  add(panel, boundary_marks(grid, view));
  return panel;
}

}  // namespace

std::vector<std::vector<float>> chart_scores(const Manifold& surface, const Ensemble& ensemble, std::size_t side) {
  const ScoreGrid places{side, side, kChartExtent, {}};
  Inputs inputs(side * side, 3);
  for (std::size_t i = 0; i < side * side; ++i) {
    const std::size_t row = i / side;
    const auto p = manifold_point(surface, places.x(static_cast<double>(i % side)), places.y(static_cast<double>(row)));
    for (std::size_t c = 0; c < 3; ++c) inputs(i, c) = static_cast<float>(p.point[c]);
  }
  const auto scores = member_scores(ensemble, inputs.view(), Threads(1));
  std::vector<std::vector<float>> out(scores.members(), std::vector<float>(side * side));
  for (std::size_t m = 0; m < out.size(); ++m) {
    for (std::size_t i = 0; i < side * side; ++i) out[m][i] = scores[m](i, 0);
  }
  return out;
}

std::string manifold_figure_svg(const Manifold& surface, const ManifoldSet& set,
                                const std::vector<ManifoldPanel>& panels) {
  Picture picture{.title = "Independent where? In three dimensions, or along the surface",
                  .subtitle = fmt::format("{} training rows in two opposite quadrants of a curved surface; above its "
                                          "chart, below the surface itself.",
                                          set.dataset.rows()),
                  .legend = boundary_legend({"row, left", "row, right"}, {"left", "right"}),
                  .columns = panels.size(),
                  .width = kSide,
                  .height = kSide};
  const View view(surface, set.dataset.inputs);
  const PlaneRows rows = rows_of(set);
  std::vector<Panel> surfaces;
  for (const auto& panel : panels) {
    const ScoreGrid grid{kPoints, kPoints, kChartExtent, chart_scores(surface, *panel.ensemble, kPoints)};
    picture.panels.push_back(chart_panel(panel, grid, rows));
    surfaces.push_back(surface_panel(panel, grid, rows, view));
  }
  picture.panels.insert(picture.panels.end(), surfaces.begin(), surfaces.end());
  return picture_svg(picture);
}

}  // namespace perpend::paper
