#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "paper/manifold_figure.h"
#include "perpend/base/parallel.h"
#include "perpend/manifold/principal.h"
#include "perpend/model/predict.h"
#include "perpend/records/score_grid.h"
#include "perpend/report/plane_svg.h"

namespace perpend::paper {

namespace {

constexpr double kSide = 360;  // of a panel
constexpr double kMargin = 40;
constexpr double kGap = 40;
constexpr double kTop = 120;
constexpr double kBelow = kTop + kSide + 34;  // the surface
constexpr double kHeight = kBelow + kSide + 128;
constexpr std::size_t kPoints = 151;  // of the grid, per side
constexpr std::size_t kMesh = 61;     // of the surface, per side

constexpr const char* kStyle = R"(
  text { font-family: "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif; fill: #222 }
  .title { font-size: 22px; font-weight: 600 } .subtitle { font-size: 15px; fill: #555 }
  .panel { font-size: 18px; font-weight: 600 } .caption { font-size: 14px; fill: #333 }
  .axis { font-size: 14px; fill: #555; text-anchor: middle } .legend { font-size: 14px; fill: #333 }
  .both1 { fill: #dcebf5 } .both0 { fill: #fcecd2 } .apart { fill: #e9e2ee }
  .row1 { fill: #0072b2 } .row0 { fill: #c96a00 } .mesh { fill: none; stroke: #ccc; stroke-width: 0.7 }
  .member { fill: none; stroke-linejoin: round } .m1 { stroke: #111; stroke-width: 3 }
  .m2 { stroke: #d6246e; stroke-width: 3; stroke-dasharray: 9 6 }
)";

ScoreGrid grid_of(const Manifold& surface, const Ensemble& ensemble) {
  return {kPoints, kPoints, kChartExtent, chart_scores(surface, ensemble, kPoints)};
}

// Chart points to a panel.
struct Chart {
  double left;
  double x(double value) const { return left + kSide * (value + kChartExtent) / (2 * kChartExtent); }
  static double y(double value) { return kTop + kSide * (kChartExtent - value) / (2 * kChartExtent); }
};

// The surface as seen: its first principal direction to the right, the second up, tilted so that the third shows.
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
    for (std::size_t i = 0; i < kMesh * kMesh; ++i) {
      const auto p = flat(at(i % kMesh), at(i / kMesh));
      for (std::size_t c = 0; c < 2; ++c) {
        low_[c] = i == 0 ? p[c] : std::min(low_[c], p[c]);
        high_[c] = i == 0 ? p[c] : std::max(high_[c], p[c]);
      }
    }
  }
  static double at(std::size_t i) {
    return kChartExtent * (2 * static_cast<double>(i) / static_cast<double>(kMesh - 1) - 1);
  }
  std::array<double, 2> on_page(double left, double x, double y) const {
    const auto p = flat(x, y);
    const double scale = (kSide - 20) / std::max(high_[0] - low_[0], high_[1] - low_[1]);
    return {left + kSide / 2 + scale * (p[0] - (low_[0] + high_[0]) / 2),
            kBelow + kSide / 2 - scale * (p[1] - (low_[1] + high_[1]) / 2)};
  }

 private:
  std::array<double, 2> flat(double x, double y) const {
    const auto p = manifold_point(surface_, x, y).point;
    return {p[0] * right_[0] + p[1] * right_[1] + p[2] * right_[2], p[0] * up_[0] + p[1] * up_[1] + p[2] * up_[2]};
  }
  const Manifold& surface_;
  std::array<double, 3> right_{}, up_{};
  std::array<double, 2> low_{}, high_{};
};

std::string boundaries(const ScoreGrid& grid, const ToPage& to_page) {
  std::string svg;
  for (std::size_t m = 0; m < grid.scores.size(); ++m) {
    svg += fmt::format("<path class=\"member m{}\" d=\"{}\"/>\n", m + 1, boundary_path(grid, m, to_page));
  }
  return svg;
}

// Every eighth row, so that the picture stays small.
std::string training_rows(const ManifoldSet& rows, const ToPage& to_page) {
  std::string svg = "<g fill-opacity=\"0.7\">";
  for (std::size_t r = 0; r < rows.chart.rows(); r += 8) {
    const auto [x, y] = to_page(GridPoint{rows.chart(r, 0), rows.chart(r, 1)});
    if (rows.dataset.labels[r] == 1) {
      svg += fmt::format(R"(<circle class="row1" cx="{:.1f}" cy="{:.1f}" r="1.9"/>)", x, y);
    } else {
      svg += fmt::format(R"(<path class="row0" d="M{:.1f} {:.1f}l2.5 4.4h-5z"/>)", x, y - 2.6);
    }
  }
  return svg + "</g>\n";
}

std::string mesh(const View& view, double left) {
  constexpr std::size_t kEvery = 6;
  std::string path;
  for (const bool across : {true, false}) {
    for (std::size_t i = 0; i < kMesh; i += kEvery) {
      for (std::size_t j = 0; j < kMesh; ++j) {
        const auto p = view.on_page(left, View::at(across ? j : i), View::at(across ? i : j));
        path += fmt::format("{}{:.1f} {:.1f}", j == 0 ? 'M' : 'L', p[0], p[1]);
      }
    }
  }
  return fmt::format("<path class=\"mesh\" d=\"{}\"/>\n", path);
}

std::string panel_svg(const Manifold& surface, const ManifoldSet& rows, const ManifoldPanel& panel, const View& view,
                      double left) {
  const ScoreGrid grid = grid_of(surface, *panel.ensemble);
  const Chart chart{left};
  const auto to_chart = [&](const GridPoint& p) { return std::array{chart.x(p.x), Chart::y(p.y)}; };
  const auto to_surface = [&](const GridPoint& p) { return view.on_page(left, p.x, p.y); };
  std::string svg = fmt::format("<text class=\"panel\" x=\"{}\" y=\"{}\">{}</text>\n", left, kTop - 12, panel.title);
  svg += fmt::format("<g transform=\"translate({} {})\" shape-rendering=\"crispEdges\">\n{}</g>\n", left, kTop,
                     shades_svg(grid, kSide));
  svg += training_rows(rows, to_chart) + boundaries(grid, to_chart);
  svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#999\"/>\n", left, kTop,
                     kSide, kSide);
  svg += fmt::format("<text class=\"axis\" x=\"{}\" y=\"{}\">chart: x to the right, y up</text>\n", left + kSide / 2,
                     kTop + kSide + 20);
  svg += mesh(view, left) + training_rows(rows, to_surface) + boundaries(grid, to_surface);
  double y = kBelow + kSide + 8;
  for (const auto& line : panel.caption) {
    svg += fmt::format("<text class=\"caption\" x=\"{}\" y=\"{}\">{}</text>\n", left, y += 20, line);
  }
  return svg;
}

std::string legend(double y) {
  std::string svg;
  double x = kMargin;
  const auto item = [&](const std::string& mark, const char* text, double width) {
    svg += fmt::format(
        "<g transform=\"translate({:.0f} {:.0f})\">{}<text class=\"legend\" x=\"42\" y=\"5\">{}</text>"
        "</g>\n",
        x, y, mark, text);
    x += width;
  };
  const auto box = [](const char* shade) {
    return fmt::format(R"(<rect class="{}" x="14" y="-8" width="20" height="16" stroke="#bbb"/>)", shade);
  };
  item(R"(<path class="member m1" d="M0 0h34"/>)", "member 1", 130);
  item(R"(<path class="member m2" d="M0 0h34"/>)", "member 2", 130);
  item(R"(<circle class="row1" cx="24" cy="0" r="3"/>)", "row, right", 130);
  item(R"(<path class="row0" d="M24 -4l3.5 6h-7z"/>)", "row, left", 130);
  item(box("both1"), "both answer right", 180);
  item(box("both0"), "both answer left", 170);
  item(box("apart"), "they disagree", 150);
  return svg;
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

std::string draw_manifold_svg(const Manifold& surface, const ManifoldSet& rows,
                              const std::vector<ManifoldPanel>& panels) {
  const double width =
      2 * kMargin + kSide * static_cast<double>(panels.size()) + kGap * static_cast<double>(panels.size() - 1);
  const View view(surface, rows.dataset.inputs);
  std::string drawn;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    drawn += panel_svg(surface, rows, panels[i], view, kMargin + (kSide + kGap) * static_cast<double>(i));
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "role=\"img\" aria-labelledby=\"title\">\n<title id=\"title\">Decision boundaries of two members on a surface in "
      "three dimensions</title>\n<style>{2}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
      "<text class=\"title\" x=\"{3}\" y=\"42\">Independent where? In three dimensions, or along the surface</text>\n"
      "<text class=\"subtitle\" x=\"{3}\" y=\"68\">{4} training rows in two opposite quadrants of a curved surface; "
      "above its chart, below the surface itself.</text>\n{5}{6}</svg>\n",
      width, kHeight, kStyle, kMargin, rows.dataset.rows(), drawn, legend(kHeight - 22));
}

}  // namespace perpend::paper
