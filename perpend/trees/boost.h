// Gradient boosting: each round grows a tree on the gradients of the loss at the present scores, and adds it.
//
// The same rows, options and seed give the same trees on any number of threads and any machine. For this, gradients
// become integers before they are summed (split.h), exponentials are our own (kernels/elementwise.h), and random
// choices have names (base/random.h). Defaults are those of LightGBM.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "perpend/data/column_table.h"
#include "perpend/trees/losses.h"
#include "perpend/trees/tree.h"

namespace perpend {

struct BoostOptions {
  std::size_t rounds = 100;  // at most
  std::size_t patience = 0;  // it stops after this many rounds without a better validation loss; 0: it never does
  GrowOptions tree = {};
  std::size_t bins = 255;   // per number, at most
  double row_share = 1;     // share of the rows that is drawn for each round
  double column_share = 1;  // share of the columns that is drawn for each tree; at least one
  std::uint64_t seed = 0;
  std::uint32_t member = 0;  // names the random streams
};

struct BoostTask {
  TreeLoss loss = TreeLoss::log_loss;
  std::size_t classes = 2;                    // for log_loss
  std::span<const ColumnTable> columns = {};  // which are categories, and their levels; empty: all are numbers
  TreeRows training = {};
  TreeRows validation = {};  // may have no rows
};

struct BoostResult {
  BoostedTrees trees;  // those of the best round by validation loss, or of all rounds without validation rows
  // The losses after 0, 1, 2 ... rounds.
  std::vector<double> training_loss = {};
  std::vector<double> validation_loss = {};
};

// Called after each round with the losses so far. If it returns false, the training ends as if it were out of patience.
using AfterRound = std::function<bool(const BoostResult&)>;

// Training also ends when no leaf can be split any more. Weights count as copies: min_rows is a weight. The sum of
// weights plus the number of rows must stay below 2^30.
BoostResult boost(const BoostTask& task, const BoostOptions& options, const Threads& threads,
                  const AfterRound& after_round = {});

}  // namespace perpend
