// Compares the methods, and other models beside them, on the same splits of a table: which one is best, and by how
// much? `perpend compare` does this.
//
//     perpend::CompareOptions options;
//     options.run.schema.target = "default";
//     const perpend::Compared found = perpend::compare(perpend::read_table("loans.csv"), options);
//     for (const auto& split : found.summaries) std::cout << perpend::reading(split);
//
// Each method is trained as `train` trains it with these options. Where several numbers of members or lambdas are
// given, validation rows choose among them. Test rows judge. Each restart repeats this with another split and other
// first weights, and means are over restarts. A time budget cuts the epochs until one restart fits. Further restarts
// follow as long as the next one is expected to fit.
//
// One logistic regression (run/baselines.h) always learns from the same training rows and is judged by the same test
// rows. A method is praised only where it beats this baseline by more than noise. A caller may add models of its own.
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
  RunOptions run;  // its method, lambda and split are not used
  std::vector<SplitKind> splits = {SplitKind::random, SplitKind::extrapolation};  // one table each, repeats once
  // The methods to compare, in the order of the table of methods. Empty: the usual ones, and where there are rows
  // without labels also those that need them.
  std::vector<Method> methods = {};
  std::vector<int> members = {};  // numbers of members to choose from; empty: that of `run`
  // The lambdas to choose from, for each method that has one. Empty: what `train` uses, by default or by lambda auto.
  // The published recipe does not fix lambda, so a few values per method are tried.
  std::vector<double> lambdas = {};
  int restarts = 10;                   // at most
  std::optional<double> seconds = {};  // time budget; one restart is finished whatever it takes. Nothing: no limit
};

// Is told about the progress of a comparison, by one thread at a time. What on_prepared throws ends the comparison.
class CompareCallback {
 public:
  virtual ~CompareCallback() = default;
  virtual void on_prepared(std::span<const TrialData> /*data*/, const std::vector<std::string>& /*remarks*/) {}
  // restart: which one, from 1. done: how many of its `trainings` are finished. seconds: the time since the start.
  virtual void on_progress(int /*restart*/, std::size_t /*done*/, std::size_t /*trainings*/, double /*seconds*/) {}
  // A true answer ends the comparison and keeps the finished restarts. All threads ask this.
  virtual bool stop_requested() { return false; }
};

// A model of the caller's, compared on the same rows. `answers` learns from the training rows of a restart and answers
// its test rows: with probabilities of the classes, (rows, classes), or in a regression with one column of predictions.
// One thread at a time calls it. If it throws, the model's line shows the message.
struct OtherModel {
  std::string name;
  std::function<Matrix<double, axis::Row, axis::Out>(const TrialData&)> answers;
};

struct CompareInputs {
  const Schema* encoding = nullptr;  // as for fit
  // Rows without labels, as for fit. The methods that use them get them. The methods that cannot train without them are
  // left out where there are none.
  const Table* unlabeled = nullptr;
  CompareCallback* callback = nullptr;
  // Compared beside logistic regression. Their time counts when the budget decides about the next restart.
  std::vector<OtherModel> others = {};
};

// What another model reached in one restart.
struct OtherResult {
  std::string name;
  SplitKind split = SplitKind::random;
  int restart = 0;
  Scores test;
  std::string problem;  // why it has no figures; usually empty
};

inline constexpr const char* kLogistic = "logistic regression";
inline constexpr const char* kLinear = "linear regression";  // in its place where the target is a number

// One line of a table. Its figures are those of the test rows, over restarts.
struct ComparedModel {
  std::string name;              // the word of a method, or the name of another model
  std::optional<Method> method;  // nothing: another model, which has only the next three
  Summary auc, log_loss, ece;    // in a regression R^2, RMSE and nothing
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
  std::vector<ComparedModel> models;       // methods, logistic regression, other models
  std::optional<std::size_t> winner;       // of the best mean AUC; on a tie the earlier one
  std::optional<std::size_t> best_method;  // the same among methods
  // The winner's over the second, or over the best method if the winner is not a method.
  std::optional<ComparedLead> lead;
  std::optional<ComparedLead> over_restarts;  // the best method's over restarts, unless restarts are the best method
  std::optional<ComparedLead> over_logistic;  // the best method's
  std::optional<ComparedLead> log_loss_above_logistic;  // the best method's log-loss minus that of logistic regression
  // With these options `train` repeats the best method's training of the first restart.
  std::optional<RunOptions> retrain;
};

struct Compared {
  RunOptions options;                    // what all trainings share
  Grid grid;                             // the numbers of members and lambdas that were tried
  bool own_encoding = false;             // it was given, not found on training rows
  std::vector<TrialResult> results;      // of finished restarts
  std::vector<OtherResult> others;       // of finished restarts
  std::vector<ComparedSplit> summaries;  // one per split, of the trials that validation rows chose
  std::size_t restarts = 0;              // finished; 0 when it was stopped before the first
  std::vector<LeftOut> left_out;         // split domain: one per finished restart; other splits: empty
  double seconds = 0;
  std::optional<double> budget;  // seconds; nothing: no limit
  double epochs_share = 1;       // the share of the epochs that the budget left
};

// Throws ConfigError when these options cannot be used. It can be called before a large table is read.
void refuse_problems(const CompareOptions& options);

// Throws ConfigError for options that cannot be used, and DataError for a table that cannot.
Compared compare(const Table& table, const CompareOptions& options, const CompareInputs& inputs = {});

// Says who won on a split, and whether the lead is more than noise, in a sentence or two. A method is praised only
// where it is better than logistic regression by more than noise.
std::string reading(const ComparedSplit& split);
// Says how much was done, "5 restarts in 96 s of 120 s", and how far epochs were cut.
std::string work_done(const Compared& compared);

// An option and its value as JSON.
struct OptionGiven {
  std::string name;
  std::string json;
};
// Returns what `train` has to be given for these options: columns, split, seed, method, members and lambda, and every
// other option that the method uses and that differs from its default. With the published recipe, it must differ from
// the preset's value. threads is left out.
std::vector<OptionGiven> options_to_give(const RunOptions& options);

// A text behind the table of a split.
using TextBelow = std::function<std::string(const ComparedSplit&)>;

// Returns what `perpend compare` prints: one table per split with its reading and the text below it, then work_done.
std::string to_text(const Compared& compared, const TextBelow& below = {});

// Returns one JSON object: options, encoding, grid, restarts, seconds, budget_seconds, epochs_share, splits, trials and
// others; with split domain also left_out.
std::string to_json(const Compared& compared);

}  // namespace perpend
