#include "perpend/report/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "perpend/report/escape.h"

namespace perpend {

namespace {

constexpr double kMargin = 16;
constexpr double kLeft = 60;   // of a panel, for its axis
constexpr double kRight = 8;   // of a panel
constexpr double kAbove = 30;  // of a panel, for its title
constexpr double kTitle = 40;
constexpr double kSubtitle = 22;
constexpr double kLegendLine = 24;
constexpr double kCaptionLine = 18;
constexpr double kBelowCaption = 8;
constexpr double kLeastWidth = 640;
constexpr std::size_t kMostMarkers = 2000;  // placed to a tenth of a pixel; more are placed to whole pixels

constexpr const char* kStyle = R"(
  text { font-family: "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif; fill: #222; font-size: 13px }
  .title { font-size: 20px; font-weight: 600 } .subtitle { font-size: 14px; fill: #555 }
  .panel { font-size: 13px; font-weight: 600 } .axis { font-size: 11px; fill: #555 } .grid { stroke: #e6e6e6 }
  .frame { fill: none; stroke: #999 } .line { fill: none; stroke-linejoin: round } .boxes { shape-rendering: crispEdges }
  .note { fill: #555; font-style: italic; text-anchor: middle; paint-order: stroke; stroke: #fff; stroke-opacity: .8;
          stroke-width: 4px; stroke-linejoin: round }
)";
constexpr const char* kHatch =
    "<defs><pattern id=\"hatch\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\">"
    "<rect width=\"8\" height=\"8\" fill=\"#f6f4f7\"/><path d=\"M0 0V8\" stroke=\"#c9bfd0\" "
    "stroke-width=\"2\"/></pattern>"
    "</defs>\n";

// Where a panel lies on the page, and the range of its values.
struct Frame {
  double left = 0, top = 0, width = 0, height = 0;
  const PlotAxis& x;
  const PlotAxis& y;

  static double share(const PlotAxis& axis, double value) {
    if (axis.logarithmic) return std::log(value / axis.low) / std::log(axis.high / axis.low);
    return (value - axis.low) / (axis.high - axis.low);
  }
  double at_x(double value) const { return left + width * share(x, value); }
  double at_y(double value) const { return top + height * (1 - share(y, value)); }
  CurvePoint at(const CurvePoint& p) const { return {at_x(p.x), at_y(p.y)}; }
};

std::string text_svg(std::string_view style, double x, double y, const std::string& text, std::string_view more = "") {
  return fmt::format("<text{} x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>\n",
                     style.empty() ? "" : fmt::format(" class=\"{}\"", style), x, y, more, html_text(text));
}

std::string turned(double degrees, double x, double y) {
  return fmt::format(" transform=\"rotate({} {:.1f} {:.1f})\"", degrees, x, y);
}

// Draws a shape that Vega names around (x, y).
std::string shape_path(std::string_view shape, double x, double y, double r) {
  if (shape == "square") return fmt::format("M{:.1f} {:.1f}h{:.1f}v{:.1f}h-{:.1f}z", x - r, y - r, 2 * r, 2 * r, 2 * r);
  if (shape == "diamond") {
    return fmt::format("M{:.1f} {:.1f}l{:.1f} {:.1f}l-{:.1f} {:.1f}l-{:.1f} -{:.1f}z", x, y - 1.3 * r, 1.3 * r, 1.3 * r,
                       1.3 * r, 1.3 * r, 1.3 * r, 1.3 * r);
  }
  if (shape == "triangle-up") {
    return fmt::format("M{:.1f} {:.1f}l{:.1f} {:.1f}h-{:.1f}z", x, y - 1.2 * r, 1.2 * r, 2.1 * r, 2.4 * r);
  }
  if (shape == "triangle-down") {
    return fmt::format("M{:.1f} {:.1f}l-{:.1f} -{:.1f}h{:.1f}z", x, y + 1.2 * r, 1.2 * r, 2.1 * r, 2.4 * r);
  }
  return fmt::format("M{0:.1f} {1:.1f}a{2:.1f} {2:.1f} 0 1 0 {3:.1f} 0a{2:.1f} {2:.1f} 0 1 0 -{3:.1f} 0z", x - r, y, r,
                     2 * r);
}

std::string opacity_of(const char* what, const Ink& ink) {
  return ink.opacity < 1 ? fmt::format(" {}-opacity=\"{:g}\"", what, ink.opacity) : "";
}

std::string stroke_of(const Ink& ink) {
  return fmt::format("class=\"line\" stroke=\"{}\" stroke-width=\"{:g}\"{}{}", ink.colour, ink.width,
                     ink.dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", ink.dash),
                     opacity_of("stroke", ink));
}

std::string fill_of(const Ink& ink) {
  return fmt::format("fill=\"{}\"{}", ink.hatched ? "url(#hatch)" : ink.colour, opacity_of("fill", ink));
}

std::string lines_path(const Mark& mark, const Frame& frame, bool closed) {
  std::string path;
  for (const auto& part : mark.parts) {
    char command = 'M';
    for (const auto& p : part) {
      path += fmt::format("{}{:.1f} {:.1f}", command, frame.at_x(p.x), frame.at_y(p.y));
      command = 'L';
    }
    if (closed) path += 'z';
  }
  return path;
}

// Boxes are drawn a little taller than they are, so that no gap shows between boxes one above the other.
std::string boxes_path(const Mark& mark, const Frame& frame) {
  std::string path;
  for (const auto& part : mark.parts) {
    const CurvePoint a = frame.at(part[0]);
    const CurvePoint b = frame.at(part[1]);
    path += fmt::format("M{:.1f} {:.1f}H{:.1f}V{:.1f}H{:.1f}z", a.x, a.y, b.x, b.y + (b.y > a.y ? 0.2 : -0.2), a.x);
  }
  return path;
}

std::string markers_path(const Mark& mark, const Frame& frame) {
  std::size_t points = 0;
  for (const auto& part : mark.parts) points += part.size();
  const double places = points > kMostMarkers ? 1 : 10;
  std::vector<std::array<long, 2>> spots;
  for (const auto& part : mark.parts) {
    for (const auto& p : part) {
      spots.push_back({std::lround(frame.at_x(p.x) * places), std::lround(frame.at_y(p.y) * places)});
    }
  }
  std::ranges::sort(spots);
  spots.erase(std::unique(spots.begin(), spots.end()), spots.end());
  std::string path;
  for (const auto& [x, y] : spots) {
    path += fmt::format("<path d=\"{}\"/>", shape_path(mark.ink.shape, static_cast<double>(x) / places,
                                                       static_cast<double>(y) / places, mark.ink.radius));
  }
  return path;
}

std::string mark_svg(const Mark& mark, const Frame& frame) {
  if (mark.parts.empty()) return "";
  switch (mark.kind) {
    case MarkKind::line:
      return fmt::format("<path {} d=\"{}\"/>\n", stroke_of(mark.ink), lines_path(mark, frame, false));
    case MarkKind::area:
      return fmt::format("<path {} d=\"{}\"/>\n", fill_of(mark.ink), lines_path(mark, frame, true));
    case MarkKind::boxes:
      return fmt::format("<path class=\"boxes\" {} d=\"{}\"/>\n", fill_of(mark.ink), boxes_path(mark, frame));
    case MarkKind::markers:
      return fmt::format("<g {}>{}</g>\n", fill_of(mark.ink), markers_path(mark, frame));
    case MarkKind::text:
      break;
  }
  std::string svg;
  for (const auto& part : mark.parts) svg += text_svg("note", frame.at_x(part[0].x), frame.at_y(part[0].y), mark.text);
  return svg;
}

std::string tick_name(const PlotAxis& axis, std::size_t i) {
  return axis.names.empty() ? fmt::format("{:g}", axis.ticks[i]) : axis.names[i];
}

std::string axes_svg(const Panel& panel, const Frame& frame) {
  std::string svg;
  const double below = frame.top + frame.height;
  for (std::size_t i = 0; i < panel.y.ticks.size(); ++i) {
    const double y = frame.at_y(panel.y.ticks[i]);
    svg += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}h{:.1f}\"/>", frame.left, y, frame.width);
    svg += text_svg("axis", frame.left - 5, y + 4, tick_name(panel.y, i), " text-anchor=\"end\"");
  }
  for (std::size_t i = 0; i < panel.x.ticks.size(); ++i) {
    const double x = frame.at_x(panel.x.ticks[i]);
    if (!panel.x.names.empty()) {
      svg += text_svg("", x, below + 16, panel.x.names[i], " text-anchor=\"end\"" + turned(-35, x, below + 16));
      continue;
    }
    svg += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}v{:.1f}\"/>", x, frame.top, frame.height);
    svg += text_svg("axis", x, below + 16, tick_name(panel.x, i), " text-anchor=\"middle\"");
  }
  if (!panel.x_title.empty()) {
    const double y = below + (panel.x.ticks.empty() ? 16 : 32);
    svg += text_svg("axis", frame.left + frame.width / 2, y, panel.x_title, " text-anchor=\"middle\"");
  }
  if (!panel.y_title.empty()) {
    const double x = frame.left - (panel.y.ticks.empty() ? 10 : 42);
    const double y = frame.top + frame.height / 2;
    svg += text_svg("axis", x, y, panel.y_title, " text-anchor=\"middle\"" + turned(-90, x, y));
  }
  return svg;
}

// Room below a panel for ticks and a title.
double axis_height(const Panel& panel) {
  if (!panel.x.names.empty()) return 90;
  return (panel.x.ticks.empty() ? 6 : 22) + (panel.x_title.empty() ? 0 : 18);
}

// An inner <svg> cuts off what lies outside. Its coordinates are the page's. Three pixels are for markers on the
// border.
std::string panel_svg(const Panel& panel, const Frame& frame, double caption_top) {
  std::string svg;
  if (!panel.title.empty()) svg += text_svg("panel", frame.left, frame.top - 8, panel.title);
  svg += axes_svg(panel, frame);
  const std::string place =
      fmt::format("{:.1f} {:.1f} {:.1f} {:.1f}", frame.left - 3, frame.top - 3, frame.width + 6, frame.height + 6);
  svg += fmt::format("<svg x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" viewBox=\"{}\">\n",
                     frame.left - 3, frame.top - 3, frame.width + 6, frame.height + 6, place);
  for (const auto& mark : panel.marks) svg += mark_svg(mark, frame);
  svg += "</svg>\n";
  if (panel.framed) {
    svg += fmt::format("<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
                       frame.left, frame.top, frame.width, frame.height);
  }
  for (const auto& line : panel.caption) svg += text_svg("", frame.left, caption_top += kCaptionLine, line);
  return svg;
}

std::string sample_svg(const LegendItem& item, double x, double y) {
  if (item.kind == MarkKind::area || item.kind == MarkKind::boxes) {
    return fmt::format("<rect {} x=\"{:.1f}\" y=\"{:.1f}\" width=\"20\" height=\"14\" stroke=\"#bbb\"/>",
                       fill_of(item.ink), x + 10, y - 7);
  }
  std::string svg;
  if (item.kind == MarkKind::line) svg = fmt::format("<path {} d=\"M{:.1f} {:.1f}h30\"/>", stroke_of(item.ink), x, y);
  if (item.kind == MarkKind::markers || item.ink.radius > 0) {
    svg += fmt::format("<path {} d=\"{}\"/>", fill_of(item.ink),
                       shape_path(item.ink.shape, x + 15, y, std::max(item.ink.radius, 3.0)));
  }
  return svg;
}

struct Drawn {
  std::string svg;
  double bottom = 0;
};

// Items stand from left to right, on as many lines as needed.
Drawn legend_svg(const std::vector<LegendItem>& items, double top, double width) {
  Drawn drawn{"", items.empty() ? top : top + kLegendLine};
  double x = kMargin;
  for (const auto& item : items) {
    const double needed = 36 + 7 * static_cast<double>(item.text.size());
    if (x > kMargin && x + needed > width) {
      x = kMargin;
      drawn.bottom += kLegendLine;
    }
    const double y = drawn.bottom - 8;
    drawn.svg += sample_svg(item, x, y) + text_svg("", x + 36, y + 4, item.text);
    x += needed + kMargin;
  }
  return drawn;
}

double height_of(const Picture& picture, const Panel& panel) {
  return panel.height > 0 ? panel.height : picture.height;
}

bool uses_hatch(const Picture& picture) {
  return std::ranges::any_of(picture.panels, [](const Panel& panel) {
    return std::ranges::any_of(panel.marks, [](const Mark& mark) { return mark.ink.hatched; });
  });
}

}  // namespace

double tick_step(double range) {
  const double power = std::pow(10, std::floor(std::log10(range / 5)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (range / (factor * power) <= 8) return factor * power;
  }
  return 10 * power;
}

PlotAxis linear_axis(double low, double high, double least) {
  const double room = std::max({(high - low) * 0.06, (least - (high - low)) / 2, 1e-6});
  PlotAxis axis{low - room, high + room};
  const double step = tick_step((axis.high - axis.low) * 1.6);  // panels are small
  for (double i = std::ceil(axis.low / step); i * step <= axis.high; ++i) axis.ticks.push_back(i == 0 ? 0 : i * step);
  return axis;
}

PlotAxis decade_axis(double low, double high) {
  PlotAxis axis{low, std::max(high, low * 10), {}, true};
  for (double power = std::ceil(std::log10(low) - 1e-9); power <= std::log10(axis.high) + 1e-9; ++power) {
    axis.ticks.push_back(std::pow(10, power));
  }
  return axis;
}

Ink method_ink(const MethodStyle& style) { return {.colour = style.colour, .dash = style.dash, .shape = style.shape}; }

std::string picture_svg(const Picture& picture) {
  const double step_x = picture.width + kLeft + kRight;
  const double width = std::max(kLeastWidth, step_x * static_cast<double>(picture.columns) + 24);
  const double head = kTitle + (picture.subtitle.empty() ? 0 : kSubtitle);
  const Drawn legend = legend_svg(picture.legend, head, width);
  double top = legend.bottom + 14;
  std::string body;
  for (std::size_t first = 0; first < picture.panels.size(); first += picture.columns) {
    const std::size_t end = std::min(first + picture.columns, picture.panels.size());
    double height = 0;
    double below = 0;
    double captions = 0;
    for (std::size_t i = first; i < end; ++i) {
      height = std::max(height, height_of(picture, picture.panels[i]));
      below = std::max(below, axis_height(picture.panels[i]));
      captions = std::max(captions, kCaptionLine * static_cast<double>(picture.panels[i].caption.size()));
    }
    for (std::size_t i = first; i < end; ++i) {
      const Panel& panel = picture.panels[i];
      const Frame frame{kLeft + step_x * static_cast<double>(i - first),
                        top + kAbove,
                        picture.width,
                        height_of(picture, panel),
                        panel.x,
                        panel.y};
      body += panel_svg(panel, frame, frame.top + height + below);
    }
    top += kAbove + height + below + captions + (captions > 0 ? kBelowCaption : 0);
  }
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "role=\"img\"><title>{2}</title>\n<style>{3}</style>\n",
      width, top + kMargin, html_text(picture.title), kStyle);
  if (uses_hatch(picture)) svg += kHatch;
  svg += "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n" + text_svg("title", kMargin, 32, picture.title);
  if (!picture.subtitle.empty()) svg += text_svg("subtitle", kMargin, 32 + kSubtitle, picture.subtitle);
  return svg + legend.svg + body + "</svg>\n";
}

}  // namespace perpend
