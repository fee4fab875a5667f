// Runs a study from the command line, for `sweep` and `reproduce`, with messages on the way and at its end.
#pragma once

#include <string>
#include <vector>

#include "perpend/study/printed.h"
#include "perpend/study/sweep.h"

namespace perpend::app {

struct SweepArguments {
  std::string folder;
  std::string data_dir;
  // The command that continues after an interrupt, word by word, without the options below. They are added to it.
  std::vector<std::string> again;
  std::string shard;  // I/N; empty: all
  std::string keep_models;
  const PrintedFigures* printed = nullptr;  // shown beside ours in results.sqlite
  int threads = 0;
  bool list_saved = false;
  bool json = false;
};

// Throws UsageError when no way to keep models has this name.
KeepModels keep_of(const std::string& word);

// Throws Interrupted when it was stopped. Returns whether this process is the one that reports it: rank 0.
bool run_sweep(Study study, const SweepArguments& arguments);

}  // namespace perpend::app
