// Trains an ensemble on a table: what `perpend train` and Python's fit do.
//
//     perpend::RunOptions options;
//     options.schema.target = "default";
//     const perpend::Fitted fitted = perpend::fit(perpend::read_table("loans.csv"), options);
//     std::cout << spelled(fitted.reading, plain_spelling) << '\n';
//     perpend::save_model("loans.safetensors", fitted.model, false);
//
// The rows are split, columns are encoded by what the training rows show, lambda is chosen where it is `auto`, the
// members are trained, and each part of the rows is measured. The same table, options and seed give the same model to
// the last byte, on any machine and with any number of threads.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perpend/api/model.h"
#include "perpend/data/table.h"
#include "perpend/run/run.h"

namespace perpend {

// Is told about the progress of a fit. What it throws ends the fit and reaches the caller. on_epoch and stop_requested
// must not throw. A true answer of stop_requested ends the training and keeps what is trained.
class FitCallback : public TrainCallback {
 public:
  // The table is split and encoded, and can be trained on. remarks: what is odd about its size.
  virtual void on_prepared(const Prepared& /*data*/, const std::vector<std::string>& /*remarks*/) {}
  // lambda auto has made its choice. The trainings that were reported before were its trials.
  virtual void on_lambda_choice(const LambdaChoice& /*choice*/) {}
};

// All of these are optional.
struct FitInputs {
  const Table* validation = nullptr;    // rows to validate on, in place of those that the split gives
  const Table* unlabeled = nullptr;     // rows without labels, at which members are kept apart
  const TrainedModel* start = nullptr;  // training starts from its weights
  const Schema* encoding = nullptr;     // in place of one that is found on the training rows
  FitCallback* callback = nullptr;
};

struct Fitted {
  TrainedModel model;                   // its summary has the metrics of all parts
  RunOptions options;                   // with the lambda that was used
  Split split;                          // which row went where
  LeftOut left_out;                     // split domain: the domains whose rows test
  std::optional<LambdaChoice> lambda;   // the trials, where lambda was auto
  TrainLog log;                         // of all epochs; the model's summary keeps about 50 of them
  std::vector<std::string> warnings;    // about the table, one line each
  std::vector<std::string> about_size;  // what is odd about its size (size_remarks)
  std::vector<std::string> remarks;     // about the training, such as why boosting ended early; one line each
  double seconds = 0;                   // of the whole fit
  std::string reading;                  // what the numbers say; it may mention options (option_mention.h)
};

// Throws ConfigError for options that cannot be used, and DataError for a table that cannot. Throws ModelFileError
// before training when the model would be too wide for a file, and DivergedError when a loss or weight is no longer
// finite.
Fitted fit(const Table& table, const RunOptions& options, const FitInputs& inputs = {});

// Says which row goes where, without any training.
Split split(const Table& table, const RunOptions& options);

// Returns what is odd about the size of the training data, one line each: too few rows, too many members.
std::vector<std::string> size_remarks(const Prepared& data, const RunOptions& options);

// Says what the numbers of a summary mean: whether the members are independent, what to try if they are not, and how
// the ensemble compares with one logistic regression. If the ensemble is worse than logistic regression, the reading
// says that first and says nothing about independence. Members that have learned nothing are independent of one
// another, too. lambda_was_chosen: validation chose the lambda in `options`, so the reading advises no other.
std::string reading(const RunSummary& summary, const RunOptions& options, bool lambda_was_chosen = false);

// Returns one JSON object: options, rows, steps, seconds, status, metrics, calibration and threshold, baselines, log
// and what the method and the rows add to them. list_rows: it also has the row numbers of each part.
std::string to_json(const Fitted& fitted, bool list_rows = false);

}  // namespace perpend
