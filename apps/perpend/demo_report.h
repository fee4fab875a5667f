// The demo's page: two ensembles on builtin:shortcut, random restarts beside LIT.
#pragma once

#include <string>

#include "perpend/records/model_view.h"

namespace perpend::app {

struct DemoEnsemble {
  std::string title;
  Evaluation familiar, failed, flipped, adapted;  // adapted: on the flipped rows, with new weights
  Metric spots;                                   // AUROC of disagreement, flipped against familiar rows
  RowsView rows;                                  // parts: familiar, failed, flipped
};

// Writes folder/report.html and says where it is, or why it was not written.
void write_demo_report(const std::string& folder, const DemoEnsemble& restarts, const DemoEnsemble& lit);

}  // namespace perpend::app
