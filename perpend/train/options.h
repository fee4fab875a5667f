// How to train an ensemble. Defaults are those of the command line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "perpend/kernels/activation.h"
#include "perpend/model/ascent.h"
#include "perpend/objective/lit.h"

namespace perpend {

enum class Method { restarts, bagging, adaboost, ncl, ace, lit };
enum class Boosting { samme_r, samme };
enum class Penalty { cosine, finite };

struct TrainOptions {
  Method method = Method::lit;
  int members = 5;                        // adaboost: at most
  Boosting boosting = Boosting::samme_r;  // adaboost: by probabilities (as published) or by votes
  std::optional<double> lambda;           // of the method's penalty; default: lambda_of
  PenaltyReduction penalty_reduction = PenaltyReduction::mean;
  Penalty penalty = Penalty::cosine;     // lit: of input gradients (lit.h), or at a distance (finite.h; small data)
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
};

// The recipe of the paper's tables: 256 ReLU units, drop-out 0.5, weight decay 1e-4 (NCL: none), Adam 1e-3, fixed
// batches of 256, ceil(640000 / rows) epochs, LIT's penalty summed over rows and unordered pairs.
TrainOptions published_options();

bool has_lambda(Method method);  // ncl, ace and lit: the methods with a penalty

// What is used where nothing is given. lambda: 1 for LIT (objective/lit.h); 0.5 for NCL, whose members owe the labels
// nothing from 1 on (objective/ncl.h); 0.1 for ACE, whose members then still share a side when five fit the rows
// exactly (objective/ace.h). Weight decay: 1e-4; none for NCL, as published.
double lambda_of(const TrainOptions& options);
double weight_decay_of(const TrainOptions& options);

constexpr std::int64_t kRowVisits = 640000;
int default_epochs(std::size_t rows);

// Everything that is wrong with the options, one line each; empty when they can be used.
std::vector<std::string> validate(const TrainOptions& options);

}  // namespace perpend
