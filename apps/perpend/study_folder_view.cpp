#include "apps/perpend/study_folder_view.h"

#include <fmt/format.h>

#include <filesystem>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/study/view_study.h"

namespace perpend::app {

StudyView view_study_folder(const std::string& path, const PrintedFigures* printed) {
  const StudyFolder folder = read_study_folder(path);
  if (folder.results.empty()) {
    throw DataError(fmt::format("{} has no results yet; perpend sweep {} -o {} runs its {}", printable(path),
                                shell_word(path + "/study.toml"), shell_word(path),
                                counted(folder.trials.size(), "trial")));
  }
  // "runs/first/" and "." have names too.
  const auto whole = std::filesystem::absolute(path).lexically_normal();
  const auto name = whole.has_filename() ? whole.filename() : whole.parent_path().filename();
  return view_study(folder, name.string(), printed);
}

}  // namespace perpend::app
