#include "apps/perpend/slurm_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/perpend/data_folder.h"
#include "apps/perpend/terminal.h"
#include "perpend/base/durable_file.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/base/system.h"
#include "perpend/study/slurm.h"
#include "perpend/study/study_folder.h"
#include "perpend/study/sweep.h"

namespace perpend::app {

namespace {

std::vector<std::string> command_of(const std::string& study_path, const SweepArguments& arguments) {
  const std::string program = own_program();
  if (program.empty()) throw IoError("this program cannot find its own path; on Linux that needs /proc");
  std::vector<std::string> words = {program, "sweep", study_path, "-o", arguments.folder};
  if (!arguments.keep_models.empty()) words.insert(words.end(), {"--keep-models", arguments.keep_models});
  if (!arguments.data_dir.empty()) words.insert(words.end(), {"--data-dir", arguments.data_dir});
  return words;
}

}  // namespace

void write_slurm_array(Study study, const std::string& study_path, const SweepArguments& arguments, std::size_t tasks) {
  const StudyTables tables = read_study_tables(study, data_folder(arguments.data_dir).string());
  check_study(study, tables, keep_of(arguments.keep_models));
  const std::size_t trials = trials_of(study).size();
  tasks = std::min(tasks, trials);
  open_study_folder(arguments.folder, study);
  const std::string path = (std::filesystem::path(arguments.folder) / "array.sh").string();
  write_file_durably(path,
                     slurm_script({.command = command_of(study_path, arguments),
                                   .working_folder = std::filesystem::current_path().string(),
                                   .shards = tasks,
                                   .threads = std::max(arguments.threads, 1)}),
                     true);
  print("{} trials in {} tasks of {}; nothing runs yet\nNext: sbatch {}\n", trials, tasks, printable(path),
        shell_word(path));
}

}  // namespace perpend::app
