#include "paper/toy_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "perpend/report/escape.h"

namespace perpend::paper {

namespace {

constexpr double kPanel = 220;
constexpr double kGap = 26;
constexpr double kLeft = 176;
constexpr double kTop = 92;
constexpr double kCaption = 44;  // below each panel

constexpr const char* kStyle = R"(
  text { font-family: "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif; fill: #222; font-size: 13px }
  .title { font-size: 20px; font-weight: 600 } .column, .method { font-size: 14px; font-weight: 600 }
  .axis { font-size: 10px; fill: #666 } .caption { font-size: 12px; fill: #444 }
  .row0 { fill: #f0c9bd } .row1 { fill: #c5d6e8 } .frame { fill: none; stroke: #999 }
  .member { fill: none; stroke-width: 3; stroke-linejoin: round } .m1 { stroke: #e66100 }
  .m2 { stroke: #1a4fb0; stroke-dasharray: 8 5 }
)";

double x_of(double value) { return kPanel * (value + kToyExtent) / (2 * kToyExtent); }
double y_of(double value) { return kPanel * (kToyExtent - value) / (2 * kToyExtent); }

// Training rows as runs of grid cells.
std::string rows_svg(const std::vector<std::int8_t>& cells) {
  const double step = kPanel / static_cast<double>(kToySide);
  std::array<std::string, 2> paths;
  for (std::size_t row = 0; row < kToySide; ++row) {
    for (std::size_t first = 0, end = 0; first < kToySide; first = end) {
      const std::int8_t value = cells[row * kToySide + first];
      while (end < kToySide && cells[row * kToySide + end] == value) ++end;
      if (value == kNoToyRow) continue;
      const double width = static_cast<double>(end - first) * step;
      paths[static_cast<std::uint8_t>(value)] +=
          fmt::format("M{:.1f} {:.1f}h{:.1f}v{:.1f}h-{:.1f}z", static_cast<double>(first) * step,
                      static_cast<double>(row) * step, width, step + 0.1, width);
    }
  }
  return fmt::format("<path class=\"row0\" d=\"{}\"/><path class=\"row1\" d=\"{}\"/>\n", paths[0], paths[1]);
}

std::string boundary_svg(const std::vector<std::vector<CurvePoint>>& lines, std::size_t member) {
  std::string path;
  for (const auto& line : lines) {
    char command = 'M';
    for (const auto& p : line) {
      path += fmt::format("{}{:.1f} {:.1f}", command, x_of(p.x), y_of(p.y));
      command = 'L';
    }
  }
  return fmt::format("<path class=\"member m{}\" d=\"{}\"/>\n", member + 1, path);
}

std::string panel_svg(const ToyPanel& panel, const std::string& rows, double left, double top, bool labelled) {
  std::string svg =
      fmt::format("<g transform=\"translate({:.0f} {:.0f})\">\n<g clip-path=\"url(#panel)\">{}", left, top, rows);
  for (std::size_t m = 0; m < panel.boundaries.size(); ++m) svg += boundary_svg(panel.boundaries[m], m);
  svg += fmt::format("</g><rect class=\"frame\" width=\"{0}\" height=\"{0}\"/>\n", kPanel);
  for (const double tick : {-10.0, -5.0, 0.0, 5.0, 10.0}) {
    svg += fmt::format("<text class=\"axis\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", x_of(tick),
                       kPanel + 12, tick);
    if (labelled) {
      svg += fmt::format("<text class=\"axis\" x=\"-5\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", y_of(tick) + 3.5,
                         tick);
    }
  }
  double y = kPanel + 14;
  for (const auto& line : panel.caption) {
    svg += fmt::format("\n<text class=\"caption\" x=\"0\" y=\"{:.0f}\">{}</text>", y += 14, html_text(line));
  }
  return svg + "</g>\n";
}

}  // namespace

std::string toy_figure_svg(const ToyFigure& figure) {
  const double width = std::max(600.0, kLeft + static_cast<double>(figure.columns.size()) * (kPanel + kGap) + 10);
  const double height = kTop + static_cast<double>(figure.methods.size()) * (kPanel + kCaption + 14) + 34;
  std::string body;
  for (std::size_t c = 0; c < figure.columns.size(); ++c) {
    const ToyColumn& column = figure.columns[c];
    const double left = kLeft + static_cast<double>(c) * (kPanel + kGap);
    body += fmt::format("<text class=\"column\" x=\"{:.0f}\" y=\"{:.0f}\">{}</text>\n", left, kTop - 12,
                        html_text(column.title));
    const std::string rows = rows_svg(column.cells);
    for (std::size_t r = 0; r < column.panels.size(); ++r) {
      body += panel_svg(column.panels[r], rows, left, kTop + static_cast<double>(r) * (kPanel + kCaption + 14), c == 0);
    }
  }
  for (std::size_t r = 0; r < figure.methods.size(); ++r) {
    const double y = kTop + static_cast<double>(r) * (kPanel + kCaption + 14) + kPanel / 2;
    body += fmt::format("<text class=\"method\" x=\"14\" y=\"{:.0f}\">{}</text>\n", y, html_text(figure.methods[r]));
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "role=\"img\"><title>Decision boundaries of two members on data sets with "
      "gaps</title>\n<style>{2}</style>\n<defs>"
      "<clipPath id=\"panel\"><rect width=\"{3}\" height=\"{3}\"/></clipPath></defs>\n<rect width=\"100%\" "
      "height=\"100%\" "
      "fill=\"#fff\"/>\n<text class=\"title\" x=\"14\" y=\"34\">Where two members draw the line</text>\n<path "
      "class=\"member "
      "m1\" d=\"M14 54h34\"/><text x=\"54\" y=\"58\">member 1</text><path class=\"member m2\" d=\"M130 54h34\"/><text "
      "x=\"170\" "
      "y=\"58\">member 2</text><rect class=\"row0\" x=\"246\" y=\"47\" width=\"14\" height=\"14\"/><rect "
      "class=\"row1\" x=\"262\" "
      "y=\"47\" width=\"14\" height=\"14\"/><text x=\"284\" y=\"58\">training rows; nothing was seen on "
      "white</text>\n{4}</svg>\n",
      width, height, kStyle, kPanel, body);
}

}  // namespace perpend::paper
