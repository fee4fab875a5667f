// One run: from a user's table to a trained and evaluated ensemble. `train` does one, and a study does thousands.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perpend/data/encode.h"
#include "perpend/data/split.h"
#include "perpend/evaluate/gate_fit.h"
#include "perpend/manifold/manifold.h"
#include "perpend/records/evaluation.h"
#include "perpend/records/run_summary.h"
#include "perpend/run/left_out.h"
#include "perpend/run/threshold.h"
#include "perpend/train/train.h"

namespace perpend {

// The members' weights in their mean: shares of the views (run/view_weights.h), or weights learnt from validation rows.
// Learnt weights are the same for all rows (stack) or depend on the row (gate).
enum class Aggregate { mean, gate, stack };

struct RunOptions {
  SchemaOptions schema;
  SplitOptions split;        // its seed is train.seed
  std::string split_column;  // for by_column the column to cut; for labels the column that names each row's part
  std::string group;         // a column whose equal values stay in one part of the split; it is not an input
  std::string domain;        // for domain: the column that names each row's domain (split.test_domains has domains)
  TrainOptions train = default_recipe();
  bool lambda_auto = false;  // choose lambda by validation (choose_lambda) in place of train.lambda; see chooses_lambda
  std::string manifold = "none";               // where LIT's penalty acts: a form of manifold/manifold.h
  bool views_auto = true;                      // choose train.views (auto_views) in place of what is there
  std::vector<std::string> class_weight = {};  // run/class_weights.h
  std::vector<std::string> increasing = {};    // columns along which the score never falls (run/directions.h)
  std::vector<std::string> decreasing = {};    // and those along which it never rises
  std::optional<int> bins;                // of a number in the piecewise view; nothing: by the number of training rows
  bool refit = true;                      // train again on all rows where a part was held out for early stopping alone
  bool remember = true;                   // keep in the model file what later rows are compared with (records/home.h)
  Aggregate aggregate = Aggregate::mean;  // how much say each member has (evaluate/gate_fit.h)
  Calibrator calibrate = Calibrator::none;  // how the ensemble's probabilities are made to fit the validation rows
  std::optional<Aim> threshold = {};        // of two classes: when the second is answered; nothing: above one half
};

// Returns the views of a training whose options name none. They are linear and piecewise. With kFewestForSingleViews
// members or more, a logistic regression and boosted trees are added, if the method trains its members together. Some
// options need one number per encoded feature. These have no views: the manifolds, the penalty finite, numbers that are
// not standardised, and the published recipe.
constexpr int kFewestForSingleViews = 6;
std::vector<View> auto_views(const RunOptions& options);

// Returns the options with the views filled in.
RunOptions with_views(RunOptions options);

// Returns the options of the training: the views are filled in, and early stopping is off where there are no rows to
// validate on.
struct Prepared;
TrainOptions train_options_for(const Prepared& data, const RunOptions& options);

// Returns everything that is wrong with the options, one line each.
std::vector<std::string> validate(const RunOptions& options);
// Throws one ConfigError that lists everything that is wrong with the options, if anything is.
void refuse_problems(const RunOptions& options);

// Whether the method's penalty acts along a manifold; other methods measure cos^2 along it.
bool trains_along_manifold(const TrainOptions& options);

// Whether lambda is chosen by validation: the user asked for it, or the method does so and no lambda was given.
bool chooses_lambda(const RunOptions& options);

// What a training gets: the encoded rows of all parts.
struct Prepared {
  Schema schema;
  Split split;
  LeftOut left_out;  // by split domain
  Dataset train, validation, test;
  Inputs unlabeled;         // rows without labels; mostly none
  FittedManifold manifold;  // of the training rows, by options.manifold
  struct {
    Tangents train, validation, test, unlabeled;  // empty: the whole input space
  } tangents;
  FitReport fit;
  EncodeReport encoded;
  bool divided = false;  // the split gave no rows to validate on, so a fifth of the training rows does (split.h)
};

// What may be given beside the table. None of it influences a schema that is found.
struct PrepareInputs {
  // An encoding to use, so that none is found. The norms of the extrapolation split are of this encoding. public_schema
  // gives the one of the paper's arrays, whose statistics have seen the test rows.
  const Schema* encoding = nullptr;
  const Table* validation = nullptr;  // rows to validate on, in place of those that the split gives
  // Rows without labels: those of the place where the model will be used.
  const Table* unlabeled = nullptr;
};

// Splits the rows, finds the schema on the training rows alone, and encodes all parts. Only the extrapolation split
// encodes by all rows at first: it needs the norms of encoded rows before there are training rows.
//
// Without a split, the model depends on the rows and not on their order or on how repeats are written. They train in
// the order of their content, those of weight 0 are left out, and whole weights stand for copies (row_order.h).
//
// Early stopping needs rows to validate on. Where neither the split nor `validation` gives any, a fifth of the training
// rows is held out for it. If a class has too few rows for that, training takes kEpochsWithoutValidation epochs.
constexpr int kEpochsWithoutValidation = 100;
Prepared prepare(const Table& table, const RunOptions& options, const PrepareInputs& inputs = {});

// Returns the bases that a training reads: those of the training rows, then those of the rows without labels where
// these take part.
Tangents training_tangents(const Prepared& data, bool with_unlabeled);

// Checks whether weights of a model with the schema `there` may start a training here. Throws ConfigError that names
// the first encoded column or class that differs: such weights would be read as those of other columns.
void check_start(const Schema& there, const Schema& here);

// Larger tables gain nothing from the rows that were held out.
constexpr std::size_t kMostRefitRows = 5000;

struct RunResult {
  TrainResult trained;
  // The members before they were trained again on all rows; nothing where they were not. The validation rows can judge
  // only these members, so the metrics below are theirs.
  std::optional<Ensemble> before_refit;
  std::optional<Evaluation> train, validation, test;  // parts that have rows; nothing when training diverged
  std::optional<LearntGate> aggregate;                // what the validation rows say about a stack or gate
  std::optional<OutOfBagScores> out_of_bag;           // for bagging
  std::optional<ResidualSpread> residuals;            // for a regression, on validation rows
  Metric unlabeled_cos2;                              // grad_cos2 at the rows without labels, where there are any
  std::optional<Baselines> baselines;                 // run leaves them out; measure_baselines makes them
  MetricRanges ranges = {};                           // likewise; run/intervals.h makes these two
  std::string data_sha256 = {};
};

// Trains an ensemble on the prepared rows and measures it on each part. A training that diverges is a status of the
// result, not an exception. initial: weights to start from. ready: the result of the training, if it is known already
// (LambdaChoice::trained); then `run` only measures.
RunResult run(const Prepared& data, const RunOptions& options, const Ensemble* initial = nullptr,
              TrainCallback* callback = nullptr, const TrainResult* ready = nullptr);

// A lambda is free if the validation log-loss of its trial is within this many nats of the best trial's.
constexpr double kFreeLogLoss = 0.01;

// Returns the lambdas that choose_lambda tries: 0, .03, .1, .3 and 1.
const std::vector<double>& lambda_grid();

struct LambdaTrial {
  double lambda = 0;
  double log_loss = 0;        // validation, of the ensemble
  double standard_error = 0;  // of the mean over validation rows
  Metric grad_cos2;           // along the manifold, where there is one
  bool diverged = false;
};

struct LambdaChoice {
  double lambda = 0;
  std::vector<LambdaTrial> trials;  // by lambda, ascending
  bool regression = false;          // log_loss is then that of the errors' distribution, up to a constant
  // The training of the chosen lambda, if its trial was the whole training that `run` would do. In small tables it is,
  // because the trial then takes all rows and the full width of the networks.
  std::optional<TrainResult> trained = {};
  double price() const;  // the validation log-loss of the chosen lambda minus that of the best one
};

// Returns the largest of the trials' lambdas that is free, or 0 if all trials diverged. For a score other than the
// log-loss, `free_loss` is a difference in it that matters to nobody.
double free_lambda(const std::vector<LambdaTrial>& trials, double free_loss = kFreeLogLoss);

// Chooses the most independence that costs next to nothing: the largest lambda of the grid that is free. The lambdas
// are tried in ascending order. The search ends at the first one whose log-loss is more than 3 kFreeLogLoss above the
// best so far. A trial trains networks of one layer with at most kTrialUnits units on at most kMostTrialRows rows, so a
// choice costs less than the training of a large table.
constexpr std::size_t kMostTrialRows = 5000;
constexpr int kTrialUnits = 64;
LambdaChoice choose_lambda(const Prepared& data, const RunOptions& options, TrainCallback* callback = nullptr);

}  // namespace perpend
