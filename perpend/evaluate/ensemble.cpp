#include "perpend/evaluate/ensemble.h"

#include <algorithm>
#include <vector>

#include "perpend/evaluate/diversity.h"
#include "perpend/evaluate/evaluate.h"
#include "perpend/model/predict.h"

namespace perpend {

namespace {

using ClassMatrix = Matrix<double, axis::Row, axis::Out>;
using MemberStack = Stack<float, axis::Row, axis::Out>;

Matrix<double, axis::Member, axis::Row> second_class(const MemberStack& members) {
  Matrix<double, axis::Member, axis::Row> out(members.members(), members.rows());
  for (std::size_t m = 0; m < out.rows(); ++m) {
    for (std::size_t r = 0; r < out.cols(); ++r) out(m, r) = members[m](r, 1);
  }
  return out;
}

std::vector<double> second_class(ClassProbabilities probabilities) {
  std::vector<double> out;
  for (std::size_t r = 0; r < probabilities.rows(); ++r) out.push_back(probabilities(r, 1));
  return out;
}

Evaluation evaluate_classes(ClassProbabilities ensemble, const MemberStack& stack, LabelsView labels,
                            std::span<const InputsView> gradients) {
  std::vector<ClassMatrix> members(stack.members(), ClassMatrix(stack.rows(), stack.cols()));
  std::vector<ClassProbabilities> views;
  for (std::size_t m = 0; m < members.size(); ++m) {
    for (std::size_t r = 0; r < stack.rows(); ++r) std::copy_n(stack[m].row(r), stack.cols(), members[m].row(r));
    views.push_back(members[m].view());
  }
  return evaluate(ensemble, views, labels, gradients);
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

Evaluation evaluate_ensemble(const Ensemble& ensemble, const Decision& decision, const Dataset& data,
                             const Threads& threads, const Tangents& tangents) {
  const auto gradients = input_gradients(ensemble, data.inputs.view(), threads);
  std::vector<InputsView> views;
  for (std::size_t m = 0; m < ensemble.members.size(); ++m) views.push_back(gradients[m]);
  const auto members = member_probabilities(ensemble, data.inputs.view(), threads);
  const auto decided = decide(decision, members);
  Evaluation result = ensemble.architecture.classes > 2
                          ? evaluate_classes(decided.view(), members, data.labels, views)
                          : evaluate(second_class(decided.view()), second_class(members).view(), data.labels, views);
  if (!tangents.empty()) result.tangent_cos2 = tangent_diversity(views, tangents).cos2;
  return result;
}

}  // namespace perpend
