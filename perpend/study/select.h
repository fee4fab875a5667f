// From trials to a table: which (M, lambda) each method is judged by, and which method is best.
//
// Selection is as published. For every split, method and restart, the trial with the best validation AUC is the
// method's entry, and the table averages its test figures over restarts. Test rows choose nothing.
//
// The intervals say how far the mean over restarts (other splits, other first weights) might be off for this table of
// rows. The rows of restarts overlap, so an interval says less about another sample of rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "perpend/study/trial.h"

namespace perpend {

// Whether validation prefers one result to another. It prefers a finished trial, then a defined AUC, then the larger
// AUC. Of two equal ones, neither is better.
bool better(const TrialResult& one, const TrialResult& other);

// Returns one result for each (split, method, restart) that occurs, in the order of first occurrence. Diverged and
// stopped trials cannot be chosen. An undefined AUC loses to any other, and of equal ones the earlier trial is taken.
// Where nothing can be chosen, the first diverged trial is returned, so that it is counted.
std::vector<TrialResult> select_by_validation(std::span<const TrialResult> results);

struct Summary {
  std::size_t count = 0;      // values that are defined
  std::size_t undefined = 0;  // values that are left out
  Metric mean;
  Metric sd;              // with count - 1; undefined for fewer than two values, like the next
  Metric standard_error;  // sd / sqrt(count)
};
Summary summarize(std::span<const Metric> values);

// The mean -+ t standard errors, t of Student's distribution with count - 1 degrees of freedom.
struct MeanInterval {
  double low = 0;
  double high = 0;
};
std::optional<MeanInterval> interval_95(const Summary& summary);

struct MethodSummary {
  Method method = kDefaultMethod;
  Summary auc, log_loss, ece;  // on test rows
  Summary rho_av, grad_cos2;   // on test rows
  int members = 0;             // the (M, lambda) chosen most often, the smaller on a tie
  std::optional<double> lambda;
  std::size_t alone = 0;  // restarts that kept one network of several, and so have no diversity
  bool best = false;      // bold in tables: mean +- standard error overlaps that of the best mean
};

// The figure of one model minus that of another, restart by restart.
struct PairedDifference {
  Summary difference;
  std::optional<MeanInterval> interval;  // of its mean; nothing for fewer than two restarts
  std::size_t ahead = 0;                 // restarts in which it is above 0

  bool more_than_noise() const { return interval && (interval->low > 0 || interval->high < 0); }
};
PairedDifference paired_difference(std::span<const Metric> differences);

// The test AUC of one method minus that of another.
struct Lead : PairedDifference {
  Method over = kBaseline;
};
Lead lead(std::span<const TrialResult> selected, SplitKind split, Method method, Method over);

struct SplitSummary {
  SplitKind split = SplitKind::random;
  std::vector<MethodSummary> methods;  // in the order of first occurrence
  std::optional<Method> winner;        // of the best mean AUC; on a tie the earlier one
  std::optional<Lead> over_second;     // the winner's
  std::optional<Lead> over_restarts;   // the winner's; nothing if restarts are the winner
};
std::vector<SplitSummary> summarize_splits(std::span<const TrialResult> selected);

// For methods or other models that have an `auc`: returns the places of those with a mean, best first.
template <class Model>
std::vector<std::size_t> ranking(const std::vector<Model>& models) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < models.size(); ++i) {
    if (models[i].auc.mean) order.push_back(i);
  }
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return *models[i].auc.mean; });
  return order;
}

// Sets `best` for all whose mean plus standard error reaches the first one's mean minus its own.
template <class Model>
void mark_best(const Summary& first, std::vector<Model>& models) {
  for (auto& model : models) {
    if (!model.auc.mean) continue;
    const double reach = first.standard_error.value_or(0) + model.auc.standard_error.value_or(0);
    model.best = *first.mean - *model.auc.mean <= reach;
  }
}

}  // namespace perpend
