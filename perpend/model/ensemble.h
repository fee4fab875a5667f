// Networks and ensembles as plain values.
//
// A network maps x (D features) through hidden layers a_l = phi(a_{l-1} W_l + b_l) to K logits. Its score is the
// log-odds s = z_1 - z_0 when K = 2. For K > 2 the scores are the K logits themselves. Local independence then uses the
// input gradient of another score: the log-odds of the predicted class c against the rest,
// s = z_c - log sum over k != c of e^(z_k).
//
// If the architecture has columns, x is one number per column of the user's table, and each member sees it through a
// view (column_view.h), which gives the inputs of the first layer. Members take the views in turn. The input gradient
// is always by the columns, so that members of different views can be compared.
//
// The last member may be boosted trees (trees/tree.h) instead of a network. Their scores are constant almost
// everywhere, so they have no input gradient; contributions of the columns say what they look at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/base/quantity.h"
#include "perpend/kernels/activation.h"
#include "perpend/kernels/adam.h"
#include "perpend/model/column_view.h"
#include "perpend/trees/tree.h"

namespace perpend {

// Larger networks are neither trained nor loaded.
constexpr std::size_t kMostMembers = 4096;
constexpr std::size_t kMostLayers = 200;  // hidden layers
constexpr std::size_t kMostUnits = 65536;

struct Architecture {
  std::size_t features = 0;
  std::vector<std::size_t> hidden = {256};
  std::size_t classes = 2;  // K
  Activation activation = Activation::relu;
  std::vector<ColumnTable> columns = {};  // one per feature; empty: features are the inputs of the first layer
  std::vector<View> views = {};           // members take them in turn; empty without columns
  // Set for a regression: the score is then the prediction of the standardised target instead of log-odds. Its networks
  // have two outputs, like those of two classes.
  std::optional<NumberTarget> quantity = {};

  bool has_views() const { return !views.empty(); }
  bool has_trees() const { return has_views() && views.back() == View::trees; }
  View view_of(std::size_t member) const { return views[member % views.size()]; }
  ViewLayout layout_of(std::size_t member) const { return {columns, view_of(member)}; }
  std::size_t layers() const { return hidden.size() + 1; }
  std::size_t in(std::size_t layer, std::size_t member = 0) const {
    if (layer > 0) return hidden[layer - 1];
    return has_views() ? layout_of(member).rows() : features;
  }
  // The network behind a member's view. Its features are the view's inputs.
  Architecture behind_view(std::size_t member) const {
    return {.features = in(0, member), .hidden = hidden, .classes = classes, .activation = activation};
  }
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
  std::vector<Network<float>> members;  // a member with the view trees has no layers here
  BoostedTrees trees = {};              // the trees of that member

  bool has_trees() const { return architecture.has_trees(); }
  // The number of members that have input gradients: all but the trees. They come first.
  std::size_t differentiable() const { return members.size() - (has_trees() ? 1 : 0); }
};

// The number of members that are trained step by step: neither a logistic regression nor trees.
std::size_t count_networks(const Ensemble& ensemble);

// The members that have input gradients, as an ensemble.
Ensemble without_trees(Ensemble ensemble);

// One member as an ensemble of its own, with the view that it has.
Ensemble member_alone(const Ensemble& ensemble, std::size_t member);

// No weight of a trained network is larger in size: training ends as diverged before that.
inline constexpr float kLargestWeight = kernels::kLargestWeight;

// A network whose weights and biases are all zero. It has no layers if the member is trees.
template <class T>
Network<T> zero_network(const Architecture& architecture, std::size_t member = 0) {
  Network<T> network;
  if (architecture.has_views() && architecture.view_of(member) == View::trees) return network;
  for (std::size_t l = 0; l < architecture.layers(); ++l) {
    network.layers.push_back({{architecture.in(l, member), architecture.out(l)}, {}});
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
