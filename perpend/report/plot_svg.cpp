#include "perpend/report/plot_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "perpend/report/escape.h"

namespace perpend {

namespace {

constexpr double kLeft = 60;  // of a panel, for its axis
constexpr double kBelow = 46;
constexpr double kAbove = 30;
constexpr double kTop = 78;  // title and legend

constexpr const char* kStyle = R"(
  text { font-family: "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif; fill: #222; font-size: 13px }
  .title { font-size: 18px; font-weight: 600 } .panel { font-size: 13px; font-weight: 600 }
  .axis { font-size: 11px; fill: #555 } .grid { stroke: #e6e6e6 } .frame { fill: none; stroke: #999 }
  .line { fill: none; stroke-width: 2; stroke-linejoin: round } .bar { stroke-width: 1.2 }
)";

struct Frame {
  double left = 0, top = 0, width = 0, height = 0;
  PlotAxis x, y;

  static double share(const PlotAxis& axis, double value) {
    if (axis.logarithmic) return std::log(value / axis.low) / std::log(axis.high / axis.low);
    return (value - axis.low) / (axis.high - axis.low);
  }
  double at_x(double value) const { return left + width * share(x, value); }
  double at_y(double value) const { return top + height * (1 - share(y, value)); }
};

std::string tick_text(double tick) { return fmt::format("{:g}", tick); }

std::string axes_svg(const Frame& frame, const PlotPanel& panel) {
  std::string svg;
  for (const double tick : frame.y.ticks) {
    const double y = frame.at_y(tick);
    svg += fmt::format(
        "<path class=\"grid\" d=\"M{:.1f} {:.1f}h{:.1f}\"/><text class=\"axis\" x=\"{:.1f}\" y=\"{:.1f}\" "
        "text-anchor=\"end\">{}</text>\n",
        frame.left, y, frame.width, frame.left - 5, y + 4, tick_text(tick));
  }
  for (const double tick : frame.x.ticks) {
    const double x = frame.at_x(tick);
    svg += fmt::format(
        "<path class=\"grid\" d=\"M{:.1f} {:.1f}v{:.1f}\"/><text class=\"axis\" x=\"{:.1f}\" y=\"{:.1f}\" "
        "text-anchor=\"middle\">{}</text>\n",
        x, frame.top, frame.height, x, frame.top + frame.height + 16, tick_text(tick));
  }
  if (!panel.x_title.empty()) {
    svg += fmt::format("<text class=\"axis\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                       frame.left + frame.width / 2, frame.top + frame.height + 32, html_text(panel.x_title));
  }
  if (!panel.y_title.empty()) {
    const double x = frame.left - 42;
    const double y = frame.top + frame.height / 2;
    svg += fmt::format(
        "<text class=\"axis\" transform=\"rotate(-90 {0:.1f} {1:.1f})\" x=\"{0:.1f}\" y=\"{1:.1f}\" "
        "text-anchor=\"middle\">{2}</text>\n",
        x, y, html_text(panel.y_title));
  }
  return svg;
}

// A shape of Vega's name around (x, y).
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

std::string stroke_of(const MethodStyle& style) {
  return fmt::format("stroke=\"{}\"{}", style.colour,
                     style.dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", style.dash));
}

std::string line_svg(const PlotSeries& series, const Frame& frame) {
  const MethodStyle& style = series.style;
  std::string path, marks, bars;
  for (const auto& p : series.points) {
    const double x = frame.at_x(p.x);
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L', x, frame.at_y(p.y));
    marks += shape_path(style.shape, x, frame.at_y(p.y), 3);
    if (p.sd) bars += fmt::format("M{:.1f} {:.1f}V{:.1f}", x, frame.at_y(p.y - *p.sd), frame.at_y(p.y + *p.sd));
  }
  std::string svg = fmt::format("<path class=\"line\" {} d=\"{}\"/><path fill=\"{}\" d=\"{}\"/>\n", stroke_of(style),
                                path, style.colour, marks);
  if (!bars.empty())
    svg += fmt::format("<path class=\"bar\" stroke=\"{}\" stroke-opacity=\".6\" d=\"{}\"/>\n", style.colour, bars);
  return svg;
}

// Markers on one spot are drawn once: a picture of many thousand trials is as large as its panel.
std::string markers_svg(const PlotSeries& series, const Frame& frame) {
  const MethodStyle& style = series.style;
  std::vector<std::pair<long, long>> spots;
  for (const auto& p : series.points) {
    spots.emplace_back(std::lround(frame.at_x(p.x)), std::lround(frame.at_y(p.y)));
  }
  std::ranges::sort(spots);
  spots.erase(std::unique(spots.begin(), spots.end()), spots.end());
  std::string svg = fmt::format("<g fill=\"{}\" fill-opacity=\"{}\">", style.colour, series.opacity);
  for (const auto& [x, y] : spots) {
    svg +=
        fmt::format("<path d=\"{}\"/>", shape_path(style.shape, static_cast<double>(x), static_cast<double>(y), 2.2));
  }
  return svg + "</g>\n";
}

std::string series_svg(const PlotSeries& series, const Frame& frame) {
  if (series.points.empty()) return "";
  if (series.kind == PlotKind::line) return line_svg(series, frame);
  if (series.kind == PlotKind::markers) return markers_svg(series, frame);
  return fmt::format("<path class=\"line\" {} d=\"M{:.1f} {:.1f}h{:.1f}\"/>\n", stroke_of(series.style), frame.left,
                     frame.at_y(series.points.front().y), frame.width);
}

std::string panel_svg(const PlotPanel& panel, const Frame& frame, std::size_t number) {
  std::string svg = fmt::format("<text class=\"panel\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", frame.left,
                                frame.top - 8, html_text(panel.title));
  svg += axes_svg(frame, panel);
  svg += fmt::format(
      "<clipPath id=\"p{}\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/></clipPath><g "
      "clip-path=\"url(#p{})\">\n",
      number, frame.left - 3, frame.top - 3, frame.width + 6, frame.height + 6, number);
  for (const auto& series : panel.series) svg += series_svg(series, frame);
  return svg + fmt::format("</g><rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
                           frame.left, frame.top, frame.width, frame.height);
}

std::string legend_svg(const std::vector<MethodStyle>& methods) {
  std::string svg;
  double x = 16;
  for (const auto& style : methods) {
    svg += fmt::format(
        "<path class=\"line\" {} d=\"M{:.0f} 54h30\"/><path fill=\"{}\" d=\"{}\"/><text x=\"{:.0f}\" "
        "y=\"58\">{}</text>\n",
        stroke_of(style), x, style.colour, shape_path(style.shape, x + 15, 54, 4), x + 36, html_text(style.name));
    x += 58 + 8 * static_cast<double>(style.name.size());
  }
  return svg;
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

std::string plot_svg(const PlotFigure& figure) {
  const std::size_t rows = (figure.panels.size() + figure.columns - 1) / figure.columns;
  const double step_x = figure.width + kLeft + 8;
  const double step_y = figure.height + kAbove + kBelow;
  const double width = std::max(640.0, step_x * static_cast<double>(figure.columns) + 24);
  const double height = kTop + step_y * static_cast<double>(rows);
  std::string body;
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const std::size_t row = i / figure.columns;
    const Frame frame{kLeft + step_x * static_cast<double>(i % figure.columns),
                      kTop + kAbove + step_y * static_cast<double>(row),
                      figure.width,
                      figure.height,
                      figure.panels[i].x,
                      figure.panels[i].y};
    body += panel_svg(figure.panels[i], frame, i);
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "role=\"img\">"
      "<title>{2}</title>\n<style>{3}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<text "
      "class=\"title\" x=\"16\" "
      "y=\"32\">{2}</text>\n{4}{5}</svg>\n",
      width, height, html_text(figure.title), kStyle, legend_svg(figure.methods), body);
}

}  // namespace perpend
