#include "perpend/records/run_summary.h"

#include <algorithm>

namespace perpend {

JudgedPart RunSummary::judged() const {
  if (test) return {"test", rows.test, &*test};
  if (validation) return {"validation", rows.validation, &*validation};
  if (train) return {"training", rows.train, &*train};
  return {};
}

Independence independence(double cos2) {
  return cos2 < 0.1 ? Independence::independent : cos2 < 0.5 ? Independence::partly : Independence::copies;
}

std::optional<FamiliarDisagreement> FamiliarDisagreement::of(const RunSummary& summary) {
  if (summary.disagreement_percentiles.size() != 101) return std::nullopt;
  FamiliarDisagreement familiar;
  familiar.percentiles_ = summary.disagreement_percentiles;
  return familiar;
}

double FamiliarDisagreement::at(double share) const {
  const double place = share * 100;
  const auto low = static_cast<std::size_t>(place);
  const std::size_t high = std::min<std::size_t>(low + 1, 100);
  return percentiles_[low] + (percentiles_[high] - percentiles_[low]) * (place - static_cast<double>(low));
}

int FamiliarDisagreement::percent_below(double disagreement) const {
  const auto below = std::ranges::lower_bound(percentiles_, disagreement) - percentiles_.begin();
  return std::max(0, static_cast<int>(below) - 1);
}

}  // namespace perpend
