// The paper's figures of input gradients. Features lie along the horizontal axis and gradients along the vertical one.
// There is one violin per member, and one panel per ensemble, one above the other. Beside the members stands the mean
// of their gradients, row by row. In the paper, this mean of LIT's members resembles the gradients of a network that
// was trained on more rows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perpend/records/model_view.h"

namespace perpend::paper {

struct GradientPanel {
  std::string title;
  std::vector<FeatureView> features;  // the same ones in the same order in every panel
  // The mean of the members' gradients, by feature. A category has none, because each of its levels has a gradient.
  std::vector<std::optional<GradientView>> means = {};
};

// All panels share the vertical axis.
std::string gradient_figure_svg(const std::vector<GradientPanel>& panels);

}  // namespace perpend::paper
