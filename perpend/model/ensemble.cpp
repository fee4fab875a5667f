#include "perpend/model/ensemble.h"

#include <cmath>

#include "perpend/base/random.h"

namespace perpend {

Ensemble initial_ensemble(const Architecture& architecture, std::size_t members, std::uint64_t seed) {
  Ensemble ensemble{architecture, {}, {}};
  for (std::size_t m = 0; m < members; ++m) {
    auto network = zero_network<float>(architecture, m);
    for (std::size_t l = 0; l < network.layers.size(); ++l) {
      const Stream stream({.seed = seed,
                           .purpose = Purpose::init,
                           .member = static_cast<std::uint32_t>(m),
                           .step = static_cast<std::uint32_t>(l)});
      auto& weight = network.layers[l].weight;
      const auto limit = static_cast<float>(std::sqrt(6.0 / static_cast<double>(weight.rows() + weight.cols())));
      for (std::size_t i = 0; i < weight.rows(); ++i) {
        for (std::size_t j = 0; j < weight.cols(); ++j) {
          weight(i, j) = (2 * stream.uniform(i * weight.cols() + j) - 1) * limit;
        }
      }
    }
    ensemble.members.push_back(std::move(network));
  }
  return ensemble;
}

std::size_t count_networks(const Ensemble& ensemble) {
  std::size_t count = 0;
  for (std::size_t m = 0; m < ensemble.members.size(); ++m) {
    count += !ensemble.architecture.has_views() || is_for_networks(ensemble.architecture.view_of(m)) ? 1 : 0;
  }
  return count;
}

Ensemble without_trees(Ensemble ensemble) {
  if (!ensemble.has_trees()) return ensemble;
  ensemble.architecture.views.pop_back();
  ensemble.members.pop_back();
  ensemble.trees = {};
  return ensemble;
}

Ensemble member_alone(const Ensemble& ensemble, std::size_t member) {
  Ensemble alone{ensemble.architecture, {ensemble.members[member]}, {}};
  if (alone.architecture.has_views()) alone.architecture.views = {ensemble.architecture.view_of(member)};
  if (alone.has_trees()) alone.trees = ensemble.trees;
  return alone;
}

double squared_norm(const Network<float>& network) {
  double sum = 0;
  for (const auto& layer : network.layers) {
    for (std::size_t i = 0; i < layer.weight.rows(); ++i) {
      for (std::size_t j = 0; j < layer.weight.cols(); ++j)
        sum += static_cast<double>(layer.weight(i, j)) * layer.weight(i, j);
    }
    for (const float b : layer.bias) sum += static_cast<double>(b) * b;
  }
  return sum;
}

}  // namespace perpend
