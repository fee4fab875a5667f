// The paper's figure of input gradients: features along the horizontal axis, gradients along the vertical one, a violin
// per member, one panel above the other per ensemble.
#pragma once

#include <string>
#include <vector>

#include "perpend/records/model_view.h"

namespace perpend::paper {

struct GradientPanel {
  std::string title;
  std::vector<FeatureView> features;  // the same ones in the same order in every panel
};

// All panels share the vertical axis.
std::string gradient_figure_svg(const std::vector<GradientPanel>& panels);

}  // namespace perpend::paper
