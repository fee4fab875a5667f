// How much of a study fits into a time budget.
#pragma once

#include <cstddef>
#include <span>

#include "perpend/base/parallel.h"
#include "perpend/study/trial.h"

namespace perpend {

// Measures a short training of the costliest trial, on as many threads at once as the study will use, because threads
// share caches and power. Returns the seconds on one thread for a cost of 1 (cost_of), per row visit.
double measure_row_visit(std::span<const TrialData> data, const RunOptions& options, std::span<const Trial> trials,
                         const Threads& threads, const StudyCallback& callback = {});

// Returns the seconds of all these trials on `threads` threads: their even share, and at least the longest of them.
double expected_seconds(std::span<const TrialData> data, const RunOptions& options, std::span<const Trial> trials,
                        int threads, double row_visit_seconds);

// Cuts the epochs of `data` so that the trials are expected to take no more than `budget` seconds (at least one epoch
// stays). Returns the share of the epochs that is left; 1: nothing had to be cut.
double cut_epochs(std::span<TrialData> data, const RunOptions& options, std::span<const Trial> trials, int threads,
                  double row_visit_seconds, double budget);

// Cuts the epochs of a later restart by the same share, so that all restarts train alike.
void cut_epochs(std::span<TrialData> data, const RunOptions& options, double share);

}  // namespace perpend
