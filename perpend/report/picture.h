// Pictures as files: panels of marks over axes, as one self-contained SVG.
//
// A picture is a grid of panels under a title and a legend. A panel has two axes and a list of marks in the axes'
// units, which are drawn one over the other in their order. For example, a line over a shaded region:
//
//     Panel panel{.x = linear_axis(0, 3), .y = linear_axis(0, 1)};
//     panel.marks = {{MarkKind::boxes, {.colour = "#dcebf5"}, {{{0, 0}, {1.5, 1}}}},
//                    {MarkKind::line, {.colour = "#111"}, {{{0, 0.2}, {3, 0.9}}}}};
//     write_file_durably("picture.svg", picture_svg({.title = "Rising", .panels = {panel}}));
//
// Every picture that perpend writes as a file is drawn here, so that all of them look alike. Charts that a reader
// explores on a page are Vega-Lite (spec.h).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/records/method_style.h"
#include "perpend/records/model_view.h"

namespace perpend {

struct PlotAxis {
  double low = 0, high = 1;
  std::vector<double> ticks = {};
  bool logarithmic = false;
  std::vector<std::string> names = {};  // of the ticks, where these are not their numbers; slanted
};
// Reaches from the least to the largest value with some room, and has ticks at 1, 2 or 5 times a power of ten. `least`:
// its least width.
PlotAxis linear_axis(double low, double high, double least = 0);
// Ticks at the powers of ten between two positive values.
PlotAxis decade_axis(double low, double high);
// Returns 1, 2 or 5 times a power of ten, so that `range` has four to ten steps.
double tick_step(double range);

// How a mark looks. Each kind of mark takes what it needs.
struct Ink {
  std::string_view colour = "#222222";
  std::string_view dash = {};  // of lines, as in SVG; empty: no gaps
  double width = 2;            // of lines
  std::string_view shape = "circle";
  double radius = 3;  // of markers
  double opacity = 1;
  bool hatched = false;  // boxes: stripes in place of the colour
};
// The look of a method in every picture.
Ink method_ink(const MethodStyle& style);

enum class MarkKind {
  line,     // a part is a line through its points
  area,     // a part is the inside of its points
  boxes,    // a part is two opposite corners
  markers,  // a shape at every point; equal points are drawn once
  text,     // at the first point of a part, on a light edge
};
struct Mark {
  MarkKind kind = MarkKind::line;
  Ink ink = {};
  std::vector<std::vector<CurvePoint>> parts = {};
  std::string text = {};
};

struct Panel {
  std::string title = {};  // above it
  PlotAxis x = {}, y = {};
  std::string x_title = {}, y_title = {};
  std::vector<Mark> marks = {};           // cut off at the axes
  std::vector<std::string> caption = {};  // lines below it
  bool framed = true;
  double height = 0;  // 0: the picture's
};

struct LegendItem {
  std::string text;
  MarkKind kind = MarkKind::line;  // line with a radius: with its marker too
  Ink ink = {};
};

struct Picture {
  std::string title;
  std::string subtitle = {};
  std::vector<LegendItem> legend = {};
  std::size_t columns = 1;
  std::vector<Panel> panels = {};    // row by row
  double width = 210, height = 150;  // of a panel
};

// Every string is text.
std::string picture_svg(const Picture& picture);

}  // namespace perpend
