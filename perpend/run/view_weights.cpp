#include "perpend/run/view_weights.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "perpend/model/predict.h"

namespace perpend {

namespace {

std::size_t count_piecewise(const Ensemble& ensemble) {
  std::size_t count = 0;
  for (std::size_t m = 0; ensemble.architecture.has_views() && m < ensemble.members.size(); ++m) {
    if (ensemble.architecture.view_of(m) == View::piecewise) ++count;
  }
  return count;
}

// The piecewise members share `share` of the say among them, the linear ones the rest.
Decision shared(const Ensemble& ensemble, double share) {
  Decision decision = equal_mean(ensemble.members.size());
  const std::size_t piecewise = count_piecewise(ensemble);
  const std::size_t linear = ensemble.members.size() - piecewise;
  for (std::size_t m = 0; m < ensemble.members.size(); ++m) {
    const bool is_piecewise = ensemble.architecture.view_of(m) == View::piecewise;
    decision.weights[m] =
        is_piecewise ? share / static_cast<double>(piecewise) : (1 - share) / static_cast<double>(linear);
  }
  return decision;
}

}  // namespace

Decision weigh_views(const Ensemble& ensemble, const Dataset& validation, const Threads& threads) {
  const std::size_t members = ensemble.members.size();
  const std::size_t piecewise = count_piecewise(ensemble);
  if (piecewise == 0 || piecewise == members || validation.rows() == 0) return equal_mean(members);
  const double equal = static_cast<double>(piecewise) / static_cast<double>(members);
  const auto probabilities = member_probabilities(ensemble, validation.inputs.view(), threads);
  const auto loss_of = [&](const Decision& decision) {
    const auto losses = row_log_losses(decide(decision, probabilities).view(), validation.labels);
    return std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(losses.size());
  };
  const double equal_loss = loss_of(equal_mean(members));
  std::vector<std::pair<double, double>> tried;  // share and loss
  double best = equal_loss;
  for (int tenth = 0; tenth <= 10; ++tenth) {
    const double share = tenth / 10.0;
    tried.emplace_back(share, loss_of(shared(ensemble, share)));
    best = std::min(best, tried.back().second);
  }
  if (equal_loss <= best + kFreeShareLoss) return equal_mean(members);
  std::ranges::stable_sort(tried, {}, [&](const auto& one) { return std::abs(one.first - equal); });
  const auto first = std::ranges::find_if(tried, [&](const auto& one) { return one.second <= best + kFreeShareLoss; });
  return shared(ensemble, first->first);
}

void weigh_views(TrainResult& trained, const Dataset& validation, const Threads& threads) {
  const std::size_t members = trained.ensemble.members.size();
  if (members > 0 && trained.decision == equal_mean(members)) {
    trained.decision = weigh_views(trained.ensemble, validation, threads);
  }
}

}  // namespace perpend
