// Running a study from the command line, for `sweep` and `reproduce`: what it says meanwhile and at its end.
#pragma once

#include <string>
#include <vector>

#include "perpend/study/printed.h"
#include "perpend/study/sweep.h"

namespace perpend::app {

struct SweepArguments {
  std::string folder;
  std::string data_dir;
  // The command that goes on after an interrupt, word by word, without the options below: they are added to it.
  std::vector<std::string> again;
  std::string shard;  // I/N; empty: all
  std::string keep_models;
  const PrintedFigures* printed = nullptr;  // to stand beside ours in results.sqlite
  int threads = 0;
  bool list_saved = false;
  bool json = false;
};

// Throws UsageError when there is no such way to keep models.
KeepModels keep_of(const std::string& word);

// Throws Interrupted when it was stopped. Whether this process is the one that says so: rank 0.
bool run_sweep(Study study, const SweepArguments& arguments);

}  // namespace perpend::app
