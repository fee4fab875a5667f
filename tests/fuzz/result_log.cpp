// Any shard of a study must give results that tables and pages can show, or damaged lines.
//
// Each line of the input is the result of a record. It gets the right length and checksum, so that the fuzzer gets
// behind these checks. @0 to @3 stand for the ids of the study's trials, which depend on the contract version.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "perpend/report/study_page.h"
#include "perpend/study/study_folder.h"
#include "perpend/study/table_format.h"
#include "perpend/study/view_study.h"
#include "tests/fuzz/require.h"
#include "tests/support/memory_file_system.h"

namespace {

struct SmallStudy {
  SmallStudy() {
    study = perpend::parse_study(
        "datasets = [{source = \"a.csv\", target = \"y\", sha256 = \"" + std::string(64, '5') +
            "\"}]\nsplits = [\"random\"]\nmethods = [\"restarts\", \"adaboost\", \"lit\"]\nmembers = [2]\n"
            "lambda = [0.1, 1]\nrestarts = 1\n",
        "study.toml");
    trials = perpend::trials_of(study);
  }
  perpend::Study study;
  std::vector<perpend::StudyTrial> trials;
};

std::string sealed(const SmallStudy& small, std::string text) {
  for (std::size_t i = 0; i < small.trials.size(); ++i) {
    const std::string mark = "@" + std::to_string(i);
    if (const auto at = text.find(mark); at != text.npos) text.replace(at, mark.size(), small.trials[i].id);
  }
  std::string shard;
  for (std::size_t first = 0; first < text.size();) {
    const std::size_t end = std::min(text.find('\n', first), text.size());
    shard += perpend::to_line({.id = "", .result = text.substr(first, end - first), .seconds = 1, .finished = 2});
    first = end + 1;
  }
  return shard;
}

bool is_share(const perpend::Metric& metric) { return !metric || (*metric > -1e-3 && *metric < 1.001); }

void require_results_of_their_trials(const perpend::StudyFolder& folder) {
  for (const auto& stored : folder.results) {
    perpend::require(stored.result.trial == folder.trials[stored.trial].trial);
    perpend::require(is_share(stored.result.validation_merit) && is_share(stored.result.test.auc));
    perpend::require(std::isfinite(stored.seconds) && std::isfinite(stored.finished));
  }
}

void show(const perpend::StudyFolder& folder) {
  if (folder.results.empty()) return;  // true for most inputs, and a page takes long
  require_results_of_their_trials(folder);
  const auto table = perpend::table_of(folder);
  for (const auto format : {perpend::TableFormat::text, perpend::TableFormat::csv}) {
    const std::string text = perpend::format_table(table, format);
    perpend::require(text.find("inf") == text.npos && text.find("nan") == text.npos);
  }
  const auto now = perpend::progress(folder, 100);
  perpend::require(std::isfinite(now.eta_seconds.value_or(0)));
  perpend::study_page(perpend::view_study(folder, "study"), "0");
}

void run(const SmallStudy& small, const std::string& shard) {
  perpend::test::MemoryFileSystem files;
  files.put("study/study.toml", perpend::to_toml(small.study));
  files.put("study/results/1-1.jsonl", shard);
  perpend::expect_one_line(perpend::ErrorKind::mismatch, [&] { show(perpend::read_study_folder("study", files)); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const SmallStudy small;
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (text.starts_with("{\"length")) run(small, text);
  run(small, sealed(small, text));
  return 0;
}
