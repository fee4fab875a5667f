#include "perpend/records/run_summary.h"

#include <algorithm>

namespace perpend {

namespace {

// Interpolates linearly between the 101 percentiles.
double at_percentile(const std::vector<double>& percentiles, double share) {
  const double place = share * 100;
  const auto low = static_cast<std::size_t>(place);
  const std::size_t high = std::min<std::size_t>(low + 1, 100);
  return percentiles[low] + (percentiles[high] - percentiles[low]) * (place - static_cast<double>(low));
}

}  // namespace

JudgedPart RunSummary::judged() const {
  if (test) return {"test", rows.test, &*test};
  if (validation) return {"validation", rows.validation, &*validation};
  if (train) return {"training", rows.train, &*train};
  return {};
}

Standing standing(const RunSummary& summary) {
  const JudgedPart judged = summary.judged();
  if (!summary.baselines || judged.evaluation == nullptr) return Standing::unknown;
  const Baselines& beside = *summary.baselines;
  const Metric& worst = beside.majority.trained_for();
  if (judged.evaluation->trained_for() > worst) return Standing::below_majority;
  const double counts = std::max(beside.standard_error, 0.01 * worst.value_or(0));
  if (beside.behind_logistic > counts) return Standing::below_logistic;
  return beside.behind_logistic < -counts ? Standing::above_logistic : Standing::as_logistic;
}

bool is_weak(Standing standing) { return standing == Standing::below_majority || standing == Standing::below_logistic; }

Independence independence(double cos2) {
  return cos2 < 0.1 ? Independence::independent : cos2 < 0.5 ? Independence::partly : Independence::copies;
}

std::optional<FamiliarDisagreement> FamiliarDisagreement::of(const RunSummary& summary) {
  if (summary.disagreement_percentiles.size() != 101) return std::nullopt;
  FamiliarDisagreement familiar;
  familiar.percentiles_ = summary.disagreement_percentiles;
  return familiar;
}

double FamiliarDisagreement::at(double share) const { return at_percentile(percentiles_, share); }

// The conformal quantile: of n familiar rows, ceil((n + 1) coverage) must lie inside the interval. Then a new row lies
// inside with the probability that is asked for.
double ResidualSpread::half_width(double coverage) const {
  const auto n = static_cast<double>(rows);
  return at_percentile(percentiles, std::min(1.0, coverage * (n + 1) / n));
}

int FamiliarDisagreement::percent_below(double disagreement) const {
  const auto below = std::ranges::lower_bound(percentiles_, disagreement) - percentiles_.begin();
  return std::max(0, static_cast<int>(below) - 1);
}

}  // namespace perpend
