#include "perpend/evaluate/ensemble.h"

#include <algorithm>
#include <vector>

#include "perpend/evaluate/evaluate.h"
#include "perpend/model/predict.h"

namespace perpend {

namespace {

using ClassMatrix = Matrix<double, axis::Row, axis::Out>;
using MemberStack = Stack<float, axis::Row, axis::Out>;

std::vector<double> second_class(ClassProbabilities probabilities) {
  std::vector<double> out;
  for (std::size_t r = 0; r < probabilities.rows(); ++r) out.push_back(probabilities(r, 1));
  return out;
}

Evaluation evaluate_classes(ClassProbabilities ensemble, const MemberStack& stack, LabelsView labels) {
  std::vector<ClassMatrix> members(stack.members(), ClassMatrix(stack.rows(), stack.cols()));
  std::vector<ClassProbabilities> views;
  for (std::size_t m = 0; m < members.size(); ++m) {
    for (std::size_t r = 0; r < stack.rows(); ++r) std::copy_n(stack[m].row(r), stack.cols(), members[m].row(r));
    views.push_back(members[m].view());
  }
  return evaluate(ensemble, views, labels, {});
}

}  // namespace

Matrix<double, axis::Member, axis::Row> binary_probabilities(const Ensemble& ensemble, InputsView inputs,
                                                             const Threads& threads) {
  const auto probabilities = positive_probabilities(ensemble, inputs, threads);
  Matrix<double, axis::Member, axis::Row> out(probabilities.members(), inputs.rows());
  for (std::size_t m = 0; m < out.rows(); ++m) {
    for (std::size_t r = 0; r < out.cols(); ++r) out(m, r) = probabilities[m](r, 0);
  }
  return out;
}

Scores score_classes(ClassProbabilities probabilities, LabelsView labels) {
  return probabilities.cols() == 2 ? score(second_class(probabilities), labels) : score(probabilities, labels);
}

GradientDiversity gradient_diversity(const Ensemble& ensemble, InputsView inputs, const Threads& threads) {
  constexpr std::size_t kBlock = 2048;
  GradientDiversitySums sums(ensemble.members.size());
  for (std::size_t first = 0; first < inputs.rows(); first += kBlock) {
    const auto block = inputs.middle_rows(first, std::min(kBlock, inputs.rows() - first));
    const auto gradients = input_gradients(ensemble, block, threads);
    std::vector<InputsView> views;
    for (std::size_t m = 0; m < gradients.members(); ++m) views.push_back(gradients[m]);
    sums.add(views);
  }
  return sums.result();
}

Evaluation evaluate_ensemble(const Ensemble& ensemble, const Decision& decision, const Dataset& data,
                             const Threads& threads) {
  Evaluation result;
  if (ensemble.architecture.classes > 2) {
    const auto members = member_probabilities(ensemble, data.inputs.view(), threads);
    result = evaluate_classes(decide(decision, members).view(), members, data.labels);
  } else {
    const auto members = binary_probabilities(ensemble, data.inputs.view(), threads);
    result = evaluate(decide(decision, members.view()), members.view(), data.labels, {});
  }
  result.grad_cos2 = gradient_diversity(ensemble, data.inputs.view(), threads).cos2;
  return result;
}

}  // namespace perpend
