// A study's folder as its report shows it.
#pragma once

#include <string>

#include "perpend/records/study_view.h"
#include "perpend/study/printed.h"
#include "perpend/study/study_folder.h"

namespace perpend {

// Finished or not; name: of the folder, for titles. Diverged trials are counted and averaged nowhere.
// printed: figures to stand beside ours in its table.
StudyView view_study(const StudyFolder& folder, const std::string& name, const PrintedFigures* printed = nullptr);

// "LIT", "AdaBoost", "Restarts".
std::string method_name(Method method);

}  // namespace perpend
