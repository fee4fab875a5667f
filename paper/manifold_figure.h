// The manifold figure: what two members answer over the chart of the surface, and on the surface itself.
#pragma once

#include <string>
#include <vector>

#include "perpend/data/grid.h"
#include "perpend/model/ensemble.h"

namespace perpend::paper {

struct ManifoldPanel {
  std::string title;
  std::vector<std::string> caption;  // lines
  const Ensemble* ensemble;
};

// Half a side of the part of the chart that is drawn. The rows reach 3.
constexpr float kChartExtent = 3.0F;

// Returns a member's answer at every point of a grid over the chart, (side, side) by rows from the top, through the
// surface.
std::vector<std::vector<float>> chart_scores(const Manifold& surface, const Ensemble& ensemble, std::size_t side);

// Returns a self-contained SVG with one column per ensemble. Above is the chart with the training rows, both members'
// decision boundaries and the region where they disagree. Below are the same boundaries on the surface, seen from a
// fixed side.
std::string manifold_figure_svg(const Manifold& surface, const ManifoldSet& set,
                                const std::vector<ManifoldPanel>& panels);

}  // namespace perpend::paper
