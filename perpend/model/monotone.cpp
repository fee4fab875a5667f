#include "perpend/model/monotone.h"

#include "perpend/base/error.h"

namespace perpend {

namespace {

float output_weight(const Network<float>& network, std::size_t unit) {
  const auto& out = network.layers.back().weight;
  return out(unit, 1) - out(unit, 0);
}

// Calls use(input, unit) for each weight that breaks its sign.
template <class Use>
void for_each_breach(std::span<const Direction> inputs, const Network<float>& network, const Use& use) {
  const auto& weight = network.layers[0].weight;
  PERPEND_CHECK(inputs.size() == weight.rows() && network.layers.size() == 2);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == Direction::none) continue;
    for (std::size_t u = 0; u < weight.cols(); ++u) {
      if (breaks(inputs[i], output_weight(network, u), weight(i, u))) use(i, u);
    }
  }
}

}  // namespace

bool can_be_monotone(const Architecture& architecture) {
  return architecture.hidden.size() == 1 && architecture.classes == 2;
}

Directions input_directions(const Architecture& architecture, std::size_t member, std::span<const Direction> columns) {
  PERPEND_CHECK(columns.size() == architecture.features);
  if (!architecture.has_views()) return {columns.begin(), columns.end()};
  const ViewLayout layout = architecture.layout_of(member);
  Directions inputs(layout.rows(), Direction::none);
  for (std::size_t d = 0; d < columns.size(); ++d) {
    const ViewColumn& column = layout.columns()[d];
    for (std::size_t k = 0; k < column.known(); ++k) inputs[column.first + k] = columns[d];
  }
  return inputs;
}

void orient(std::span<const Direction> inputs, Network<float>& network) {
  auto& out = network.layers.back().weight;
  for (std::size_t u = 0; u < out.rows(); ++u) {
    const float half = output_weight(network, u) / 2;
    out(u, 0) = -half;
    out(u, 1) = half;
  }
  auto& weight = network.layers[0].weight;
  for_each_breach(inputs, network, [&](std::size_t i, std::size_t u) { weight(i, u) = -weight(i, u); });
}

void project(std::span<const Direction> inputs, Network<float>& network) {
  auto& weight = network.layers[0].weight;
  for_each_breach(inputs, network, [&](std::size_t i, std::size_t u) { weight(i, u) = 0; });
}

bool obeys(std::span<const Direction> inputs, const Network<float>& network) {
  bool good = true;
  for_each_breach(inputs, network, [&](std::size_t, std::size_t) { good = false; });
  return good;
}

}  // namespace perpend
