// The options of a training. Defaults are those of the command line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "perpend/base/direction.h"
#include "perpend/data/column_table.h"
#include "perpend/kernels/activation.h"
#include "perpend/model/ascent.h"
#include "perpend/objective/penalties.h"
#include "perpend/train/methods.h"

namespace perpend {

enum class Boosting { samme_r, samme };

struct RatePhase {
  int epochs = 0;
  double learning_rate = 0;
  bool operator==(const RatePhase&) const = default;
};

struct TrainOptions {
  Method method = kDefaultMethod;
  int members = 5;                        // for adaboost: at most
  Boosting boosting = Boosting::samme_r;  // for adaboost: by probabilities (as published) or by votes
  std::optional<double> lambda;           // of the method's penalty; default: lambda_of
  PenaltyReduction penalty_reduction = PenaltyReduction::mean;
  Penalty penalty = kDefaultPenalty;     // for lit: an entry of penalties.h
  AscentOptions ascent = {.steps = 10};  // for the finite penalty
  std::vector<View> views = {};     // how columns enter the networks; members take them in turn. Empty: plain features
  Directions directions = {};       // of the input columns, kept exactly; they need networks with one hidden layer
  std::vector<int> hidden = {256};  // {0}: by the number of rows (hidden_of)
  Activation activation = Activation::relu;
  double dropout = 0.5;                // share of hidden units left out, rounded to 1/65536
  std::optional<double> weight_decay;  // default: weight_decay_of
  double learning_rate = 1e-3;
  int batch_size = 256;       // 0: by the number of rows (batch_size_of)
  std::optional<int> epochs;  // default: epochs_of
  bool shuffle = true;        // reshuffle the rows each epoch; otherwise fixed contiguous batches
  std::uint64_t seed = 0;
  int threads = 0;         // 0: all; never changes a result
  int early_stopping = 0;  // measurements to wait for a better validation log-loss; 0: never stop early
  int rate_drops = 0;      // with early stopping: how often to go on in smaller steps before it stops
  // Epochs and learning rates to go through one after the other. They replace `epochs`, `learning_rate` and early
  // stopping. Stopping::plan has those by which a training that stopped by itself came to its best weights.
  std::vector<RatePhase> plan = {};
  std::optional<std::size_t> tree_rounds;  // of boosted trees; replaces early stopping
  // The options began as the published recipe. That is one recipe for all methods, so a method does not refuse the
  // parts that it does not use.
  bool published = false;
};

// The defaults for what the user does not give. Validation rows of sixteen tables chose them (docs/benchmarks.md):
// dropout 0.2, batches by the number of rows, and a training that stops by itself. A plain TrainOptions trains for a
// given number of epochs.
TrainOptions default_recipe();

// The recipe of the paper's tables: 256 ReLU units, drop-out 0.5, weight decay 1e-4 (NCL: none), Adam 1e-3, fixed
// batches of 256, ceil(640000 / rows) epochs, LIT's penalty summed over rows and unordered pairs.
TrainOptions published_options();

bool has_lambda(Method method);  // the methods with a penalty

// The value that is used if none is given: the method's own (methods.cpp), and lambda 1 where there is no penalty.
double lambda_of(const TrainOptions& options);
double weight_decay_of(const TrainOptions& options);

constexpr std::int64_t kRowVisits = 640000;
int default_epochs(std::size_t rows);

// With early stopping, the validation rows are measured every epoch, or every kVisitsPerMeasurement row visits if an
// epoch has fewer. When the log-loss has not fallen for `early_stopping` measurements, training goes back to the best
// weights and continues with kRateDrop of the learning rate. After `rate_drops` such drops it stops instead. It never
// makes more than kMostRowVisits row visits.
constexpr std::int64_t kVisitsPerMeasurement = 2000;
constexpr std::int64_t kMostRowVisits = 20'000'000;
constexpr double kRateDrop = 0.3;
int epochs_per_measurement(std::size_t rows);
// The largest number of epochs that are made.
int epochs_of(const TrainOptions& options, std::size_t rows);

// The hidden layers: those of the options, or by default one layer. It has 64 units, 128 from 2,500 rows on and 256
// from 10,000 on.
std::vector<std::size_t> hidden_of(const TrainOptions& options, std::size_t rows);

// The rows per step: those of the options, or by default a twentieth of the rows, from 16 to 256.
int batch_size_of(const TrainOptions& options, std::size_t rows);

// Names what the options minimise, for a message: the penalty, or "method ncl" where the method has its own.
std::string objective_name(const TrainOptions& options);

// Everything that is wrong with the options, one line per problem; empty when they can be used.
std::vector<std::string> validate(const TrainOptions& options);

}  // namespace perpend
