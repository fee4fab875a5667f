#include "perpend/train/logistic_member.h"

#include <algorithm>

#include "perpend/base/error.h"
#include "perpend/model/column_view.h"
#include "perpend/model/monotone.h"
#include "perpend/train/logistic.h"

namespace perpend {

namespace {

// Weights from training are smaller. So a file with this member passes the same checks.
float stored(double weight) {
  constexpr auto kMost = static_cast<double>(kLargestWeight);
  return static_cast<float>(std::clamp(weight, -kMost, kMost));
}

// A linear regression has one score, like a logistic regression of two classes.
LogisticRegression fitted_line(const Inputs& design, const Dataset& train, const Directions& directions) {
  if (!train.quantity) {
    return fit_logistic(design.view(), train.labels, train.classes.size(), train.weights, directions);
  }
  const LinearRegression line =
      fit_linear(design.view(), train.targets, train.quantity->loss, train.weights, directions);
  LogisticRegression model{.classes = 2, .weights = {1, design.cols()}, .bias = {line.bias}};
  std::ranges::copy(line.weights, model.weights.row(0));
  return model;
}

}  // namespace

Inputs linear_design(const Dataset& part, const std::vector<ColumnTable>& columns) {
  if (columns.empty()) return part.inputs;
  const ViewLayout layout(columns, View::linear);
  Inputs expanded(part.rows(), layout.rows());
  layout.expand(part.inputs.view(), expanded.view());
  return expanded;
}

bool holds_logistic(const Architecture& architecture) {
  return architecture.activation == Activation::relu &&
         std::ranges::all_of(architecture.hidden,
                             [&](std::size_t units) { return units >= 2 * architecture.scores(); });
}

Network<float> logistic_member(const Architecture& architecture, std::size_t member, const Dataset& train,
                               const Directions& directions) {
  PERPEND_CHECK(holds_logistic(architecture));
  const LogisticRegression fitted =
      fitted_line(linear_design(train, architecture.columns), train,
                  directions.empty() ? directions : input_directions(architecture, member, directions));
  Network<float> network = zero_network<float>(architecture, member);
  for (std::size_t score = 0; score < architecture.scores(); ++score) {
    for (const bool positive : {true, false}) {
      const std::size_t unit = 2 * score + (positive ? 0 : 1);
      const double sign = positive ? 1 : -1;
      for (std::size_t i = 0; i < network.layers[0].weight.rows(); ++i) {
        network.layers[0].weight(i, unit) = stored(sign * fitted.weights(score, i));
      }
      network.layers[0].bias[unit] = stored(sign * fitted.bias[score]);
      for (std::size_t l = 1; l < architecture.hidden.size(); ++l) network.layers[l].weight(unit, unit) = 1;
      // With two classes, the one score is the log-odds of the second class.
      network.layers.back().weight(unit, architecture.classes == 2 ? 1 : score) = static_cast<float>(sign);
    }
  }
  return network;
}

}  // namespace perpend
