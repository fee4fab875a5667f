#include "perpend/train/trees_member.h"

#include <cstdlib>
#include <numeric>

namespace perpend {

namespace {

// boost() counts weights in 30 bits. Larger ones are made smaller, all alike.
constexpr double kMostWeight = 1 << 28;

std::vector<float> countable_weights(const Dataset& part) {
  std::vector<float> weights = part.weights;
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (float& weight : weights) weight = sum > kMostWeight ? static_cast<float>(weight * (kMostWeight / sum)) : weight;
  return weights;
}

double env(const char* name, double usual) { const char* v = std::getenv(name); return v ? std::atof(v) : usual; }

}  // namespace

BoostedTrees untrained_trees(std::size_t scores) { return {.start = std::vector<float>(scores, 0.0F), .trees = {}}; }

BoostedTrees trees_member(const TrainInput& input, const TrainOptions& options, const Threads& threads) {
  const Dataset& train = *input.train;
  const bool stops = options.early_stopping > 0 && !options.tree_rounds;
  const std::vector<float> weights = countable_weights(train);
  const std::vector<float> validation_weights = stops ? countable_weights(*input.validation) : std::vector<float>();
  BoostTask task{.loss = TreeLoss::log_loss,
                 .classes = train.classes.size(),
                 .columns = train.columns,
                 .training = {.inputs = train.inputs.view(), .labels = train.labels, .weights = weights}};
  if (stops) {
    task.validation = {.inputs = input.validation->inputs.view(),
                       .labels = input.validation->labels,
                       .weights = validation_weights};
  }
  BoostOptions boosting{.rounds = stops ? kMostTreeRounds : options.tree_rounds.value_or(kTreeRoundsAlone),
                        .patience = stops ? kTreePatience : 0,
                        .seed = options.seed};
  boosting.tree.rate = env("T_RATE", .1);
  boosting.tree.leaves = env("T_LEAVES", 31);
  boosting.tree.min_rows = env("T_MIN", 20);
  boosting.tree.l2 = env("T_L2", 0);
  boosting.row_share = env("T_ROWS", 1);
  boosting.column_share = env("T_COLS", 1);
  const auto go_on = [&](const BoostResult&) { return input.callback == nullptr || !input.callback->stop_requested(); };
  return boost(task, boosting, threads, go_on).trees;
}

}  // namespace perpend
