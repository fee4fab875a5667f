// Small studies for tests, and what they left on the disk.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "perpend/base/sha256.h"
#include "perpend/study/result_log.h"
#include "tests/support/run_program.h"

namespace perpend::test {

// A study with 10 trials per restart. An epoch of a trial takes less than 0.1 ms.
inline std::string small_study(int restarts, int epochs = 2) {
  return "datasets = [{source = \"builtin:quadrants\", target = \"target\"}]\n"
         "splits = [\"random\", \"extrapolation\"]\n"
         "methods = [\"restarts\", \"lit\"]\n"
         "members = [2]\n"
         "lambda = [0.1, 0.3, 1, 3]\n"
         "restarts = " +
         std::to_string(restarts) +
         "\n"
         "[options]\n"
         "hidden = 8\n"
         "epochs = " +
         std::to_string(epochs) + "\n";
}

struct StoredStudy {
  std::map<std::string, std::string> results;  // the result of each id
  std::vector<std::string> twice;              // ids with more than one record
};

inline StoredStudy stored_study(const std::filesystem::path& folder) {
  StoredStudy stored;
  const auto results = folder / "results";
  if (!std::filesystem::exists(results)) return stored;
  for (const auto& entry : std::filesystem::directory_iterator(results)) {
    std::ifstream in(entry.path(), std::ios::binary);
    for (std::string line; std::getline(in, line);) {
      const auto record = from_line(line + "\n");
      if (record && !stored.results.emplace(record->id, record->result).second) stored.twice.push_back(record->id);
    }
  }
  return stored;
}

// The sha256 of the results sorted by id.
inline std::string sha256_of(const StoredStudy& stored) {
  std::string all;
  for (const auto& [id, result] : stored.results) all += result + "\n";
  return sha256_hex(all);
}

// The ids that --list-saved printed: the lines that are whole ids. (mpirun may mix lines of two ranks.)
inline std::vector<std::string> ids_in(const std::string& output) {
  std::vector<std::string> ids;
  for (std::size_t first = 0, end = 0; (end = output.find('\n', first)) != output.npos; first = end + 1) {
    if (end - first == 32) ids.push_back(output.substr(first, 32));
  }
  return ids;
}

}  // namespace perpend::test
