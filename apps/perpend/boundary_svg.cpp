#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "apps/perpend/boundary_picture.h"
#include "perpend/report/plane_svg.h"

namespace perpend::app {

namespace {

constexpr double kSide = 420;  // of a panel
constexpr double kMargin = 40;
constexpr double kTop = 118;
constexpr double kGap = 60;
constexpr double kHeight = kTop + kSide + 136;
constexpr std::size_t kPoints = 201;  // of the grid, per side

// Two hues that every kind of colour vision tells apart, dark for rows and pale for answers; members differ in dash
// too.
constexpr const char* kStyle = R"(
  text { font-family: "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif; fill: #222 }
  .title { font-size: 22px; font-weight: 600 } .subtitle { font-size: 15px; fill: #555 }
  .panel { font-size: 18px; font-weight: 600 } .caption { font-size: 14px; fill: #333 }
  .note { font-size: 14px; fill: #555; font-style: italic; text-anchor: middle; paint-order: stroke; stroke: #fff;
          stroke-opacity: 0.8; stroke-width: 4px; stroke-linejoin: round }
  .axis { font-size: 14px; fill: #555; text-anchor: middle } .legend { font-size: 14px; fill: #333 }
  .both1 { fill: #dcebf5 } .both0 { fill: #fcecd2 } .apart { fill: url(#hatch) }
  .row1 { fill: #0072b2 } .row0 { fill: #c96a00 }
  .halo { fill: none; stroke: #fff; stroke-opacity: 0.8; stroke-width: 7 }
  .member { fill: none; stroke-linejoin: round } .m1 { stroke: #111; stroke-width: 3.5 }
  .m2 { stroke: #d6246e; stroke-width: 3.5; stroke-dasharray: 10 7 }
)";

struct Frame {
  double left;
  double x(double value) const { return left + kSide * (value + kPicturedExtent) / (2 * kPicturedExtent); }
  static double y(double value) { return kTop + kSide * (kPicturedExtent - value) / (2 * kPicturedExtent); }
};

std::string mark(double x, double y, bool positive) {
  if (positive) return fmt::format(R"(<circle class="row1" cx="{:.1f}" cy="{:.1f}" r="2.6"/>)", x, y);
  return fmt::format(R"(<path class="row0" d="M{:.1f} {:.1f}l3.2 5.6h-6.4z"/>)", x, y - 3.4);
}

std::string training_rows(const Dataset& rows, const Frame& frame) {
  std::string svg = "<g fill-opacity=\"0.75\">";
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    svg += mark(frame.x(rows.inputs(r, 0)), Frame::y(rows.inputs(r, 1)), rows.labels[r] == 1);
  }
  return svg + "</g>\n";
}

// Light edges below both lines, so that member 1 shows between the dashes of member 2 where they run together.
std::string boundaries(const ScoreGrid& grid, const Frame& frame) {
  const auto to_page = [&](const GridPoint& p) { return std::array{frame.x(p.x), Frame::y(p.y)}; };
  std::string halos, lines;
  for (std::size_t m = 0; m < grid.scores.size(); ++m) {
    const std::string path = boundary_path(grid, m, to_page);
    halos += fmt::format("<path class=\"halo\" d=\"{}\"/>\n", path);
    lines += fmt::format("<path class=\"member m{}\" d=\"{}\"/>\n", m + 1, path);
  }
  return halos + lines;
}

std::string panel_svg(const Panel& panel, const Dataset& rows, const Frame& frame, std::size_t index) {
  const ScoreGrid grid = score_grid(*panel.ensemble, kPoints, kPoints, kPicturedExtent);
  std::string svg =
      fmt::format("<text class=\"panel\" x=\"{}\" y=\"{}\">{}</text>\n", frame.left, kTop - 14, panel.title);
  svg += fmt::format(
      "<g transform=\"translate({} {})\" clip-path=\"url(#square)\" shape-rendering=\"crispEdges\">\n{}</g>\n",
      frame.left, kTop, shades_svg(grid, kSide));
  svg += training_rows(rows, frame);
  svg += fmt::format("<g clip-path=\"url(#panel{})\">\n{}</g>\n", index, boundaries(grid, frame));
  for (const double side : {-1.0, 1.0}) {
    svg += fmt::format("<text class=\"note\" x=\"{:.0f}\" y=\"{:.0f}\">no training rows</text>\n", frame.x(side * 1.15),
                       Frame::y(-side * 0.4));
  }
  svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#999\"/>\n", frame.left,
                     kTop, kSide, kSide);
  svg += fmt::format("<text class=\"axis\" x=\"{:.0f}\" y=\"{}\">x</text>\n", frame.x(0), kTop + kSide + 18);
  svg += fmt::format("<text class=\"axis\" x=\"{}\" y=\"{:.0f}\">y</text>\n", frame.left - 12, Frame::y(0) + 5);
  double y = kTop + kSide + 24;
  for (const auto& line : panel.caption) {
    svg += fmt::format("<text class=\"caption\" x=\"{}\" y=\"{}\">{}</text>\n", frame.left, y += 20, line);
  }
  return svg;
}

std::string legend(double left) {
  const double y = kTop + kSide + 108;
  std::string svg;
  const auto label = [&](double x, const char* text) {
    svg += fmt::format("<text class=\"legend\" x=\"{:.0f}\" y=\"{:.0f}\">{}</text>\n", x, y, text);
  };
  const auto box = [&](double x, const char* shade) {
    svg += fmt::format("<rect class=\"{}\" x=\"{:.0f}\" y=\"{:.0f}\" width=\"20\" height=\"16\" stroke=\"#bbb\"/>\n",
                       shade, x, y - 13);
  };
  const auto line = [&](double x, int member) {
    svg += fmt::format("<path class=\"member m{}\" d=\"M{:.0f} {:.0f}h34\"/>\n", member, x, y - 5);
  };
  line(left, 1), label(left + 42, "member 1");
  line(left + 124, 2), label(left + 166, "member 2");
  svg += mark(left + 262, y - 5, true), label(left + 272, "row of class 1");
  svg += mark(left + 388, y - 5, false), label(left + 398, "class 0");
  box(left + 474, "both1"), label(left + 502, "both answer 1");
  box(left + 614, "both0"), label(left + 642, "both answer 0");
  box(left + 754, "apart"), label(left + 782, "they disagree");
  return svg;
}

}  // namespace

std::string draw_svg(const Dataset& rows, const std::vector<Panel>& panels) {
  const double width =
      2 * kMargin + kSide * static_cast<double>(panels.size()) + kGap * static_cast<double>(panels.size() - 1);
  std::string clips, drawn;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const Frame frame{kMargin + (kSide + kGap) * static_cast<double>(i)};
    clips += fmt::format("<clipPath id=\"panel{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n",
                         i, frame.left, kTop, kSide, kSide);
    drawn += panel_svg(panels[i], rows, frame, i);
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "role=\"img\" aria-labelledby=\"title\">\n<title id=\"title\">Decision boundaries of two members, random "
      "restarts "
      "against local independence training</title>\n<style>{2}</style>\n<defs>\n<clipPath id=\"square\"><rect "
      "width=\"{3}\" "
      "height=\"{3}\"/></clipPath>\n{4}<pattern id=\"hatch\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate(45)\"><rect width=\"8\" height=\"8\" fill=\"#f6f4f7\"/><path d=\"M0 0V8\" "
      "stroke=\"#c9bfd0\" stroke-width=\"2\"/></pattern>\n</defs>\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"#fff\"/>\n"
      "<text class=\"title\" x=\"{5}\" y=\"42\">What two networks answer where they saw nothing</text>\n"
      "<text class=\"subtitle\" x=\"{5}\" y=\"68\">{6} training rows in two opposite quadrants; x and y explain the "
      "classes "
      "equally well.</text>\n{7}{8}</svg>\n",
      width, kHeight, kStyle, kSide, clips, kMargin, rows.rows(), drawn, legend(kMargin));
}

}  // namespace perpend::app
