// How much the members disagree on familiar rows, as `train` keeps it in the model's summary: percentiles 0 .. 100 of
// the validation rows' disagreement, or of the training rows' where no row was held out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perpend/store/trained_model.h"

namespace perpend::app {

class FamiliarDisagreement {
 public:
  // Nothing when the model does not have them.
  static std::optional<FamiliarDisagreement> of(const TrainedModel& model);
  // The disagreement that this share of familiar rows is below.
  double at(double share) const;
  // Percent of familiar rows, a whole number, that disagree less than this.
  int percent_below(double disagreement) const;

 private:
  std::vector<double> percentiles_;
};

// "they disagree more than on 96 % of familiar rows"
std::string compare_with_familiar(const FamiliarDisagreement& familiar, double disagreement);

}  // namespace perpend::app
