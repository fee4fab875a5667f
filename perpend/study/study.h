// A study: data sets x splits x restarts x methods x (M, lambda), as one value, and as a file that a person writes.
//
//     datasets = ["ionosphere", {source = "loans.csv", target = "default"}]
//     splits   = ["random", "extrapolation"]
//     methods  = ["restarts", "lit"]              # left out: all
//     members  = [2, 5, 13]                       # left out: 5
//     lambda   = {from = 1e-4, to = 1e1, count = 16}    # or a list, or a table {ncl = ..., ace = ..., lit = ...}
//     restarts = 10                               # left out: 10
//     seed     = 0
//     preset   = "published"                      # with the paper's encoding of its public sets
//     row_visits = 160000                         # of each member, in place of epochs
//     [options]                                   # those of `train`, except for those above
//     dropout  = 0.2
//
// A study's folder keeps it in full as study.toml, with the sha256 of every data set. So a resume can tell whether
// options or data have changed since.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/run/run.h"
#include "perpend/study/trial.h"

namespace perpend {

struct StudyDataset {
  std::string source;  // DATA of `train`
  std::string target;
  std::string sha256;  // of its bytes (source_sha256); empty until it has been read

  bool operator==(const StudyDataset&) const = default;
};

struct Study {
  std::vector<StudyDataset> datasets;
  std::vector<SplitKind> splits = {SplitKind::random, SplitKind::extrapolation};
  std::vector<Method> methods = usual_methods();
  Grid grid;
  int restarts = 10;
  std::optional<std::int64_t> row_visits;  // of each member: ceil(row_visits / training rows) epochs
  bool published = false;                  // the preset, and the paper's encoding of its public sets
  RunOptions options;                      // its seed is that of restart 0; it is not read for what the grid varies
};

// Throws IoError when the file cannot be read. Throws ConfigError for everything else, with file:line:column, or with
// the file alone where something is missing.
Study read_study(const std::string& path);
Study parse_study(const std::string& text, const std::string& path);  // path: for messages

// Writes the whole study, so that parse_study reads the same one. The same study gives the same text.
std::string to_toml(const Study& study);

// Calls to_toml, reads the text back and compares: what is written down is what runs. Throws Error(bug) when they
// differ, and ConfigError when a name is not UTF-8.
std::string checked_toml(const Study& study);

// Returns `count` values from one to the other, evenly spaced in their logarithms, rounded to six digits.
std::vector<double> log_spaced(double from, double to, std::size_t count);

struct StudyTrial {
  std::size_t dataset = 0;  // in Study::datasets
  Trial trial;
  std::string id;  // 32 hexadecimal digits
};

// Returns all of them by data set, split, restart, method, M, lambda. Of trials that selection finds equal, the earlier
// one is taken. Data sets must have their sha256.
//
// An id is a hash of the contract version, the data's sha256 and its encoding, and the trial's options that differ from
// the defaults. So a later perpend with a new option still recognises the results of an older one.
std::vector<StudyTrial> trials_of(const Study& study);

// Returns the options with which `train` would train the trial.
RunOptions options_of(const Study& study, const StudyTrial& trial);

}  // namespace perpend
