#include "paper/gradient_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "perpend/report/escape.h"
#include "perpend/report/plot_svg.h"

namespace perpend::paper {

namespace {

constexpr double kPanelHeight = 250;
constexpr double kLeft = 64;
constexpr double kRight = 16;
constexpr double kTop = 66;
constexpr double kGap = 50;
constexpr double kNames = 96;  // below the last panel
constexpr double kViolin = 26;

constexpr const char* kStyle = R"(
  text { font-family: "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif; fill: #222; font-size: 13px }
  .panel { font-size: 15px; font-weight: 600 } .axis { font-size: 11px; fill: #555 } .grid { stroke: #e3e3e3 }
  .zero { stroke: #555 } .c0 { fill: #e66100; fill-opacity: .75 } .c1 { fill: #1a4fb0; fill-opacity: .75 }
  .c2 { fill: #00855f; fill-opacity: .75 } .c3 { fill: #b0478f; fill-opacity: .75 } .median { stroke: #111; stroke-width: 2 }
)";

struct Axis {
  double low = 0, high = 0, top = 0;
  double y(double value) const { return top + kPanelHeight * (high - value) / (high - low); }
};

Axis axis_of(const std::vector<GradientPanel>& panels) {
  Axis axis;
  for (const auto& panel : panels) {
    for (const auto& feature : panel.features) {
      for (const auto& member : feature.members) {
        axis.low = std::min(axis.low, member.density.front().x);
        axis.high = std::max(axis.high, member.density.back().x);
      }
    }
  }
  if (axis.high - axis.low < 1e-9) axis.high = axis.low + 1;
  return axis;
}

std::string violin_svg(const GradientView& gradient, double middle, double width, std::size_t member,
                       const Axis& axis) {
  double most = 0;
  for (const auto& p : gradient.density) most = std::max(most, p.y);
  std::string right, left;
  for (const auto& p : gradient.density) {
    const double half = width / 2 * p.y / most;
    right += fmt::format("{}{:.1f} {:.1f}", right.empty() ? "M" : "L", middle + half, axis.y(p.x));
    left = fmt::format("L{:.1f} {:.1f}", middle - half, axis.y(p.x)) + left;
  }
  return fmt::format("<path class=\"c{}\" d=\"{}{}z\"/><path class=\"median\" d=\"M{:.1f} {:.1f}h{:.1f}\"/>\n",
                     member % 4, right, left, middle - width / 4, axis.y(gradient.quantiles[2]), width / 2);
}

std::string panel_svg(const GradientPanel& panel, const Axis& axis, double width) {
  std::string svg = fmt::format("<text class=\"panel\" x=\"{}\" y=\"{:.0f}\">{}</text>\n", kLeft, axis.top - 12,
                                html_text(panel.title));
  const double step = tick_step(axis.high - axis.low);
  for (double tick = std::ceil(axis.low / step) * step; tick <= axis.high; tick += step) {
    const double rounded = std::abs(tick) < step / 2 ? 0 : tick;
    svg += fmt::format(
        "<path class=\"{}\" d=\"M{} {:.1f}H{:.0f}\"/><text class=\"axis\" x=\"{}\" y=\"{:.1f}\" "
        "text-anchor=\"end\">{:g}</text>\n",
        rounded == 0 ? "zero" : "grid", kLeft, axis.y(rounded), width - kRight, kLeft - 6, axis.y(rounded) + 4,
        rounded);
  }
  const double slot = (width - kLeft - kRight) / static_cast<double>(panel.features.size());
  for (std::size_t f = 0; f < panel.features.size(); ++f) {
    const auto& members = panel.features[f].members;
    const double each = std::min(kViolin, slot * 0.9 / static_cast<double>(members.size()));
    const double first =
        kLeft + slot * (static_cast<double>(f) + 0.5) - each * (static_cast<double>(members.size()) - 1) / 2;
    for (std::size_t m = 0; m < members.size(); ++m) {
      svg += violin_svg(members[m], first + each * static_cast<double>(m), each * 0.92, m, axis);
    }
  }
  return svg;
}

}  // namespace

std::string gradient_figure_svg(const std::vector<GradientPanel>& panels, const std::string& axis_title) {
  const auto& features = panels.front().features;
  const double slot = std::max(60.0, 24 * static_cast<double>(features.front().members.size()) + 12);
  const double width = std::max(560.0, kLeft + kRight + slot * static_cast<double>(features.size()));
  const double height = kTop + static_cast<double>(panels.size()) * (kPanelHeight + kGap) - kGap + kNames;
  Axis axis = axis_of(panels);
  std::string body;
  for (std::size_t p = 0; p < panels.size(); ++p) {
    axis.top = kTop + static_cast<double>(p) * (kPanelHeight + kGap);
    body += panel_svg(panels[p], axis, width);
  }
  const double step = (width - kLeft - kRight) / static_cast<double>(features.size());
  for (std::size_t f = 0; f < features.size(); ++f) {
    const double x = kLeft + step * (static_cast<double>(f) + 0.5);
    const double y = height - kNames + 14;
    body += fmt::format(
        "<text x=\"{0:.1f}\" y=\"{1:.0f}\" text-anchor=\"end\" transform=\"rotate(-35 {0:.1f} {1:.0f})\">{2}</text>\n",
        x, y, html_text(features[f].name));
  }
  std::string legend;
  for (std::size_t m = 0; m < features.front().members.size(); ++m) {
    const double x = kLeft + 90 * static_cast<double>(m);
    legend += fmt::format(
        "<rect class=\"c{}\" x=\"{:.0f}\" y=\"12\" width=\"14\" height=\"14\"/><text x=\"{:.0f}\" y=\"24\">member "
        "{}</text>\n",
        m % 4, x, x + 20, m + 1);
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "role=\"img\"><title>Distributions of "
      "input gradients per feature and member</title>\n<style>{2}</style>\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"#fff\"/>\n{3}<text class=\"axis\" "
      "transform=\"rotate(-90 16 {4:.0f})\" x=\"16\" y=\"{4:.0f}\" text-anchor=\"middle\">{5}</text>\n{6}</svg>\n",
      width, height, kStyle, legend, (height - kNames + kTop) / 2, html_text(axis_title), body);
}

}  // namespace perpend::paper
