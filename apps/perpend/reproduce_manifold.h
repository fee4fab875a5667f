// `perpend reproduce figure-manifold`: the paper's appendix on a surface in three dimensions. Restarts, LIT in the
// input space and LIT along the surface's tangents, two members each; numbers on stdout, DIR/manifold.svg.
#pragma once

#include <string>

namespace perpend::app {

struct ReproduceArguments {
  std::string output;  // folder, made if absent
  int threads = 0;
  bool quick = false;
  bool json = false;
};

void reproduce_figure_manifold(const ReproduceArguments& arguments);

}  // namespace perpend::app
