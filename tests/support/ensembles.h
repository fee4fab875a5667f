// Ensembles for tests: as one list of numbers, to compare and to hash, and with the largest possible weights.
#pragma once

#include <cstdint>
#include <vector>

#include "perpend/model/ensemble.h"

namespace perpend::test {

// Goes member by member and layer by layer: the weights of a layer row by row, then its biases, without padding.
inline std::vector<float> flat(const Network<float>& network) {
  std::vector<float> numbers;
  for (const auto& layer : network.layers) {
    for (std::size_t i = 0; i < layer.weight.rows(); ++i) {
      numbers.insert(numbers.end(), layer.weight.row(i), layer.weight.row(i) + layer.weight.cols());
    }
    numbers.insert(numbers.end(), layer.bias.data(), layer.bias.data() + layer.weight.cols());
  }
  return numbers;
}
inline std::vector<float> flat(const Ensemble& ensemble) {
  std::vector<float> numbers;
  for (const auto& member : ensemble.members) {
    const auto one = flat(member);
    numbers.insert(numbers.end(), one.begin(), one.end());
  }
  return numbers;
}

// An ensemble with the largest weights that a model file may have, of both signs.
inline Ensemble extreme_ensemble(const Architecture& architecture, std::uint64_t seed) {
  Ensemble ensemble = initial_ensemble(architecture, 2, seed);
  for (auto& network : ensemble.members) {
    for (auto& layer : network.layers) {
      for (std::size_t i = 0; i < layer.weight.rows(); ++i) {
        for (std::size_t j = 0; j < layer.weight.cols(); ++j) {
          layer.weight(i, j) = layer.weight(i, j) < 0 ? -kLargestWeight : kLargestWeight;
        }
      }
    }
  }
  return ensemble;
}

}  // namespace perpend::test
