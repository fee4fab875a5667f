// Every method on the same splits of a table: which one is best, and by how much. What `perpend compare` does.
//
//     perpend::CompareOptions options;
//     options.run.schema.target = "default";
//     const perpend::Compared found = perpend::compare(perpend::read_table("loans.csv"), options);
//     for (const auto& split : found.summaries) std::cout << perpend::reading(split);
//
// Each method is trained with several numbers of members and lambdas, validation rows choose among these, and test rows
// judge the chosen one. A restart does that with another split and other first weights; means are over restarts. Within
// a budget of time the epochs are cut until one restart fits, and further restarts are made while the next is expected
// to fit.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perpend/data/table.h"
#include "perpend/run/run.h"
#include "perpend/study/select.h"
#include "perpend/study/trial.h"

namespace perpend {

struct CompareOptions {
  RunOptions run;  // its method, members, lambda and split are not looked at
  std::vector<SplitKind> splits = {SplitKind::random, SplitKind::extrapolation};  // a table each, doubled ones once
  std::vector<int> members = {5};                                                 // numbers of members to choose from
  std::vector<double> lambdas = {};    // for each method that has one; empty: a few values around its default
  int restarts = 10;                   // at most
  std::optional<double> seconds = {};  // time budget; one restart is finished whatever it takes. Nothing: no limit
};

// Hears how a comparison goes on, by one thread at a time. What on_prepared throws ends it.
class CompareCallback {
 public:
  virtual ~CompareCallback() = default;
  virtual void on_prepared(std::span<const TrialData> /*data*/, const std::vector<std::string>& /*remarks*/) {}
  // restart: from 1; done: its finished trainings, out of `trainings`; seconds: since the start.
  virtual void on_progress(int /*restart*/, std::size_t /*done*/, std::size_t /*trainings*/, double /*seconds*/) {}
  // Ends the comparison; restarts that are finished stay. Asked by all threads.
  virtual bool stop_requested() { return false; }
};

struct CompareInputs {
  const Schema* encoding = nullptr;  // as for fit
  CompareCallback* callback = nullptr;
};

struct Compared {
  RunOptions options;                   // what all trainings share
  Grid grid;                            // what was tried
  bool own_encoding = false;            // it was given, not found on training rows
  std::vector<TrialResult> results;     // of finished restarts
  std::vector<SplitSummary> summaries;  // of what was selected from them, one per split
  std::size_t restarts = 0;             // finished; 0 when it was stopped before the first
  std::vector<LeftOut> left_out;        // split domain: of each finished restart; without that split nothing
  double seconds = 0;
  std::optional<double> budget;  // seconds; nothing: no limit
  double epochs_share = 1;       // below 1: what the budget left of them
};

// Throws ConfigError when these options cannot be used: before a large table is read, say.
void refuse_problems(const CompareOptions& options);

// Throws ConfigError for options that cannot be used, and DataError for a table that cannot.
Compared compare(const Table& table, const CompareOptions& options, const CompareInputs& inputs = {});

// Who won on a split, and whether that is more than noise, in one sentence.
std::string reading(const SplitSummary& split);
// "5 restarts in 96 s of 120 s", and how far epochs were cut.
std::string work_done(const Compared& compared);

// One table per split with its reading, then work_done: what `perpend compare` prints.
std::string to_text(const Compared& compared);

// One JSON object: options, encoding, grid, restarts, seconds, budget_seconds, epochs_share, splits and trials; with
// split domain also left_out.
std::string to_json(const Compared& compared);

}  // namespace perpend
