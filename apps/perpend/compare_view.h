// What `compare` found, as text and as JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "apps/perpend/results.h"
#include "perpend/study/select.h"

namespace perpend::app {

struct Compared {
  std::vector<TrialResult> results;     // of finished restarts
  std::vector<SplitSummary> summaries;  // of what was selected from them
  std::size_t restarts = 0;             // finished
  double seconds = 0;
  std::optional<double> budget;  // seconds; nothing: no limit
  double epochs_share = 1;       // below 1: what the budget left of them
};

// "5 restarts in 96 s of 120 s".
std::string work_done(const Compared& compared);

// The table of a split, then who won and whether that is more than noise.
std::string split_table(const SplitSummary& split, const Compared& compared);

Json compared_json(const Compared& compared);

}  // namespace perpend::app
