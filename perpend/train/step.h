// One evaluation of the objective on a batch, for every engine.
#pragma once

#include <algorithm>
#include <vector>

#include "perpend/base/parallel.h"
#include "perpend/objective/objective.h"
#include "perpend/train/batch.h"
#include "perpend/train/engine.h"

namespace perpend {

// Members first_member .. first_member + members on rows first .. first + count of a batch whose forward pass is done.
inline ObjectiveRows<float> objective_rows(Seam& seam, const Batch& batch, std::size_t first_member,
                                           std::size_t members, std::size_t first, std::size_t count,
                                           const RegressionLoss& loss) {
  ObjectiveRows<float> rows;
  rows.rows = count;
  rows.batch_rows = batch.rows;
  rows.labels = batch.labels.data() + first;
  if (!batch.targets.empty()) rows.targets = batch.targets.data() + first;
  rows.loss = loss;
  rows.indices = batch.indices.data() + first;
  rows.weights = batch.weights.data() + first;
  if (!batch.unlabeled_weights.empty()) rows.unlabeled_weights = batch.unlabeled_weights.data() + first;
  for (std::size_t m = first_member; m < first_member + members; ++m) {
    rows.scores.push_back(seam.scores[m].middle_rows(first, count));
    rows.d_scores.push_back(seam.d_scores[m].middle_rows(first, count));
    if (seam.with_input_gradients()) rows.input_gradients.push_back(seam.input_gradients[m].middle_rows(first, count));
  }
  return rows;
}

// The objective on these rows: of all members together, or of each alone where each has its own batch.
inline Terms<float> evaluate_rows(Seam& seam, const Objective<float>& objective, Batches& batches, std::size_t run,
                                  std::size_t first, std::size_t count) {
  const std::size_t members = seam.scores.members();
  const auto& quantity = batches.data().quantity;
  const RegressionLoss loss = quantity ? quantity->loss : RegressionLoss();
  Terms<float> terms{std::vector<float>(members, 0.0F), 0.0F};
  if (batches.shared()) {
    auto rows = objective_rows(seam, batches.of(0, run), 0, members, first, count, loss);
    objective.evaluate(rows, terms);
    return terms;
  }
  for (std::size_t m = 0; m < members; ++m) {
    auto rows = objective_rows(seam, batches.of(m, run), m, 1, first, count, loss);
    Terms<float> own{{0.0F}, 0.0F};
    objective.evaluate(rows, own);
    terms.fit[m] = own.fit[0];
  }
  return terms;
}

// Forward pass and objective. Terms are summed over runs of 128 rows, in order.
template <class Engine>
Terms<double> evaluate_step(Engine& engine, const Objective<float>& objective, Batches& batches,
                            const Threads& threads) {
  constexpr std::size_t kRun = 128;
  engine.forward(batches);
  std::vector<Terms<float>> runs((batches.rows() + kRun - 1) / kRun);
  threads.for_each(runs.size(), [&](std::size_t i) {
    const std::size_t first = i * kRun;
    const std::size_t count = std::min(kRun, batches.rows() - first);
    runs[i] = evaluate_rows(engine.seam(), objective, batches, i, first, count);
  });
  Terms<double> total{std::vector<double>(engine.seam().scores.members(), 0.0), 0.0};
  for (const auto& run : runs) {
    for (std::size_t m = 0; m < total.fit.size(); ++m) total.fit[m] += run.fit[m];
    total.penalty += run.penalty;
  }
  return total;
}

}  // namespace perpend
