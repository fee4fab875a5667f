// Small multiples as SVG: panels of lines, levels and markers over axes, for figures that go beside the paper's.
//
// One style a method (records/method_style.h). Charts that a reader explores are Vega-Lite (spec.h); this is for
// pictures that are files of their own.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/records/evaluation.h"
#include "perpend/records/method_style.h"

namespace perpend {

struct PlotAxis {
  double low = 0, high = 1;
  std::vector<double> ticks = {};
  bool logarithmic = false;
};
// From the least to the largest value with some room, ticks at 1, 2 or 5 times a power of ten; `least`: at least as
// wide.
PlotAxis linear_axis(double low, double high, double least = 0);
// Ticks at the powers of ten between two positive values.
PlotAxis decade_axis(double low, double high);
// 1, 2 or 5 times a power of ten: four to ten steps in `range`.
double tick_step(double range);

struct PlotPoint {
  double x = 0, y = 0;
  Metric sd = {};  // a bar from y - sd to y + sd
};

enum class PlotKind { line, level, markers };  // level: the y of its first point, from side to side
struct PlotSeries {
  MethodStyle style;
  PlotKind kind = PlotKind::line;
  std::vector<PlotPoint> points;
  double opacity = 1;
};
struct PlotPanel {
  std::string title;  // above it
  PlotAxis x, y;
  std::string x_title, y_title;  // empty: none
  std::vector<PlotSeries> series;
};
struct PlotFigure {
  std::string title;
  std::vector<MethodStyle> methods;  // of the legend
  std::size_t columns = 1;
  std::vector<PlotPanel> panels;     // row by row
  double width = 210, height = 150;  // of a panel
};

// Every string is text. Points outside the axes are cut off at the panel.
std::string plot_svg(const PlotFigure& figure);

}  // namespace perpend
