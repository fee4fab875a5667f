// How to train an ensemble. Defaults are those of the command line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "perpend/kernels/activation.h"
#include "perpend/model/ascent.h"
#include "perpend/objective/penalties.h"
#include "perpend/train/methods.h"

namespace perpend {

enum class Boosting { samme_r, samme };

struct TrainOptions {
  Method method = kDefaultMethod;
  int members = 5;                        // adaboost: at most
  Boosting boosting = Boosting::samme_r;  // adaboost: by probabilities (as published) or by votes
  std::optional<double> lambda;           // of the method's penalty; default: lambda_of
  PenaltyReduction penalty_reduction = PenaltyReduction::mean;
  Penalty penalty = kDefaultPenalty;     // of lit: an entry of penalties.h
  AscentOptions ascent = {.steps = 10};  // of the finite penalty
  std::vector<int> hidden = {256};
  Activation activation = Activation::relu;
  double dropout = 0.5;                // share of hidden units left out, rounded to 1/65536
  std::optional<double> weight_decay;  // default: weight_decay_of
  double learning_rate = 1e-3;
  int batch_size = 256;
  std::optional<int> epochs;  // default: as many as make 640,000 row visits
  bool shuffle = true;        // reshuffle the rows each epoch; otherwise fixed contiguous batches
  std::uint64_t seed = 0;
  int threads = 0;         // 0: all; never changes a result
  int early_stopping = 0;  // epochs without a better validation log-loss to wait; 0: never stop early
  // The options began as the published recipe, which is one for all methods: what a method does not use of it is not
  // refused.
  bool published = false;
};

// The recipe of the paper's tables: 256 ReLU units, drop-out 0.5, weight decay 1e-4 (NCL: none), Adam 1e-3, fixed
// batches of 256, ceil(640000 / rows) epochs, LIT's penalty summed over rows and unordered pairs.
TrainOptions published_options();

bool has_lambda(Method method);  // the methods with a penalty

// What is used where nothing is given: the method's own (methods.cpp); lambda 1 where there is no penalty.
double lambda_of(const TrainOptions& options);
double weight_decay_of(const TrainOptions& options);

constexpr std::int64_t kRowVisits = 640000;
int default_epochs(std::size_t rows);

// What the options minimise, for a message: a mention of the penalty, or "method ncl" where the method has its own.
std::string objective_name(const TrainOptions& options);

// Everything that is wrong with the options, one line each; empty when they can be used.
std::vector<std::string> validate(const TrainOptions& options);

}  // namespace perpend
