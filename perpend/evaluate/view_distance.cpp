#include "perpend/evaluate/view_distance.h"

#include <algorithm>

#include "perpend/base/error.h"
#include "perpend/evaluate/diversity.h"
#include "perpend/evaluate/finite.h"
#include "perpend/model/predict.h"

namespace perpend {

namespace {

constexpr int kSteps = 20;
constexpr double kMostOperations = 16e9;  // about half a second on two cores

double operations_per_row(const Ensemble& ensemble, std::size_t epsilons) {
  double weights = 0;
  for (std::size_t l = 0; l < ensemble.architecture.layers(); ++l) {
    weights += static_cast<double>(ensemble.architecture.in(l)*ensemble.architecture.out(l));
  }
  return 4 * weights * kSteps * static_cast<double>(ensemble.members.size() * epsilons);
}

Inputs some_rows(const Ensemble& ensemble, InputsView rows, std::size_t epsilons) {
  const auto affordable = static_cast<std::size_t>(kMostOperations / operations_per_row(ensemble, epsilons));
  const std::size_t most = std::clamp(affordable, kFewestDistanceRows, kMostDistanceRows);
  Inputs taken(std::min(rows.rows(), most), rows.cols());
  for (std::size_t i = 0; i < taken.rows(); ++i) {
    std::copy_n(rows.row(i * rows.rows() / taken.rows()), rows.cols(), taken.row(i));
  }
  return taken;
}

Metric mean_cos2(const Ensemble& ensemble, InputsView rows, const Threads& threads) {
  const auto gradients = input_gradients(ensemble, rows, threads);
  std::vector<InputsView> views;
  for (std::size_t m = 0; m < gradients.members(); ++m) views.push_back(gradients[m]);
  return gradient_diversity(views).cos2;
}

}  // namespace

DistanceView view_distance(const Ensemble& ensemble, InputsView rows, const DistanceOptions& options,
                           const Threads& threads) {
  PERPEND_CHECK(ensemble.members.size() > 1 && !options.epsilons.empty() && rows.rows() > 0);
  std::vector<double> epsilons = options.epsilons;
  std::ranges::sort(epsilons);
  epsilons.erase(std::unique(epsilons.begin(), epsilons.end()), epsilons.end());
  const Inputs taken = some_rows(ensemble, rows, epsilons.size());
  DistanceView view{.norm = options.norm == Norm::l2 ? "l2" : "linf",
                    .rows = taken.rows(),
                    .of = rows.rows(),
                    .steps = kSteps,
                    .cos2 = mean_cos2(ensemble, taken.view(), threads),
                    .epsilons = {}};
  for (const double epsilon : epsilons) {
    const AscentOptions ascent{.epsilon = epsilon, .norm = options.norm, .steps = kSteps};
    view.epsilons.push_back(finite_independence(ensemble, taken.view(), ascent, threads));
  }
  return view;
}

}  // namespace perpend
