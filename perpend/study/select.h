// From trials to a table: which (M, lambda) each method is judged by, and which method is best.
//
// Selection as published: for every split, method and restart the trial with the best validation AUC is the method's
// entry; its test figures are what the table averages over restarts. Test rows choose nothing.
//
// What the intervals say: how far the mean over restarts (other splits, other first weights) of this table of rows
// might be off. The rows of restarts overlap, so an interval says less about another sample of rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "perpend/study/trial.h"

namespace perpend {

// Whether validation prefers one result to another: a finished trial to one that is not, a defined AUC to an undefined
// one, then the larger AUC. Of two that are equal, neither is better.
bool better(const TrialResult& one, const TrialResult& other);

// One result for each (split, method, restart) that occurs, in the order of first occurrence. Diverged and stopped
// trials cannot be chosen; an undefined AUC loses to any other; ties go to the earlier trial. Where nothing can be
// chosen the first diverged trial stands, so that it is counted.
std::vector<TrialResult> select_by_validation(std::span<const TrialResult> results);

struct Summary {
  std::size_t count = 0;      // values that are defined
  std::size_t undefined = 0;  // values left out
  Metric mean;
  Metric sd;              // with count - 1; undefined of fewer than two values, as the next
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
  std::size_t alone = 0;  // restarts that kept one network of several: they have no diversity
  bool best = false;      // in bold in tables: mean +- standard error overlaps that of the best mean
};

// A figure of one model minus that of another, restart by restart.
struct PairedDifference {
  Summary difference;
  std::optional<MeanInterval> interval;  // of its mean; nothing of fewer than two restarts
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
  std::optional<Lead> over_restarts;   // unless that is the winner
};
std::vector<SplitSummary> summarize_splits(std::span<const TrialResult> selected);

// Of methods or other models that have an `auc`: the places of those with a mean, best first.
template <class Model>
std::vector<std::size_t> ranking(const std::vector<Model>& models) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < models.size(); ++i) {
    if (models[i].auc.mean) order.push_back(i);
  }
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return *models[i].auc.mean; });
  return order;
}

// Sets `best` of all whose mean plus standard error reaches the first one's mean less its own.
template <class Model>
void mark_best(const Summary& first, std::vector<Model>& models) {
  for (auto& model : models) {
    if (!model.auc.mean) continue;
    const double reach = first.standard_error.value_or(0) + model.auc.standard_error.value_or(0);
    model.best = *first.mean - *model.auc.mean <= reach;
  }
}

}  // namespace perpend
