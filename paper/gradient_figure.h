// The paper's figures of input gradients: features along the horizontal axis, gradients along the vertical one, a
// violin per member, one panel above the other per ensemble. Beside the members stands the mean of their gradients, row
// by row: in the paper that of LIT's members resembles the gradients of a network that was trained on more rows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perpend/records/model_view.h"

namespace perpend::paper {

struct GradientPanel {
  std::string title;
  std::vector<FeatureView> features;  // the same ones in the same order in every panel
  // Of the mean of the members' gradients, by feature; nothing for a category, whose levels have a gradient each.
  std::vector<std::optional<GradientView>> means = {};
};

// All panels share the vertical axis.
std::string gradient_figure_svg(const std::vector<GradientPanel>& panels);

}  // namespace perpend::paper
