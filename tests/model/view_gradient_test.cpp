// Checks gradients through views by complex step: expand, contract and spread with the networks behind them.
#include <gtest/gtest.h>

#include <memory>
#include <numeric>

#include "perpend/model/column_view.h"
#include "perpend/model/general_member.h"
#include "perpend/objective/penalties.h"
#include "tests/support/complex_step.h"
#include "tests/support/data.h"

namespace perpend {
namespace {

using Complex = std::complex<double>;

constexpr std::size_t kRows = 60;
constexpr std::size_t kMembers = 3;

Architecture viewed(const Dataset& data, std::vector<std::size_t> hidden) {
  return {.features = data.inputs.cols(),
          .hidden = std::move(hidden),
          .activation = Activation::relu,
          .columns = data.columns,
          .views = {View::linear, View::piecewise}};
}

// The loss of an ensemble as a function of all of its parameters, and its gradient.
template <class T>
class ViewedLoss {
 public:
  ViewedLoss(const Architecture& architecture, const Dataset& data, const Objective<T>& objective)
      : architecture_(architecture), data_(data), objective_(objective) {
    for (std::size_t m = 0; m < kMembers; ++m) {
      layouts_.push_back(architecture.layout_of(m));
      passes_.emplace_back(architecture.behind_view(m), kRows, typename GeneralMember<T>::Uses{});
      networks_.push_back(zero_network<T>(architecture, m));
      expanded_.emplace_back(kRows, layouts_[m].rows());
      layouts_[m].expand(data.inputs.view(), expanded_[m].view());
      by_input_.emplace_back(kRows, layouts_[m].rows());
    }
    scores_ = {kMembers, kRows, 1};
    d_scores_ = {kMembers, kRows, 1};
    by_column_ = {kMembers, kRows, data.inputs.cols()};
  }

  T operator()(const std::vector<T>& parameters) {
    std::size_t i = 0;
    visit(networks_, [&](T& weight) { weight = parameters[i++]; });
    ObjectiveRows<T> rows;
    rows.rows = rows.batch_rows = kRows;
    std::vector<std::uint32_t> indices(kRows);
    std::iota(indices.begin(), indices.end(), 0U);
    const std::vector<T> weights(kRows, T(1.0 / kRows));
    rows.labels = data_.labels.data();
    rows.indices = indices.data();
    rows.weights = weights.data();
    for (std::size_t m = 0; m < kMembers; ++m) {
      passes_[m].transpose(networks_[m]);
      passes_[m].forward(networks_[m], expanded_[m].view(), 0, kRows, dropout(), m, scores_[m]);
      passes_[m].input_gradient(0, kRows, by_input_[m].view());
      layouts_[m].template contract<T>(data_.inputs.view(), by_input_[m].view(), by_column_[m]);
      rows.scores.push_back(scores_[m]);
      rows.d_scores.push_back(d_scores_[m]);
      if (objective_.needs().input_gradients) rows.input_gradients.push_back(by_column_[m]);
    }
    Terms<T> terms{std::vector<T>(kMembers), T{}};
    objective_.evaluate(rows, terms);
    return std::accumulate(terms.fit.begin(), terms.fit.end(), T(objective_.lambda()) * terms.penalty);
  }

  // Must follow a call of the loss.
  std::vector<T> gradient() {
    std::vector<T> flat;
    for (std::size_t m = 0; m < kMembers; ++m) {
      auto network = zero_network<T>(architecture_, m);
      MatrixView<T, axis::Row, axis::Feature> adjoint;
      if (objective_.needs().input_gradients) {
        layouts_[m].template spread<T>(data_.inputs.view(), by_column_[m], by_input_[m].view());
        adjoint = by_input_[m].view();
      }
      passes_[m].backward_rows(networks_[m], d_scores_[m], adjoint, 0, kRows);
      for (std::size_t l = 0; l < architecture_.layers(); ++l) {
        passes_[m].weight_gradient(expanded_[m].view(), adjoint, kRows, l, 0, architecture_.in(l, m),
                                   network.layers[l]);
      }
      std::vector<Network<T>> one = {network};
      visit(one, [&](const T& weight) { flat.push_back(weight); });
    }
    return flat;
  }

  template <class Networks, class Visit>
  static void visit(Networks& networks, const Visit& use) {
    for (auto& network : networks) {
      for (auto& layer : network.layers) {
        for (std::size_t r = 0; r < layer.weight.rows(); ++r) {
          for (std::size_t c = 0; c < layer.weight.cols(); ++c) use(layer.weight(r, c));
        }
        for (std::size_t c = 0; c < layer.weight.cols(); ++c) use(layer.bias[c]);
      }
    }
  }

 private:
  static Dropout dropout() { return {.keep = 0.8, .seed = 3, .step = 4}; }

  const Architecture& architecture_;
  const Dataset& data_;
  const Objective<T>& objective_;
  std::vector<ViewLayout> layouts_;
  std::vector<GeneralMember<T>> passes_;
  std::vector<Network<T>> networks_;
  std::vector<Matrix<T, axis::Row, axis::Feature>> expanded_, by_input_;
  Stack<T, axis::Row, axis::Score> scores_, d_scores_;
  Stack<T, axis::Row, axis::Feature> by_column_;
};

std::vector<double> random_parameters(const Architecture& architecture) {
  std::size_t count = 0;
  for (std::size_t m = 0; m < kMembers; ++m) {
    for (std::size_t l = 0; l < architecture.layers(); ++l) count += (architecture.in(l, m) + 1) * architecture.out(l);
  }
  const Stream stream({.seed = 8, .purpose = Purpose::test, .member = 0, .step = 0});
  std::vector<double> parameters(count);
  for (std::size_t i = 0; i < count; ++i) parameters[i] = stream.normal(i);
  return parameters;
}

TEST(GradientThroughViews, EqualsComplexStepForEveryPenalty) {
  const Dataset data = test::mixed_data(kRows, 10, 2);
  for (const std::vector<std::size_t>& hidden : {std::vector<std::size_t>{5}, {4, 3}}) {
    const Architecture architecture = viewed(data, hidden);
    const auto parameters = random_parameters(architecture);
    std::vector<std::size_t> coordinates;
    for (std::size_t i = 0; i < parameters.size(); i += 7) coordinates.push_back(i);
    for (const PenaltyInfo& penalty : penalties()) {
      const auto real = penalty.make<double>({.lambda = 0.7});
      if (real->needs().ascent_points) continue;  // needs plain features
      const auto complex = penalty.make<Complex>({.lambda = 0.7});
      ViewedLoss<double> loss(architecture, data, *real);
      loss(parameters);
      const auto gradient = loss.gradient();
      ViewedLoss<Complex> complex_loss(architecture, data, *complex);
      const double error = test::gradient_error([&](const std::vector<Complex>& x) { return complex_loss(x); },
                                                parameters, gradient, coordinates);
      EXPECT_LT(error, 1e-10) << penalty.word << ", " << hidden.size() << " layers";
    }
  }
}

}  // namespace
}  // namespace perpend
