#include "perpend/train/trees_member.h"

#include <numeric>

namespace perpend {

namespace {

// boost() counts weights in 30 bits. If the sum of weights is larger, all are divided by the same factor.
constexpr double kMostWeight = 1 << 28;

std::vector<float> countable_weights(const Dataset& part) {
  std::vector<float> weights = part.weights;
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (float& weight : weights) weight = sum > kMostWeight ? static_cast<float>(weight * (kMostWeight / sum)) : weight;
  return weights;
}

TreeRows tree_rows(const Dataset& part, const std::vector<float>& weights) {
  return {.inputs = part.inputs.view(),
          .labels = part.labels,
          .targets = part.targets,
          .weights = weights,
          .loss = part.quantity ? part.quantity->loss : RegressionLoss()};
}

}  // namespace

BoostOptions tree_options(std::size_t rows) {
  BoostOptions options;
  options.tree.leaves = rows < 2500 ? 10 : rows < 10000 ? 15 : 31;
  options.tree.min_rows = 10;
  options.tree.rate = rows < 10000 ? 0.05 : 0.1;
  return options;
}

BoostedTrees untrained_trees(std::size_t scores) { return {.start = std::vector<float>(scores, 0.0F), .trees = {}}; }

BoostedTrees trees_member(const TrainInput& input, const TrainOptions& options, const Threads& threads) {
  const Dataset& train = *input.train;
  const bool stops = options.early_stopping > 0 && !options.tree_rounds;
  const std::vector<float> weights = countable_weights(train);
  const std::vector<float> validation_weights = stops ? countable_weights(*input.validation) : std::vector<float>();
  BoostTask task{.loss = train.quantity ? TreeLoss::regression : TreeLoss::log_loss,
                 .classes = train.classes.size(),
                 .columns = train.columns,
                 .training = tree_rows(train, weights)};
  if (stops) task.validation = tree_rows(*input.validation, validation_weights);
  BoostOptions boosting = tree_options(train.rows());
  boosting.rounds = stops ? kMostTreeRounds : options.tree_rounds.value_or(kTreeRoundsAlone);
  boosting.patience = stops ? kTreePatience : 0;
  boosting.seed = options.seed;
  boosting.tree.directions = options.directions;
  const auto go_on = [&](const BoostResult&) { return input.callback == nullptr || !input.callback->stop_requested(); };
  return boost(task, boosting, threads, go_on).trees;
}

}  // namespace perpend
