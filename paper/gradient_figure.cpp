#include "paper/gradient_figure.h"

#include <algorithm>
#include <cmath>

#include "perpend/report/picture.h"

namespace perpend::paper {

namespace {

constexpr std::string_view kColours[] = {"#e66100", "#1a4fb0", "#00855f", "#b0478f"};
constexpr Ink kZero = {.colour = "#555555", .width = 1};
constexpr Ink kMedian = {.colour = "#111111"};
constexpr Ink kMeanInk = {.colour = "#777777", .opacity = 0.9};

Ink member_ink(std::size_t member) { return {.colour = kColours[member % std::size(kColours)], .opacity = 0.75}; }

// The axis reaches from the least to the largest gradient of all panels, which share it.
PlotAxis gradient_axis(const std::vector<GradientPanel>& panels) {
  PlotAxis axis{0, 0};
  for (const auto& panel : panels) {
    for (const auto& feature : panel.features) {
      for (const auto& member : feature.members) {
        axis.low = std::min(axis.low, member.density.front().x);
        axis.high = std::max(axis.high, member.density.back().x);
      }
    }
  }
  if (axis.high - axis.low < 1e-9) axis.high = axis.low + 1;
  const double step = tick_step(axis.high - axis.low);
  for (double i = std::ceil(axis.low / step); i * step <= axis.high; ++i) axis.ticks.push_back(i == 0 ? 0 : i * step);
  return axis;
}

// Feature f has the horizontal axis from f to f + 1.
PlotAxis feature_axis(const std::vector<FeatureView>& features, bool named) {
  PlotAxis axis{0, static_cast<double>(features.size())};
  for (std::size_t f = 0; named && f < features.size(); ++f) {
    axis.ticks.push_back(static_cast<double>(f) + 0.5);
    axis.names.push_back(features[f].name);
  }
  return axis;
}

// Draws the density on both sides of `middle`, at most `width` wide.
std::vector<CurvePoint> violin(const GradientView& gradient, double middle, double width) {
  const double most = std::ranges::max_element(gradient.density, {}, &CurvePoint::y)->y;
  std::vector<CurvePoint> outline;
  for (const auto& p : gradient.density) outline.push_back({middle + width / 2 * p.y / most, p.x});
  for (std::size_t i = gradient.density.size(); i-- > 0;) {
    outline.push_back({2 * middle - outline[i].x, outline[i].y});
  }
  return outline;
}

// Returns the violins of a feature: those of the members, then that of their mean where there is one.
std::vector<const GradientView*> views_of(const GradientPanel& panel, std::size_t feature) {
  std::vector<const GradientView*> views;
  for (const auto& member : panel.features[feature].members) views.push_back(&member);
  if (feature < panel.means.size() && panel.means[feature]) views.push_back(&*panel.means[feature]);
  return views;
}

std::vector<Mark> violins(const GradientPanel& panel) {
  const std::size_t members = panel.features.front().members.size();
  const std::size_t slots = members + (panel.means.empty() ? 0 : 1);
  const double each = std::min(0.4, 0.9 / static_cast<double>(slots));
  std::vector<Mark> marks = {{MarkKind::line, kZero, {{{0, 0}, {static_cast<double>(panel.features.size()), 0}}}}};
  for (std::size_t m = 0; m < members; ++m) marks.push_back({MarkKind::area, member_ink(m)});
  marks.push_back({MarkKind::area, kMeanInk});
  Mark medians{MarkKind::line, kMedian};
  for (std::size_t f = 0; f < panel.features.size(); ++f) {
    const auto views = views_of(panel, f);
    for (std::size_t v = 0; v < views.size(); ++v) {
      const double middle =
          static_cast<double>(f) + 0.5 + each * (static_cast<double>(v) - (static_cast<double>(slots) - 1) / 2);
      marks[1 + v].parts.push_back(violin(*views[v], middle, 0.92 * each));
      medians.parts.push_back(
          {{middle - each / 4, views[v]->quantiles[2]}, {middle + each / 4, views[v]->quantiles[2]}});
    }
  }
  marks.push_back(std::move(medians));
  return marks;
}

}  // namespace

std::string gradient_figure_svg(const std::vector<GradientPanel>& panels) {
  const auto& features = panels.front().features;
  std::size_t members = 0;
  for (const auto& panel : panels) members = std::max(members, panel.features.front().members.size());
  const double slot = std::max(60.0, 24 * static_cast<double>(members + 1) + 12);
  Picture picture{.title = "Input gradients per feature and member",
                  .width = std::max(480.0, slot * static_cast<double>(features.size())),
                  .height = 250};
  for (std::size_t m = 0; m < members; ++m) {
    picture.legend.push_back({"member " + std::to_string(m + 1), MarkKind::area, member_ink(m)});
  }
  const bool means = std::ranges::any_of(panels, [](const GradientPanel& panel) { return !panel.means.empty(); });
  if (means) picture.legend.push_back({"mean of the members", MarkKind::area, kMeanInk});
  for (const auto& from : panels) {
    picture.panels.push_back({.title = from.title,
                              .x = feature_axis(features, &from == &panels.back()),
                              .y = gradient_axis(panels),
                              .y_title = "input gradient",
                              .marks = violins(from),
                              .framed = false});
  }
  return picture_svg(picture);
}

}  // namespace perpend::paper
