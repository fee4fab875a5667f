// One trial of a study: one method with one (M, lambda) on one split, trained and tested. Trials know nothing of each
// other, so any number of them run at once, in any order, with the same results.
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
  // Nothing for methods without a penalty. For others nothing is what `train` uses where no lambda is given, by default
  // or by lambda auto; the result has the number.
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

// The lambdas of the table of methods, but for those that need rows without labels: a study has none.
Grid default_grid(PenaltyReduction reduction);

// The same lambdas for each method with a penalty. unlabeled: also for those that need rows without labels.
void set_lambdas(Grid& values, const std::vector<double>& lambdas, bool unlabeled);

// Those of one method; none where it has no penalty or uses its own lambda.
const std::vector<double>& lambdas_of(const Grid& values, Method method);

// The trials of a method: by members, then by lambda. A tie in selection goes to the earlier one.
std::vector<Trial> grid(const Grid& values, Method method, SplitKind split, int restart);

// How many those are, without making them.
std::size_t grid_size(const Grid& values, Method method);

// More trials than these are almost certainly a mistake: their list alone takes long to make. Throws ConfigError when
// `times` as many as the methods have together are more.
constexpr std::size_t kMostTrials = 200'000;
void refuse_too_many_trials(const Grid& values, std::span<const Method> methods, std::span<const std::size_t> times);

// Those of several methods, in their order.
std::vector<Trial> grid(const Grid& values, std::span<const Method> methods, SplitKind split, int restart);

// What a step of a trial costs beside that of one member of restarts.
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

// What a trial costs beside one row visit of one member of restarts. Where lambda is chosen, the choice is counted as
// all trainings that it may make.
double work_of(const TrialData& data, const RunOptions& options, const Trial& trial);

// The options with which `train` makes the training of a trial, on the rows that these data were made from.
RunOptions options_of(const TrialData& data, const RunOptions& options, const Trial& trial);

// The rows of a trial, which must be there.
const TrialData& data_of(std::span<const TrialData> data, const Trial& trial);

enum class TrialStatus { ok, diverged, stopped };

struct TrialResult {
  Trial trial;
  TrialStatus status = TrialStatus::ok;
  // Of the ensemble; nothing of a trial that is not ok.
  Metric validation_merit;  // AUC, or of a regression R^2: what chooses
  Evaluation test;
  std::optional<Divergence> divergence;

  bool operator==(const TrialResult&) const = default;
};

struct StudyCallback {
  std::function<bool()> stop_requested;             // asked by all threads, between steps
  std::function<void(std::size_t done)> on_finish;  // after each trial, by one thread at a time
};

// Both train on one thread. Divergence is a status; they throw what train throws otherwise.
TrainResult train_trial(const TrialData& data, const RunOptions& options, const Trial& trial,
                        const StudyCallback& callback = {});
TrialResult run_trial(const TrialData& data, const RunOptions& options, const Trial& trial,
                      const StudyCallback& callback = {});

// All of them, a thread each, the costly ones first so that no thread waits long at the end; results in the order of
// the trials. Once a stop is asked for, what is not finished is `stopped`. Each trial finds its rows in `data`.
std::vector<TrialResult> run_trials(std::span<const TrialData> data, const RunOptions& options,
                                    std::span<const Trial> trials, const Threads& threads,
                                    const StudyCallback& callback = {});

// As the options call them: "lit", "by-column".
std::string name_of(Method method);
std::string name_of(SplitKind split);

}  // namespace perpend
