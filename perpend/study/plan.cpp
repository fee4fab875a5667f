#include "perpend/study/plan.h"

#include <algorithm>
#include <chrono>

namespace perpend {

namespace {

using Clock = std::chrono::steady_clock;

// Returns the seconds of one training of `epochs`, with one such training on every thread at the same time.
double time_training(const TrialData& data, const RunOptions& options, const Trial& trial, int epochs,
                     const Threads& threads, const StudyCallback& callback) {
  TrialData shorter = data;
  shorter.epochs = epochs;
  const auto start = Clock::now();
  threads.for_each(static_cast<std::size_t>(threads.count()),
                   [&](std::size_t) { train_trial(shorter, options, trial, callback); });
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

double measure_row_visit(std::span<const TrialData> data, const RunOptions& options, std::span<const Trial> trials,
                         const Threads& threads, const StudyCallback& callback) {
  constexpr double kSeconds = 0.3;  // long enough for the clock, short compared with any budget
  const Trial& trial = *std::ranges::max_element(trials, {}, cost_of);
  const TrialData& rows = data_of(data, trial);
  const int whole = std::max(1, rows.epochs_of(options.train));
  int epochs = 1;
  double seconds = 0;
  for (;;) {
    seconds = time_training(rows, options, trial, epochs, threads, callback);
    if (seconds >= kSeconds || epochs >= whole) break;
    epochs = std::min(whole, 4 * epochs);
  }
  return seconds / (static_cast<double>(rows.prepared.train.rows()) * epochs * cost_of(trial));
}

double expected_seconds(std::span<const TrialData> data, const RunOptions& options, std::span<const Trial> trials,
                        int threads, double row_visit_seconds) {
  double sum = 0;
  double longest = 0;
  for (const auto& trial : trials) {
    const double seconds = work_of(data_of(data, trial), options, trial) * row_visit_seconds;
    sum += seconds;
    longest = std::max(longest, seconds);
  }
  return std::max(sum / threads, longest);
}

double cut_epochs(std::span<TrialData> data, const RunOptions& options, std::span<const Trial> trials, int threads,
                  double row_visit_seconds, double budget) {
  const double expected = expected_seconds(data, options, trials, threads, row_visit_seconds);
  const double share = std::max(0.0, budget) / expected;
  if (!(share < 1)) return 1;
  cut_epochs(data, options, share);
  return share;
}

void cut_epochs(std::span<TrialData> data, const RunOptions& options, double share) {
  if (share >= 1) return;
  for (auto& rows : data) {
    const int whole = rows.epochs_of(options.train);
    rows.epochs = std::min(whole, std::max(1, static_cast<int>(whole * share)));
  }
}

}  // namespace perpend
