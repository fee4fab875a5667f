// Ensembles as one row of numbers, to compare and to hash.
#pragma once

#include <vector>

#include "perpend/model/ensemble.h"

namespace perpend::test {

// Member by member, layer by layer: weights by row, then biases, without padding.
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

}  // namespace perpend::test
