// The methods, and other models beside them, on the same splits of a table: which one is best, and by how much. What
// `perpend compare` does.
//
//     perpend::CompareOptions options;
//     options.run.schema.target = "default";
//     const perpend::Compared found = perpend::compare(perpend::read_table("loans.csv"), options);
//     for (const auto& split : found.summaries) std::cout << perpend::reading(split);
//
// Each method is trained as `train` trains it with these options. Where several numbers of members or lambdas are
// given, validation rows choose among them. Test rows judge. A restart does that with another split and other first
// weights; means are over restarts. Within a budget of time the epochs are cut until one restart fits, and further
// restarts are made while the next is expected to fit.
//
// One logistic regression (run/baselines.h) always learns from the same training rows and is judged by the same test
// rows: a method that is not better than it by more than noise is not praised. A caller may add models of its own.
#pragma once

#include <cstddef>
#include <functional>
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
  RunOptions run;  // its method, lambda and split are not looked at
  std::vector<SplitKind> splits = {SplitKind::random, SplitKind::extrapolation};  // a table each, doubled ones once
  // Compared in the order of their table. Empty: the usual ones, and those that need rows without labels where there
  // are some.
  std::vector<Method> methods = {};
  std::vector<int> members = {};  // numbers of members to choose from; empty: that of `run`
  // To choose from, for each method that has one. Empty: what `train` uses, by default or by lambda auto; of the
  // published recipe, which has one lambda for no table, a few values per method.
  std::vector<double> lambdas = {};
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

// A model that is none of the methods, on the same rows. `answers` learns from the training rows of a restart and gives
// the test rows the probabilities of the classes, (rows, classes); of a regression one column, the predictions. It is
// called by one thread at a time. What it throws is told in the model's line.
struct OtherModel {
  std::string name;
  std::function<Matrix<double, axis::Row, axis::Out>(const TrialData&)> answers;
};

struct CompareInputs {
  const Schema* encoding = nullptr;  // as for fit
  // Rows without labels, as for fit. The methods that use them have them; those that train nothing without are left out
  // where there are none.
  const Table* unlabeled = nullptr;
  CompareCallback* callback = nullptr;
  std::vector<OtherModel> others = {};  // beside logistic regression; their time counts when the next restart is due
};

// One restart of another model.
struct OtherResult {
  std::string name;
  SplitKind split = SplitKind::random;
  int restart = 0;
  Scores test;
  std::string problem;  // why it has no figures; mostly empty
};

inline constexpr const char* kLogistic = "logistic regression";
inline constexpr const char* kLinear = "linear regression";  // in its place where the target is a number

// A line of a table. Figures are of the test rows, over restarts.
struct ComparedModel {
  std::string name;              // the word of a method, or the name of another model
  std::optional<Method> method;  // nothing: another model, which has only the next three
  Summary auc, log_loss, ece;    // of a regression: R^2, RMSE and nothing
  Summary rho_av, grad_cos2;
  int members = 0;  // chosen most often
  std::optional<double> lambda;
  bool best = false;    // mean +- standard error of the AUC overlaps that of the best mean
  std::string problem;  // of another model: the first of its restarts
};

struct ComparedLead : PairedDifference {
  std::string over;
};

struct ComparedSplit {
  SplitKind split = SplitKind::random;
  bool regression = false;
  std::vector<ComparedModel> models;          // methods, logistic regression, other models
  std::optional<std::size_t> winner;          // of the best mean AUC; on a tie the earlier one
  std::optional<std::size_t> best_method;     // the same among methods
  std::optional<ComparedLead> lead;           // the winner's over the second, or over the best method if it is none
  std::optional<ComparedLead> over_restarts;  // the best method's, unless it is that one
  std::optional<ComparedLead> over_logistic;  // the best method's
  std::optional<ComparedLead> log_loss_above_logistic;  // the best method's log-loss minus that of logistic regression
  std::optional<RunOptions> retrain;  // what gives `train` the best method's training of the first restart
};

struct Compared {
  RunOptions options;                    // what all trainings share
  Grid grid;                             // what was tried
  bool own_encoding = false;             // it was given, not found on training rows
  std::vector<TrialResult> results;      // of finished restarts
  std::vector<OtherResult> others;       // the same
  std::vector<ComparedSplit> summaries;  // of what was selected from them, one per split
  std::size_t restarts = 0;              // finished; 0 when it was stopped before the first
  std::vector<LeftOut> left_out;         // split domain: of each finished restart; without that split nothing
  double seconds = 0;
  std::optional<double> budget;  // seconds; nothing: no limit
  double epochs_share = 1;       // below 1: what the budget left of them
};

// Throws ConfigError when these options cannot be used: before a large table is read, say.
void refuse_problems(const CompareOptions& options);

// Throws ConfigError for options that cannot be used, and DataError for a table that cannot.
Compared compare(const Table& table, const CompareOptions& options, const CompareInputs& inputs = {});

// Who won on a split, and whether that is more than noise, in a sentence or two. No method is praised that is not
// better than logistic regression by more than noise.
std::string reading(const ComparedSplit& split);
// "5 restarts in 96 s of 120 s", and how far epochs were cut.
std::string work_done(const Compared& compared);

// An option and its value as JSON.
struct OptionGiven {
  std::string name;
  std::string json;
};
// What `train` has to be given for these options: columns, split, seed, method, members and lambda, and every other
// option that the method uses and that differs from its default or, with the published recipe, from the preset's.
// threads is left out.
std::vector<OptionGiven> options_to_give(const RunOptions& options);

// One table per split with its reading, then work_done: what `perpend compare` prints. below: a text behind each table.
using TextBelow = std::function<std::string(const ComparedSplit&)>;
std::string to_text(const Compared& compared, const TextBelow& below = {});

// One JSON object: options, encoding, grid, restarts, seconds, budget_seconds, epochs_share, splits, trials and others;
// with split domain also left_out.
std::string to_json(const Compared& compared);

}  // namespace perpend
