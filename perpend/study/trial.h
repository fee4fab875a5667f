// One trial of a study: one method with one (M, lambda) on one split, trained and tested. Trials do not depend on each
// other, so any number of them can run at once, in any order, with the same results.
//
// As published, all methods of a restart share one split: restart r has seed = seed + r, which names both the split of
// its rows and the first weights of its networks. Differences between methods are therefore paired by restart.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perpend/base/parallel.h"
#include "perpend/records/evaluation.h"
#include "perpend/run/run.h"

namespace perpend {

struct Trial {
  SplitKind split = SplitKind::random;
  Method method = kDefaultMethod;
  int members = 5;
  // Nothing for methods without a penalty. For others, nothing means what `train` uses where no lambda is given, by
  // default or by lambda auto. The result has the number.
  std::optional<double> lambda = {};
  int restart = 0;

  bool operator==(const Trial&) const = default;
};

// What is tried: sizes and, for each method with a penalty, lambdas. A method that is not listed uses its own.
struct Grid {
  std::vector<int> members = {5};
  std::map<Method, std::vector<double>> lambdas = {};

  bool operator==(const Grid&) const = default;
};

// Returns the lambdas of the table of methods. Methods that need rows without labels have none, because a study has no
// such rows.
Grid default_grid(PenaltyReduction reduction);

// The same lambdas for each method with a penalty. unlabeled: also for those that need rows without labels.
void set_lambdas(Grid& values, const std::vector<double>& lambdas, bool unlabeled);

// Returns the lambdas of one method; none where it has no penalty or uses its own lambda.
const std::vector<double>& lambdas_of(const Grid& values, Method method);

// Returns the trials of a method, by members, then by lambda. Of trials that selection finds equal, the earlier one is
// taken.
std::vector<Trial> grid(const Grid& values, Method method, SplitKind split, int restart);

// Returns how many those are, without making them.
std::size_t grid_size(const Grid& values, Method method);

// More trials than this are almost certainly a mistake, because the list alone takes long to make. Throws ConfigError
// when `times` the number of trials of all methods is larger.
constexpr std::size_t kMostTrials = 200'000;
void refuse_too_many_trials(const Grid& values, std::span<const Method> methods, std::span<const std::size_t> times);

// Returns those of several methods, in their order.
std::vector<Trial> grid(const Grid& values, std::span<const Method> methods, SplitKind split, int restart);

// Returns the cost of a step of a trial, relative to that of one member of restarts.
double cost_of(const Trial& trial);

// The rows that all trials of one split and restart share.
struct TrialData {
  SplitKind split = SplitKind::random;
  int restart = 0;
  Prepared prepared;
  std::optional<int> epochs;  // in place of those of the options

  int epochs_of(const TrainOptions& options) const;
  double row_visits(const TrainOptions& options) const;  // of one member
};

// inputs: as for prepare.
TrialData prepare_trials(const Table& table, const RunOptions& options, SplitKind split, int restart,
                         const PrepareInputs& inputs = {});

// Returns the cost of a trial, relative to one row visit of one member of restarts. Where lambda is chosen, the choice
// counts as all trainings that it may make.
double work_of(const TrialData& data, const RunOptions& options, const Trial& trial);

// Returns the options with which `train` makes the training of a trial, on the rows that these data were made from.
RunOptions options_of(const TrialData& data, const RunOptions& options, const Trial& trial);

// Returns the rows of a trial, which must exist.
const TrialData& data_of(std::span<const TrialData> data, const Trial& trial);

enum class TrialStatus { ok, diverged, stopped };

struct TrialResult {
  Trial trial;
  TrialStatus status = TrialStatus::ok;
  // The ensemble's; nothing for a trial that is not ok.
  Metric validation_merit;  // AUC, or in a regression R^2: what chooses
  Evaluation test;
  std::optional<Divergence> divergence;

  bool operator==(const TrialResult&) const = default;
};

struct StudyCallback {
  std::function<bool()> stop_requested;             // asked by all threads, between steps
  std::function<void(std::size_t done)> on_finish;  // after each trial, by one thread at a time
};

// Both train on one thread. Divergence is a status. Otherwise they throw what train throws.
TrainResult train_trial(const TrialData& data, const RunOptions& options, const Trial& trial,
                        const StudyCallback& callback = {});
TrialResult run_trial(const TrialData& data, const RunOptions& options, const Trial& trial,
                      const StudyCallback& callback = {});

// Runs all of them, one thread each. The costly ones run first, so that no thread waits long at the end. Results are in
// the order of the trials. After a stop is asked for, unfinished trials are `stopped`. Each trial finds its rows in
// `data`.
std::vector<TrialResult> run_trials(std::span<const TrialData> data, const RunOptions& options,
                                    std::span<const Trial> trials, const Threads& threads,
                                    const StudyCallback& callback = {});

// As the options call them: "lit", "by-column".
std::string name_of(Method method);
std::string name_of(SplitKind split);

}  // namespace perpend
