#include "apps/perpend/familiar.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/perpend/results.h"

namespace perpend::app {

std::optional<FamiliarDisagreement> FamiliarDisagreement::of(const TrainedModel& model) {
  const Json percentiles = Json::parse(model.summary)["disagreement_percentiles"];
  if (!percentiles.is_array() || percentiles.size() != 101) return std::nullopt;
  FamiliarDisagreement familiar;
  familiar.percentiles_ = percentiles.get<std::vector<double>>();
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

std::string compare_with_familiar(const FamiliarDisagreement& familiar, double disagreement) {
  const int percent = familiar.percent_below(disagreement);
  if (percent == 100) return "they disagree more than on any familiar row";
  if (percent >= 50) return fmt::format("they disagree more than on {} % of familiar rows", percent);
  return fmt::format("they disagree no more than on {} % of familiar rows", 100 - percent);
}

}  // namespace perpend::app
