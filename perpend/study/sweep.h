// Runs the trials of a study that have no result yet, over the threads of a process, the ranks of a job, and any number
// of jobs at once.
//
// Trials of one (data set, split, restart) share prepared rows, which are made when the first of these trials begins
// and freed after the last. Such groups run in the order of their most expensive trial, and within a group expensive
// trials run first, so that no thread is left with a long trial at the end. Ranks take the next trial from one counter.
// Shard i of n takes every n-th trial and needs no communication.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <vector>

#include "perpend/base/file_system.h"
#include "perpend/comm/comm.h"
#include "perpend/data/table.h"
#include "perpend/study/study_folder.h"

namespace perpend {

struct Shard {
  std::size_t index = 0;  // from 0
  std::size_t count = 1;
};

enum class KeepModels { none, best, all };

struct SweepOptions {
  int threads = 0;  // trainings at once in this process; 0: as many as the machine has
  Shard shard = {};
  KeepModels keep_models = KeepModels::none;
};

// A result that is on the disk.
struct SavedTrial {
  const StudyTrial& trial;
  const TrialResult& result;
  double share;  // the share of the expected work of all ranks that came before this trial
};

struct SweepCallback {
  std::function<bool()> stop_requested;               // asked by all threads
  std::function<void(std::size_t missing)> on_start;  // trials that all ranks have to run
  std::function<void(const SavedTrial&)> on_saved;    // by this process, one at a time
};

// The tables of the data sets, in their order.
using StudyTables = std::vector<Table>;
// Reads them and gives every data set its sha256. Throws MismatchError when it has another one.
StudyTables read_study_tables(Study& study, const std::string& data_dir);

// Throws ConfigError or DataError for what would be refused while the study runs: rows that cannot be split or encoded,
// and options that the data do not allow. Throws ModelFileError when models are to be kept that no file can hold.
// study: with the sha256 of its data.
void check_study(const Study& study, const StudyTables& tables, KeepModels keep = KeepModels::none);

// With split domain: which domains are left out of training, one line for each data set. Otherwise nothing.
std::vector<std::string> left_out_lines(const Study& study, const StudyTables& tables);

struct SweepOutcome {
  std::size_t before = 0;  // results that existed already
  std::size_t added = 0;   // by this process
  bool stopped = false;    // by stop_requested, on any rank; the folder may not have been made yet
};

// study: with the sha256 of its data. A new folder is made after check_study. There are at most as many threads as
// trials. Returns when every rank is finished. Throws IoError and MismatchError. What was saved stays saved, and the
// same call continues from there.
SweepOutcome sweep(const Study& study, const StudyTables& tables, const std::filesystem::path& folder,
                   const SweepOptions& options, Comm& comm, const SweepCallback& callback = {},
                   FileSystem& files = real_file_system());

}  // namespace perpend
