#include "perpend/trees/boost.h"

#include <algorithm>
#include <numeric>

#include "perpend/base/message.h"
#include "perpend/base/random.h"
#include "perpend/trees/masked_trees.h"

namespace perpend {

namespace {

void check_task(const BoostTask& task, const BoostOptions& options) {
  for (const TreeRows* rows : {&task.training, &task.validation}) {
    const bool labelled = task.loss == TreeLoss::log_loss;
    PERPEND_CHECK((labelled ? rows->labels.size() : rows->targets.size()) == rows->rows());
    PERPEND_CHECK(rows->weights.empty() || rows->weights.size() == rows->rows());
  }
  PERPEND_CHECK(task.training.rows() > 0 && options.tree.rate > 0 && options.tree.min_rows >= 0);
  double sum = static_cast<double>(task.training.rows());
  for (std::size_t r = 0; r < task.training.rows(); ++r) sum += task.training.weight(r);
  if (sum >= 0x1p30) {
    throw DataError("the training rows and their weights are too many for trees: together they must stay below " +
                    thousands(std::size_t{1} << 30U) + "; divide the weights by a number");
  }
}

// Rows in blocks, with their scores. A new tree adds to the scores.
class ScoredRows {
 public:
  ScoredRows(InputsView inputs, const std::vector<float>& start) : rows_(inputs.rows()), scores_(rows_ * start.size()) {
    for (std::size_t k = 0; k < start.size(); ++k) {
      std::fill_n(scores_.begin() + static_cast<std::ptrdiff_t>(k * rows_), rows_, double{start[k]});
    }
  }
  std::span<const double> scores() const { return scores_; }

  void keep_blocks(InputsView inputs, const Threads& threads) {
    blocks_.resize((rows_ + kernels::kTreeRows - 1) / kernels::kTreeRows, RowBlock({}));
    threads.for_each(blocks_.size(), [&](std::size_t b) {
      const std::size_t first = b * kernels::kTreeRows;
      blocks_[b] = RowBlock(inputs.middle_rows(first, std::min(kernels::kTreeRows, rows_ - first)));
    });
  }
  void add(const Tree& tree, std::size_t output, const Threads& threads) {
    const MaskedTrees masked({&tree, 1});
    double* const scores = scores_.data() + output * rows_;
    threads.for_each(blocks_.size(),
                     [&](std::size_t b) { masked.add(0, blocks_[b], scores + b * kernels::kTreeRows); });
  }
  // The same for a tree that was grown on all rows, so that their leaves are known.
  void add(const Tree& tree, const Grower& grower, std::size_t output, const Threads& threads) {
    double* const scores = scores_.data() + output * rows_;
    threads.for_each(tree.leaves(), [&](std::size_t leaf) {
      const double value = tree.value[leaf];
      for (const std::uint32_t row : grower.rows_of(leaf)) scores[row] += value;
    });
  }

 private:
  std::size_t rows_;
  std::vector<double> scores_;
  std::vector<RowBlock> blocks_;
};

// Rows of weight 0 do not take part.
std::vector<std::uint32_t> draw_rows(const TreeRows& rows, const BoostOptions& options, std::size_t round) {
  const Stream stream({options.seed, Purpose::tree_rows, options.member, static_cast<std::uint32_t>(round)});
  std::vector<std::uint32_t> drawn;
  drawn.reserve(rows.rows());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    if (rows.weight(r) == 0 || (options.row_share < 1 && stream.uniform(r) >= options.row_share)) continue;
    drawn.push_back(static_cast<std::uint32_t>(r));
  }
  return drawn;
}

std::vector<std::size_t> draw_columns(std::size_t columns, const BoostOptions& options, std::size_t tree) {
  std::vector<std::size_t> drawn(columns);
  std::iota(drawn.begin(), drawn.end(), 0);
  if (options.column_share >= 1) return drawn;
  const Stream stream({options.seed, Purpose::tree_columns, options.member, static_cast<std::uint32_t>(tree)});
  const auto order = stream.permutation(columns);
  const double wanted = options.column_share * static_cast<double>(columns) + 0.5;
  drawn.assign(order.begin(), order.begin() + std::max<std::ptrdiff_t>(1, static_cast<std::ptrdiff_t>(wanted)));
  std::ranges::sort(drawn);
  return drawn;
}

// With such a loss, the slopes decide the leaves, and the rows of a leaf decide its value.
void renew(const TreeRows& training, const Grower& grower, std::span<const double> scores, double rate, Tree& tree) {
  for (std::size_t leaf = 0; leaf < tree.leaves(); ++leaf) {
    tree.value[leaf] = static_cast<float>(rate * renewed_value(training, grower.rows_of(leaf), scores));
  }
}

std::size_t best_round(const std::vector<double>& losses) {
  return static_cast<std::size_t>(std::ranges::min_element(losses) - losses.begin());
}

}  // namespace

BoostResult boost(const BoostTask& task, const BoostOptions& options, const Threads& threads,
                  const AfterRound& after_round) {
  check_task(task, options);
  const TreeRows& training = task.training;
  const TreeRows& validation = task.validation;
  const std::size_t outputs = outputs_of(task.loss, task.classes);
  const bool samples = options.row_share < 1;
  const bool renews = task.loss == TreeLoss::regression && training.loss.kind != RegressionLoss::Kind::squared;
  const BinnedRows binned = bin_rows(training.inputs, task.columns, training.weights, options.bins, threads);
  Grower grower(binned, training.weights, options.tree, threads);

  BoostResult result{.trees = {.start = best_start(task.loss, task.classes, training)}};
  std::vector<Tree>& trees = result.trees.trees;
  ScoredRows trained(training.inputs, result.trees.start);
  ScoredRows validated(validation.inputs, result.trees.start);
  if (samples) trained.keep_blocks(training.inputs, threads);
  validated.keep_blocks(validation.inputs, threads);
  Derivatives derivatives;
  PackedGradients packed;
  std::vector<std::uint32_t> rows = draw_rows(training, options, 0);

  const auto measure = [&] {
    result.training_loss.push_back(derive(task.loss, training, trained.scores(), outputs, &derivatives, threads));
    if (validation.rows() > 0) {
      result.validation_loss.push_back(derive(task.loss, validation, validated.scores(), outputs, nullptr, threads));
    }
  };
  measure();
  for (std::size_t round = 0; round < options.rounds; ++round) {
    if (samples && round > 0) rows = draw_rows(training, options, round);
    bool grew = false;
    for (std::size_t k = 0; k < outputs; ++k) {
      pack_gradients(derivatives, k, training, packed, threads);
      trees.push_back(grower.grow(packed, rows, draw_columns(binned.columns.size(), options, trees.size())));
      if (renews) renew(training, grower, trained.scores(), options.tree.rate, trees.back());
      const Tree& tree = trees.back();
      grew = grew || tree.nodes() > 0;
      samples ? trained.add(tree, k, threads) : trained.add(tree, grower, k, threads);
      validated.add(tree, k, threads);
    }
    const bool drawn_anew = samples || options.column_share < 1;
    if (!grew && !drawn_anew) {
      trees.resize(round * outputs);
      break;
    }
    measure();
    const std::size_t best = validation.rows() > 0 ? best_round(result.validation_loss) : round + 1;
    if (options.patience > 0 && round + 1 - best >= options.patience) break;
    if (after_round && !after_round(result)) break;
  }
  if (validation.rows() > 0) trees.resize(std::min(trees.size(), best_round(result.validation_loss) * outputs));
  return result;
}

}  // namespace perpend
