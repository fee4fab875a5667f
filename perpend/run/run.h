// One run: from a user's table to a trained and evaluated ensemble. What `train` does, and what a study does thousands
// of times.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perpend/data/encode.h"
#include "perpend/data/split.h"
#include "perpend/manifold/manifold.h"
#include "perpend/records/evaluation.h"
#include "perpend/train/train.h"

namespace perpend {

struct RunOptions {
  SchemaOptions schema;
  SplitOptions split;        // its seed is train.seed
  std::string split_column;  // by_column: the column to cut; labels: train, validation or test per row
  std::string group;         // a column whose equal values stay in one part of the split; it is not an input
  TrainOptions train;
  bool lambda_auto = false;       // choose lambda by validation (choose_lambda) in place of train.lambda
  std::string manifold = "none";  // where LIT's penalty acts: a form of manifold/manifold.h
};

// Everything that is wrong with the options, one line each.
std::vector<std::string> validate(const RunOptions& options);
// Throws them all as one ConfigError.
void refuse_problems(const RunOptions& options);

// Whether the method's penalty acts along a manifold; other methods measure cos^2 along it.
bool trains_along_manifold(const TrainOptions& options);

struct Prepared {
  Schema schema;
  Split split;
  Dataset train, validation, test;
  Inputs unlabeled;         // rows without labels, for LIT's penalty; mostly none
  FittedManifold manifold;  // of the training rows, by options.manifold
  struct {
    Tangents train, validation, test, unlabeled;  // empty: the whole input space
  } tangents;
  FitReport fit;
  EncodeReport encoded;
};

// Splits the rows, finds the schema on the training rows alone, and encodes all parts. The extrapolation split needs
// the norm of encoded rows before there are training rows: it alone looks at an encoding by all rows.
//
// Without a split, the model depends on the rows and not on their order or on how repeats are written: they train in
// the order of their content, those of weight 0 are left out, and whole weights stand for copies (row_order.h).
//
// What may be given beside the table; none of it has a say in the schema that is found.
struct PrepareInputs {
  // An encoding of its own: nothing is found, and the norms of the extrapolation split are of this encoding.
  // public_schema gives the one of the paper's arrays, whose statistics have seen the test rows.
  const Schema* encoding = nullptr;
  const Table* validation = nullptr;  // rows to validate on, in place of those that the split gives
  // Rows without labels, at which LIT keeps the members independent too: those of the place where the model will be
  // used.
  const Table* unlabeled = nullptr;
};
Prepared prepare(const Table& table, const RunOptions& options, const PrepareInputs& inputs = {});

// Whether weights of a model with the schema `there` may start a training here. Throws ConfigError, naming the first
// encoded column or class that differs: such weights would be read as those of other columns.
void check_start(const Schema& there, const Schema& here);

struct RunResult {
  TrainResult trained;
  std::optional<Evaluation> train, validation, test;  // parts that have rows; nothing when training diverged
  std::optional<OutOfBagScores> out_of_bag;           // of bagging
  Metric unlabeled_cos2;                              // grad_cos2 at the rows without labels, where there are any
};

RunResult run(const Prepared& data, const RunOptions& options, const Ensemble* initial = nullptr,
              TrainCallback* callback = nullptr);

// The most independence that costs nothing: of a short grid of lambdas (0, .03, .1, .3, 1, 3, 10), each trained for
// half the epochs, the largest whose validation log-loss is within one standard error of the best one's, or within 0.02
// nats of it where that is wider: on data that all members solve, the error is smaller than any difference that
// matters.
constexpr double kFreeLogLoss = 0.02;
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
};
// That rule: the largest of the trials' lambdas whose log-loss is free; 0 when all diverged. For a score other than the
// log-loss, `free_loss` is the difference of it that matters to nobody.
double free_lambda(const std::vector<LambdaTrial>& trials, double free_loss = kFreeLogLoss);
LambdaChoice choose_lambda(const Prepared& data, const RunOptions& options, TrainCallback* callback = nullptr);

}  // namespace perpend
