// The demo's pictures: what each member answers over the plane, for two ensembles trained on two opposite quadrants.
#pragma once

#include <string>
#include <vector>

#include "perpend/api/report.h"
#include "perpend/data/dataset.h"

namespace perpend::app {

// Half a side of the pictured square, in scaled units: the training rows reach sqrt(3).
constexpr float kPicturedExtent = 1.9F;

// Lines of text with the members' answers side by side, and a legend. Rich: two pixels a character, in colour; else
// plain ASCII.
std::string draw_in_terminal(const Ensemble& ensemble, bool rich);
std::string terminal_legend(bool rich);

struct Panel {
  std::string title;
  std::vector<std::string> caption;  // lines
  const Ensemble* ensemble;
};
// A self-contained SVG: a panel per ensemble with the training rows, both members' decision boundaries, and the plane
// shaded by what the members answer together.
std::string draw_svg(const Dataset& rows, const std::vector<Panel>& panels);

}  // namespace perpend::app
