// One method against each of the others, paired by restart.
//
// Restarts differ in splits and first weights, which affect all methods alike: an easy split is easy for all. So the
// standard deviations over restarts can overlap although one method wins in every restart. The difference within
// restarts says more. Its interval is Student's, over restarts whose rows overlap, so it says less about other rows.
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
  Lead lead;            // of test AUC; restarts whose grids are complete
};

// By split, data set and method, in the study's order. Throws ConfigError when the study has no such method.
std::vector<PairedLead> paired_leads(const StudyFolder& folder, Method method);

// Below a table, in its format: text or Markdown.
std::string paired_text(const std::vector<PairedLead>& leads, Method method);
std::string paired_markdown(const std::vector<PairedLead>& leads, Method method);

}  // namespace perpend
