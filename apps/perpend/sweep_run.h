// Running a study from the command line, for `sweep` and `reproduce`: what it says meanwhile and at its end.
#pragma once

#include <string>

#include "perpend/study/study.h"

namespace perpend::app {

struct SweepArguments {
  std::string folder;
  std::string data_dir;
  std::string again;  // the command that goes on after an interrupt
  std::string shard;  // I/N; empty: all
  std::string keep_models;
  int threads = 0;
  bool list_saved = false;
  bool json = false;
};

// Throws Interrupted when it was stopped. Whether this process is the one that says so: rank 0.
bool run_sweep(Study study, const SweepArguments& arguments);

}  // namespace perpend::app
