// Evaluates the objective on a batch once, for every engine.
#pragma once

#include <algorithm>
#include <vector>

#include "perpend/base/parallel.h"
#include "perpend/objective/objective.h"
#include "perpend/train/batch.h"
#include "perpend/train/engine.h"

namespace perpend {

// Members first_member .. first_member + members on rows first .. first + count of a batch. Its forward pass must be
// done.
inline ObjectiveRows<float> objective_rows(Seam& seam, const Batch& batch, std::size_t first_member,
                                           std::size_t members, std::size_t first, std::size_t count,
                                           const RegressionLoss& loss) {
  ObjectiveRows<float> rows;
  rows.rows = count;
  rows.batch_rows = batch.rows;
  rows.labelled = std::min(count, batch.labelled - std::min(batch.labelled, first));
  rows.batch_unlabeled = batch.rows - batch.labelled;
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

// Rows first .. first + count of a batch.
struct Run {
  std::size_t number, first, count;
};

inline RegressionLoss loss_of(const Batches& batches) {
  const auto& quantity = batches.data().quantity;
  return quantity ? quantity->loss : RegressionLoss();
}

// Evaluates the objective on these rows: of all members together, or of each alone if each has its own batch.
inline Terms<float> evaluate_rows(Seam& seam, const Objective<float>& objective, Batches& batches, const Run& run,
                                  const float* batch_sums) {
  const auto [number, first, count] = run;
  const std::size_t members = seam.scores.members();
  const RegressionLoss loss = loss_of(batches);
  Terms<float> terms{std::vector<float>(members, 0.0F), 0.0F};
  if (batches.shared()) {
    auto rows = objective_rows(seam, batches.of(0, number), 0, members, first, count, loss);
    rows.batch_sums = batch_sums;
    objective.evaluate(rows, terms);
    return terms;
  }
  for (std::size_t m = 0; m < members; ++m) {
    auto rows = objective_rows(seam, batches.of(m, number), m, 1, first, count, loss);
    Terms<float> own{{0.0F}, 0.0F};
    objective.evaluate(rows, own);
    terms.fit[m] = own.fit[0];
  }
  return terms;
}

// The pass before the others (objective.h, step 4), on rows that all members share. Empty if the objective asks for
// none.
inline std::vector<float> batch_sums(Seam& seam, const Objective<float>& objective, Batches& batches,
                                     const std::vector<Run>& runs, const Threads& threads) {
  if (!batches.shared()) return {};
  const auto rows_of = [&](const Run& run) {
    return objective_rows(seam, batches.of(0, run.number), 0, seam.scores.members(), run.first, run.count,
                          loss_of(batches));
  };
  const std::size_t count = objective.batch_sums(rows_of(runs[0]));
  if (count == 0) return {};
  std::vector<std::vector<float>> shares(runs.size(), std::vector<float>(count, 0.0F));
  threads.for_each(runs.size(), [&](std::size_t i) { objective.add_batch_sums(rows_of(runs[i]), shares[i].data()); });
  std::vector<float> sums(count);
  for (std::size_t k = 0; k < count; ++k) {
    double sum = 0;
    for (const auto& share : shares) sum += share[k];
    sums[k] = static_cast<float>(sum);
  }
  return sums;
}

// Runs the forward pass and the objective. Terms are summed over runs of 128 rows, in order.
template <class Engine>
Terms<double> evaluate_step(Engine& engine, const Objective<float>& objective, Batches& batches,
                            const Threads& threads) {
  constexpr std::size_t kRun = 128;
  engine.forward(batches);
  std::vector<Run> runs;
  for (std::size_t first = 0; first < batches.rows(); first += kRun) {
    runs.push_back({runs.size(), first, std::min(kRun, batches.rows() - first)});
  }
  const std::vector<float> sums = batch_sums(engine.seam(), objective, batches, runs, threads);
  std::vector<Terms<float>> terms(runs.size());
  threads.for_each(runs.size(), [&](std::size_t i) {
    terms[i] = evaluate_rows(engine.seam(), objective, batches, runs[i], sums.empty() ? nullptr : sums.data());
  });
  Terms<double> total{std::vector<double>(engine.seam().scores.members(), 0.0), 0.0};
  for (const auto& run : terms) {
    for (std::size_t m = 0; m < total.fit.size(); ++m) total.fit[m] += run.fit[m];
    total.penalty += run.penalty;
  }
  return total;
}

}  // namespace perpend
