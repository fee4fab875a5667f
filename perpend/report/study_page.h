// The page of a study, finished or not.
#pragma once

#include <string>

#include "perpend/records/study_view.h"
#include "perpend/report/page.h"

namespace perpend {

// Needs at least one result. `version`: perpend's.
Page study_page(const StudyView& view, const std::string& version);

// Its tables. Printed figures (study/printed.h) stand beside ours where there are any.
Markup results_table(const StudyView& view, const std::string& split);
Markup best_table(const StudyView& view);
Markup missing_table(const StudyView& view);
Markup process_table(const StudyView& view);
Markup settings_table(const StudyView& view);

}  // namespace perpend
