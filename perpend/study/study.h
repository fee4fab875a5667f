// A study: data sets x splits x restarts x methods x (M, lambda), as one value, and as a file that a person writes.
//
//     datasets = ["ionosphere", {source = "loans.csv", target = "default"}]
//     splits   = ["random", "extrapolation"]
//     methods  = ["restarts", "lit"]              # left out: all
//     members  = [2, 5, 13]                       # left out: 5
//     lambda   = {from = 1e-4, to = 1e1, count = 16}    # or a list, or a table {ncl = ..., ace = ..., lit = ...}
//     restarts = 10                               # left out: 10
//     seed     = 0
//     preset   = "published"                      # of the paper's public sets, their encoding too
//     row_visits = 160000                         # of each member, in place of epochs
//     [options]                                   # those of `train`, but for what stands above
//     dropout  = 0.2
//
// A study's folder keeps it as study.toml in full, every data set with its sha256, so that a resume can tell whether
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
  std::string sha256;  // of its bytes (source_sha256); empty as long as it has not been read

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
  RunOptions options;                      // its seed is that of restart 0; what the grid varies is not read
};

// Throws IoError when the file cannot be read, ConfigError for everything else: with file:line:column, or with the file
// alone where something is missing.
Study read_study(const std::string& path);
Study parse_study(const std::string& text, const std::string& path);  // path: for messages

// The whole study, so that parse_study gives the same one; the same study is the same text.
std::string to_toml(const Study& study);

// to_toml, read back and compared: what is written down is what runs. Throws Error(bug) when it is not, ConfigError
// when a name is not UTF-8.
std::string checked_toml(const Study& study);

// `count` values from one to the other, evenly spaced in their logarithms, to six digits: such as one could type.
std::vector<double> log_spaced(double from, double to, std::size_t count);

struct StudyTrial {
  std::size_t dataset = 0;  // in Study::datasets
  Trial trial;
  std::string id;  // 32 hexadecimal digits
};

// All of them, by data set, split, restart, method, M, lambda; a tie in selection goes to the earlier one. Data sets
// must know their sha256.
//
// An id is a hash of the contract version, the data's sha256 and its encoding, and the trial's options as far as they
// differ from the defaults: a later perpend with a new option still knows the results of an older one.
std::vector<StudyTrial> trials_of(const Study& study);

// The options with which a trial could be trained by `train`.
RunOptions options_of(const Study& study, const StudyTrial& trial);

}  // namespace perpend
