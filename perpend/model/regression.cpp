#include "perpend/model/regression.h"

#include "perpend/base/error.h"
#include "perpend/model/predict.h"

namespace perpend {

std::vector<double> regression_losses(const Ensemble& ensemble, const Decision& decision, const Dataset& data,
                                      const Threads& threads) {
  return regression_losses(combine(decision, member_predictions(ensemble, data.inputs.view(), threads).view()), data);
}

std::vector<double> regression_losses(std::span<const double> predictions, const Dataset& data) {
  PERPEND_CHECK(data.quantity && predictions.size() == data.targets.size());
  std::vector<double> losses;
  losses.reserve(predictions.size());
  for (std::size_t r = 0; r < predictions.size(); ++r) {
    losses.push_back(data.quantity->loss.value(data.quantity->standardised(predictions[r]) - data.targets[r]));
  }
  return losses;
}

std::vector<double> targets_of(const Dataset& data) {
  std::vector<double> targets;
  targets.reserve(data.targets.size());
  for (const float t : data.targets) targets.push_back(data.quantity->predicted(t));
  return targets;
}

}  // namespace perpend
