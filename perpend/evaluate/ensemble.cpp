#include "perpend/evaluate/ensemble.h"

#include "perpend/evaluate/evaluate.h"
#include "perpend/model/predict.h"

namespace perpend {

Matrix<double, axis::Member, axis::Row> binary_probabilities(const Ensemble& ensemble, InputsView inputs,
                                                             const Threads& threads) {
  const auto probabilities = positive_probabilities(ensemble, inputs, threads);
  Matrix<double, axis::Member, axis::Row> out(ensemble.members.size(), inputs.rows());
  for (std::size_t m = 0; m < out.rows(); ++m) {
    for (std::size_t r = 0; r < out.cols(); ++r) out(m, r) = probabilities[m](r, 0);
  }
  return out;
}

std::vector<double> weighted_mean(MatrixView<const double, axis::Member, axis::Row> members,
                                  std::span<const double> weights) {
  std::vector<double> mean(members.cols(), 0.0);
  for (std::size_t m = 0; m < members.rows(); ++m) {
    for (std::size_t r = 0; r < members.cols(); ++r) mean[r] += weights[m] * members(m, r);
  }
  return mean;
}

namespace {

using ClassMatrix = Matrix<double, axis::Row, axis::Out>;

Evaluation evaluate_classes(const Ensemble& ensemble, std::span<const double> weights, const Dataset& data,
                            std::span<const InputsView> gradients, const Threads& threads) {
  const auto probabilities = member_probabilities(ensemble, data.inputs.view(), threads);
  ClassMatrix mean(data.rows(), ensemble.architecture.classes);
  std::vector<ClassMatrix> members;
  for (std::size_t m = 0; m < ensemble.members.size(); ++m) {
    members.emplace_back(data.rows(), ensemble.architecture.classes);
    for (std::size_t r = 0; r < data.rows(); ++r) {
      for (std::size_t k = 0; k < mean.cols(); ++k) {
        members[m](r, k) = probabilities[m](r, k);
        mean(r, k) += weights[m] * members[m](r, k);
      }
    }
  }
  std::vector<ClassProbabilities> views;
  for (const auto& member : members) views.push_back(member.view());
  return evaluate(mean.view(), views, data.labels, gradients);
}

}  // namespace

Evaluation evaluate_ensemble(const Ensemble& ensemble, std::span<const double> weights, const Dataset& data,
                             const Threads& threads) {
  PERPEND_CHECK(weights.size() == ensemble.members.size());
  const auto gradients = input_gradients(ensemble, data.inputs.view(), threads);
  std::vector<InputsView> views;
  for (std::size_t m = 0; m < ensemble.members.size(); ++m) views.push_back(gradients[m]);
  if (ensemble.architecture.classes > 2) return evaluate_classes(ensemble, weights, data, views, threads);
  const auto members = binary_probabilities(ensemble, data.inputs.view(), threads);
  return evaluate(weighted_mean(members.view(), weights), members.view(), data.labels, views);
}

}  // namespace perpend
