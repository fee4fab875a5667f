// Reads a study's folder for a page or a figure.
#pragma once

#include <string>

#include "perpend/records/study_view.h"
#include "perpend/study/printed.h"

namespace perpend::app {

// Throws what read_study_folder throws, and DataError when it has no results yet. printed: figures to show beside ours
// in its table.
StudyView view_study_folder(const std::string& path, const PrintedFigures* printed = nullptr);

}  // namespace perpend::app
