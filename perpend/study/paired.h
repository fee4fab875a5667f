// One method against each of the others, paired by restart.
//
// Restarts have other splits and other first weights, and both move all methods together: an easy split is easy for
// all. So sds over restarts overlap where every single restart says the same, and what tells more is the difference
// within restarts. The interval is Student's, over restarts whose rows overlap: it says less about other rows.
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
