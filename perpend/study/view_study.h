// Makes a study's folder into what its report shows.
#pragma once

#include <string>

#include "perpend/records/study_view.h"
#include "perpend/study/printed.h"
#include "perpend/study/study_folder.h"

namespace perpend {

// The study need not be finished. name: of the folder, for titles. Diverged trials are counted, and no mean includes
// them. printed: figures to show beside ours in its table.
StudyView view_study(const StudyFolder& folder, const std::string& name, const PrintedFigures* printed = nullptr);

// "LIT", "AdaBoost", "Restarts".
std::string method_name(Method method);

}  // namespace perpend
