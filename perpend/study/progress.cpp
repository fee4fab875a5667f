#include <algorithm>
#include <vector>

#include "perpend/study/study_folder.h"

namespace perpend {

namespace {

// The last results by the time they were finished: those of one stretch of work, without a pause between two sweeps.
struct Stretch {
  std::vector<const StudyResult*> results;
  double begin = 0;
};

Stretch last_stretch(const StudyFolder& folder, double now) {
  constexpr std::size_t kMost = 100;
  std::vector<const StudyResult*> all;
  for (const auto& result : folder.results) all.push_back(&result);
  std::ranges::sort(all, {}, &StudyResult::finished);
  double longest = 0;
  for (const auto* result : all) longest = std::max(longest, result->seconds);
  const double silence = 60 + 3 * longest;

  Stretch stretch;
  double later = now;
  while (!all.empty() && stretch.results.size() < kMost && later - all.back()->finished <= silence) {
    later = all.back()->finished;
    stretch.results.push_back(all.back());
    all.pop_back();
  }
  stretch.begin = later;
  if (!all.empty() && later - all.back()->finished <= silence) {
    stretch.begin = all.back()->finished;
  } else {
    for (const auto* result : stretch.results) {
      stretch.begin = std::min(stretch.begin, result->finished - result->seconds);
    }
  }
  return stretch;
}

// Returns the seconds of a trial of cost 1, by data set. Data sets without results take the mean of the others.
std::vector<double> seconds_per_cost(const StudyFolder& folder, double StudyResult::*time) {
  std::vector<double> seconds(folder.study.datasets.size());
  std::vector<double> costs(seconds.size());
  for (const auto& result : folder.results) {
    const StudyTrial& trial = folder.trials[result.trial];
    seconds[trial.dataset] += result.*time;
    costs[trial.dataset] += cost_of(trial.trial);
  }
  double all_seconds = 0;
  double all_costs = 0;
  for (std::size_t d = 0; d < seconds.size(); ++d) {
    all_seconds += seconds[d];
    all_costs += costs[d];
  }
  for (std::size_t d = 0; d < seconds.size(); ++d) {
    seconds[d] = costs[d] > 0 ? seconds[d] / costs[d] : all_seconds / std::max(all_costs, 1.0);
  }
  return seconds;
}

}  // namespace

double seconds_left(const StudyFolder& folder, double StudyResult::*time) {
  std::vector<bool> finished(folder.trials.size());
  for (const auto& result : folder.results) finished[result.trial] = true;
  const auto per_cost = seconds_per_cost(folder, time);
  double sum = 0;
  for (std::size_t i = 0; i < finished.size(); ++i) {
    const StudyTrial& trial = folder.trials[i];
    if (!finished[i]) sum += per_cost[trial.dataset] * cost_of(trial.trial);
  }
  return sum;
}

Progress progress(const StudyFolder& folder, double now) {
  Progress found;
  found.trials = folder.trials.size();
  found.diverged = folder.diverged();
  found.done = folder.results.size() - found.diverged;
  found.left = found.trials - folder.results.size();
  if (found.left == 0) found.eta_seconds = 0;
  const Stretch stretch = last_stretch(folder, now);
  if (stretch.results.empty()) return found;
  // Clocks of several machines may disagree a little.
  const double duration = std::max(now, stretch.results.front()->finished) - stretch.begin;
  double worked = 0;
  for (const auto* result : stretch.results) worked += result->seconds;
  if (!(duration > 0) || !(worked > 0)) return found;
  found.trials_per_second = static_cast<double>(stretch.results.size()) / duration;
  found.eta_seconds = seconds_left(folder) / (worked / duration);  // worked / duration trials run at once
  return found;
}

}  // namespace perpend
