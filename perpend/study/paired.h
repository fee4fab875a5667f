// One method against each of the others, paired by restart.
//
// Restarts differ in splits and first weights, which affect all methods alike: an easy split is easy for all. So the
// standard deviations over restarts can overlap although one method wins in every restart. The difference within
// restarts says more. Its interval is Student's. The rows of restarts overlap, so it says less about other rows.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "perpend/study/select.h"
#include "perpend/study/study_folder.h"

namespace perpend {

struct PairedLead {
  SplitKind split = SplitKind::random;
  std::string dataset;  // its name
  Lead lead;            // in test AUC, over restarts whose grids are complete
};

// Returns leads by split, data set and method, in the study's order. Throws ConfigError when the study has no such
// method.
std::vector<PairedLead> paired_leads(const StudyFolder& folder, Method method);

// Returns text to put below a table, in the table's format: text or Markdown.
std::string paired_text(const std::vector<PairedLead>& leads, Method method);
std::string paired_markdown(const std::vector<PairedLead>& leads, Method method);

}  // namespace perpend
