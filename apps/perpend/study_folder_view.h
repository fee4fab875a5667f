// A study's folder, read for a page or a figure.
#pragma once

#include <string>

#include "perpend/records/study_view.h"
#include "perpend/study/printed.h"

namespace perpend::app {

// Throws what read_study_folder throws, and DataError when nothing is in yet.
// printed: figures to stand beside ours in its table.
StudyView view_study_folder(const std::string& path, const PrintedFigures* printed = nullptr);

}  // namespace perpend::app
