// Any study.toml must give a study that is the same after it is written and read again, or a ConfigError of one line
// that begins with the file. status, table and report read the same file in the folder of a study.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "perpend/base/error.h"
#include "perpend/study/study_folder.h"
#include "tests/support/memory_file_system.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

constexpr std::size_t kMostTrialsHere = 2000;  // more trials take long and show nothing new

std::size_t trials_in(const perpend::Study& study) {
  std::size_t of_methods = 0;
  for (const auto method : study.methods) of_methods += perpend::grid_size(study.grid, method);
  return of_methods * study.datasets.size() * study.splits.size() * static_cast<std::size_t>(study.restarts);
}

void read_folder(const std::string& text) {
  perpend::test::MemoryFileSystem files;
  files.put("d/study.toml", text);
  files.put("d/results/1-1.jsonl", "");
  try {
    require(perpend::read_study_folder("d", files).results.empty());
  } catch (const perpend::ConfigError& error) {
    require(std::string_view(error.what()).starts_with("d/study.toml:"));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  perpend::Study study;
  try {
    study = perpend::parse_study(text, "s.toml");
  } catch (const perpend::ConfigError& error) {
    const std::string_view line = error.what();
    require(line.starts_with("s.toml:"));
    for (const char c : line) require(static_cast<unsigned char>(c) >= 0x20);
    return 0;
  }
  try {
    perpend::checked_toml(study);
  } catch (const perpend::ConfigError& error) {
    require(std::string_view(error.what()).starts_with("study.toml, which holds the study in full,"));
  }
  if (trials_in(study) <= kMostTrialsHere) read_folder(text);
  return 0;
}
