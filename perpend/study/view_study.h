// A study's folder as its report shows it.
#pragma once

#include <string>

#include "perpend/records/study_view.h"
#include "perpend/study/study_folder.h"

namespace perpend {

// Finished or not; name: of the folder, for titles. Diverged trials are counted and averaged nowhere.
StudyView view_study(const StudyFolder& folder, const std::string& name);

// "LIT", "AdaBoost", "Restarts".
std::string method_name(Method method);

}  // namespace perpend
