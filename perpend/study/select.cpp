#include "perpend/study/select.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace perpend {

namespace {

// Quantile 0.975 of Student's distribution. For a number of degrees above 30 that is not listed, the next smaller one
// is taken, whose interval is wider.
double student_975(std::size_t degrees) {
  static constexpr std::array<double, 30> kSmall = {
      12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
      2.120,  2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
  if (degrees <= kSmall.size()) return kSmall[degrees - 1];
  if (degrees < 60) return degrees < 40 ? kSmall.back() : 2.021;
  return degrees < 120 ? 2.000 : 1.980;
}

bool same_place(const Trial& a, const Trial& b) {
  return a.split == b.split && a.method == b.method && a.restart == b.restart;
}

template <class Key>
Summary summarize_by(const std::vector<const TrialResult*>& results, Key key) {
  std::vector<Metric> values;
  for (const auto* result : results) values.push_back(result->status == TrialStatus::ok ? key(*result) : Metric());
  return summarize(values);
}

void add_most_chosen(const std::vector<const TrialResult*>& results, MethodSummary& summary) {
  std::vector<std::tuple<int, std::optional<double>>> chosen;
  for (const auto* result : results) {
    if (result->status == TrialStatus::ok) chosen.emplace_back(result->trial.members, result->trial.lambda);
  }
  std::ranges::sort(chosen);
  std::ptrdiff_t most = 0;
  for (const auto& pair : chosen) {
    const auto times = std::ranges::count(chosen, pair);
    if (times > most) std::tie(summary.members, summary.lambda) = pair;
    most = std::max(most, times);
  }
}

MethodSummary summarize_method(const std::vector<const TrialResult*>& results) {
  MethodSummary summary;
  summary.method = results.front()->trial.method;
  summary.auc = summarize_by(results, [](const TrialResult& r) { return r.test.merit(); });
  summary.log_loss = summarize_by(results, [](const TrialResult& r) { return r.test.log_loss; });
  summary.ece = summarize_by(results, [](const TrialResult& r) { return r.test.ece; });
  summary.rho_av = summarize_by(results, [](const TrialResult& r) { return r.test.rho_av; });
  summary.grad_cos2 = summarize_by(results, [](const TrialResult& r) { return r.test.grad_cos2; });
  add_most_chosen(results, summary);
  summary.alone = static_cast<std::size_t>(std::ranges::count_if(results, [](const TrialResult* result) {
    return result->status == TrialStatus::ok && result->trial.members > 1 && result->test.members.size() == 1;
  }));
  return summary;
}

}  // namespace

bool better(const TrialResult& one, const TrialResult& other) {
  const auto rank = [](const TrialResult& result) {
    return std::tuple(result.status == TrialStatus::ok, result.validation_merit.has_value(),
                      result.validation_merit.value_or(0));
  };
  return rank(one) > rank(other);
}

std::vector<TrialResult> select_by_validation(std::span<const TrialResult> results) {
  std::vector<TrialResult> selected;
  for (const auto& result : results) {
    const auto found =
        std::ranges::find_if(selected, [&](const TrialResult& other) { return same_place(other.trial, result.trial); });
    if (found == selected.end()) {
      selected.push_back(result);
    } else if (better(result, *found)) {
      *found = result;
    }
  }
  return selected;
}

Summary summarize(std::span<const Metric> values) {
  Summary summary;
  double sum = 0;
  for (const auto& value : values) {
    summary.count += value ? 1 : 0;
    sum += value.value_or(0);
  }
  summary.undefined = values.size() - summary.count;
  if (summary.count == 0) return summary;
  const auto n = static_cast<double>(summary.count);
  summary.mean = sum / n;
  if (summary.count < 2) return summary;
  double squares = 0;
  for (const auto& value : values) squares += value ? (*value - *summary.mean) * (*value - *summary.mean) : 0;
  summary.sd = std::sqrt(squares / (n - 1));
  summary.standard_error = *summary.sd / std::sqrt(n);
  return summary;
}

std::optional<MeanInterval> interval_95(const Summary& summary) {
  if (!summary.standard_error) return std::nullopt;
  const double reach = student_975(summary.count - 1) * *summary.standard_error;
  return MeanInterval{*summary.mean - reach, *summary.mean + reach};
}

PairedDifference paired_difference(std::span<const Metric> differences) {
  const Summary difference = summarize(differences);
  const auto ahead = std::ranges::count_if(differences, [](const Metric& d) { return d && *d > 0; });
  return {.difference = difference, .interval = interval_95(difference), .ahead = static_cast<std::size_t>(ahead)};
}

Lead lead(std::span<const TrialResult> selected, SplitKind split, Method method, Method over) {
  std::vector<Metric> differences;
  for (const auto& one : selected) {
    if (one.trial.split != split || one.trial.method != method) continue;
    for (const auto& other : selected) {
      if (other.trial.split != split || other.trial.method != over || other.trial.restart != one.trial.restart)
        continue;
      const bool both = one.test.merit() && other.test.merit();
      differences.push_back(both ? Metric(*one.test.merit() - *other.test.merit()) : Metric());
    }
  }
  Lead found;
  static_cast<PairedDifference&>(found) = paired_difference(differences);
  found.over = over;
  return found;
}

namespace {

SplitSummary summarize_split(std::span<const TrialResult> selected, SplitKind split) {
  SplitSummary summary;
  summary.split = split;
  std::vector<std::vector<const TrialResult*>> methods;
  for (const auto& result : selected) {
    if (result.trial.split != split) continue;
    auto found = std::ranges::find_if(
        methods, [&](const auto& group) { return group.front()->trial.method == result.trial.method; });
    if (found == methods.end()) found = methods.insert(methods.end(), {std::vector<const TrialResult*>()});
    found->push_back(&result);
  }
  for (const auto& group : methods) summary.methods.push_back(summarize_method(group));
  const auto order = ranking(summary.methods);
  if (order.empty()) return summary;
  mark_best(summary.methods[order[0]].auc, summary.methods);
  summary.winner = summary.methods[order[0]].method;
  if (order.size() > 1) summary.over_second = lead(selected, split, *summary.winner, summary.methods[order[1]].method);
  const bool has_restarts =
      std::ranges::any_of(order, [&](std::size_t i) { return summary.methods[i].method == kBaseline; });
  if (has_restarts && *summary.winner != kBaseline) {
    summary.over_restarts = lead(selected, split, *summary.winner, kBaseline);
  }
  return summary;
}

}  // namespace

std::vector<SplitSummary> summarize_splits(std::span<const TrialResult> selected) {
  std::vector<SplitKind> splits;
  for (const auto& result : selected) {
    if (std::ranges::find(splits, result.trial.split) == splits.end()) splits.push_back(result.trial.split);
  }
  std::vector<SplitSummary> summaries;
  for (const auto split : splits) summaries.push_back(summarize_split(selected, split));
  return summaries;
}

}  // namespace perpend
