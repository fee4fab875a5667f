// A study's folder: study.toml, results/*.jsonl, results.sqlite, models/.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "perpend/base/file_system.h"
#include "perpend/study/result_log.h"
#include "perpend/study/study.h"

namespace perpend {

struct StudyResult {
  std::size_t trial = 0;  // in StudyFolder::trials
  TrialResult result;
  double seconds = 0;     // how long it took
  double processor = 0;   // seconds of processor time; equals `seconds` where its record has none
  double finished = 0;    // seconds since 1970
  std::string file = {};  // name of the file, by the process that wrote it
};

// What a folder holds so far; the sweep may still be running.
struct StudyFolder {
  Study study;
  std::vector<StudyTrial> trials;
  std::vector<StudyResult> results;  // by trial; at most one per trial
  std::size_t damaged = 0;           // records that are incomplete or not a result of their trial, which runs again
  std::size_t foreign = 0;           // records of trials that do not belong to this study

  std::size_t diverged() const;
};

// Whether there is a study.toml. Throws IoError when this cannot be found out.
bool holds_study(const std::filesystem::path& folder, FileSystem& files = real_file_system());

// Throws IoError, ConfigError or MismatchError.
StudyFolder read_study_folder(const std::filesystem::path& folder, FileSystem& files = real_file_system());

// Makes the folder, or checks that it holds exactly this study. If it does not, MismatchError names the first key that
// differs. Data sets must have their sha256. Any number of processes may call it at once. Check the study before
// (check_study): once its study.toml is there, the folder refuses every other study.
void open_study_folder(const std::filesystem::path& folder, const Study& study, FileSystem& files = real_file_system());

// One JSON object: id, dataset, split, method, members, lambda, restart, status, where it diverged, validation_auc and
// the metrics object of the test rows.
std::string to_json(const Study& study, const StudyTrial& trial, const TrialResult& result);
// Throws DataError when the text is not such an object, or when a number in it is impossible.
TrialResult trial_result_from_json(const std::string& text);

// How far a study is. The rate is that of the last results, at most 100, up to now. The time left weighs trials by
// their cost. Nothing where nothing has been finished lately.
struct Progress {
  std::size_t trials = 0, done = 0, diverged = 0, left = 0;
  std::optional<double> trials_per_second, eta_seconds;
};
Progress progress(const StudyFolder& folder, double now);

// Returns how long the missing trials will take one after the other. It multiplies their cost with what a cost of 1
// took so far on their data set, or on the others where it has no result yet. `time` says which time:
// &StudyResult::seconds, or &StudyResult::processor.
double seconds_left(const StudyFolder& folder, double StudyResult::*time = &StudyResult::seconds);

}  // namespace perpend
