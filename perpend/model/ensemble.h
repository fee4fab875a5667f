// Networks and ensembles as plain values.
//
// A network maps x (D features) through hidden layers a_l = phi(a_{l-1} W_l + b_l) to K logits. Its score is the
// log-odds s = z_1 - z_0 when K = 2; for K > 2 the scores are the K logits themselves, and the score whose input
// gradient local independence speaks of is the log-odds of the predicted class c against the rest, s = z_c - log sum
// over k != c of e^(z_k).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/kernels/activation.h"
#include "perpend/kernels/adam.h"

namespace perpend {

// Larger networks are neither trained nor loaded.
constexpr std::size_t kMostMembers = 4096;
constexpr std::size_t kMostLayers = 200;  // hidden ones
constexpr std::size_t kMostUnits = 65536;

struct Architecture {
  std::size_t features = 0;
  std::vector<std::size_t> hidden = {256};
  std::size_t classes = 2;  // K
  Activation activation = Activation::relu;

  std::size_t layers() const { return hidden.size() + 1; }
  std::size_t in(std::size_t layer) const { return layer == 0 ? features : hidden[layer - 1]; }
  std::size_t out(std::size_t layer) const { return layer == hidden.size() ? classes : hidden[layer]; }
  std::size_t scores() const { return classes == 2 ? 1 : classes; }
  bool operator==(const Architecture&) const = default;
};

template <class T>
struct Layer {
  Matrix<T, axis::In, axis::Out> weight;  // (in, out)
  AlignedVector<T> bias;                  // out, padded with zeros to 16
};

template <class T>
struct Network {
  std::vector<Layer<T>> layers;
};

struct Ensemble {
  Architecture architecture;
  std::vector<Network<float>> members;
};

// No weight of a trained network is larger in size: training ends as diverged before.
inline constexpr float kLargestWeight = kernels::kLargestWeight;

// All weights and biases zero.
template <class T>
Network<T> zero_network(const Architecture& architecture) {
  Network<T> network;
  for (std::size_t l = 0; l < architecture.layers(); ++l) {
    network.layers.push_back({{architecture.in(l), architecture.out(l)}, {}});
    network.layers.back().bias.assign(round_up(architecture.out(l), 16), T{});
  }
  return network;
}

// Glorot's uniform weights, W[i][j] = (2 u - 1) sqrt(6 / (in + out)) with u the uniform number i * out + j of the
// stream (seed, init, member, layer); zero biases.
Ensemble initial_ensemble(const Architecture& architecture, std::size_t members, std::uint64_t seed);

// Sum of squares of all weights and biases, in double: |theta|^2 of the weight-decay term wd/2 |theta|^2.
double squared_norm(const Network<float>& network);

}  // namespace perpend
