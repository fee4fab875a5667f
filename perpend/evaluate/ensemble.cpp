#include "perpend/evaluate/ensemble.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "perpend/base/error.h"
#include "perpend/evaluate/diversity.h"
#include "perpend/evaluate/evaluate.h"
#include "perpend/evaluate/regression.h"
#include "perpend/model/predict.h"
#include "perpend/model/regression.h"

namespace perpend {

namespace {

using ClassMatrix = Matrix<double, axis::Row, axis::Out>;
using MemberStack = Stack<float, axis::Row, axis::Out>;

constexpr std::size_t kBlock = 512;  // rows

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

Matrix<double, axis::Member, axis::Row> as_doubles(const Stack<float, axis::Row, axis::Score>& members,
                                                   std::size_t first, std::size_t count) {
  Matrix<double, axis::Member, axis::Row> out(members.members(), count);
  for (std::size_t m = 0; m < out.rows(); ++m) {
    for (std::size_t r = 0; r < count; ++r) out(m, r) = members[m](first + r, 0);
  }
  return out;
}

// Probabilities of all members would be the largest part of an evaluation if they were doubles.
Evaluation evaluate_two_classes(const Decision& decision, const Dataset& data,
                                Stack<float, axis::Row, axis::Score> scores, const Threads& threads) {
  const auto members = positive_probabilities_of(std::move(scores), threads);
  std::vector<double> decided;
  decided.reserve(data.rows());
  for (std::size_t first = 0; first < data.rows(); first += kBlock) {
    const auto block = as_doubles(members, first, std::min(kBlock, data.rows() - first));
    const auto answers = decide(decision, block.view());
    decided.insert(decided.end(), answers.begin(), answers.end());
  }
  const auto member = [&](std::size_t m) {
    std::vector<double> own(data.rows());
    for (std::size_t r = 0; r < own.size(); ++r) own[r] = members[m](r, 0);
    return own;
  };
  Evaluation result = evaluate(decided, members.members(), member, data.labels);
  if (decision.threshold) {
    result.accuracy = accuracy(decided, data.labels, *decision.threshold);
    result.at_threshold = count_at(*decision.threshold, decided, data.labels);
  }
  return result;
}

struct BothDiversities {
  GradientDiversity everywhere;
  GradientDiversity along_tangents;  // nothing without tangents
};

BothDiversities gradient_diversities(const Ensemble& ensemble, InputsView inputs, const Threads& threads,
                                     const Tangents& tangents) {
  PERPEND_CHECK(tangents.empty() || tangents.is_shared() || tangents.bases() == inputs.rows());
  GradientDiversitySums sums(ensemble.differentiable());
  GradientDiversitySums along_sums(tangents.empty() ? 0 : ensemble.differentiable());
  for (std::size_t first = 0; first < inputs.rows(); first += kBlock) {
    const auto block = inputs.middle_rows(first, std::min(kBlock, inputs.rows() - first));
    const auto gradients = input_gradients(ensemble, block, threads);
    std::vector<InputsView> views;
    for (std::size_t m = 0; m < gradients.members(); ++m) views.push_back(gradients[m]);
    sums.add(views);
    if (tangents.empty()) continue;
    std::vector<Inputs> along;
    for (const InputsView& member : views) along.push_back(along_tangents(member, tangents, first));
    for (std::size_t m = 0; m < along.size(); ++m) views[m] = along[m].view();
    along_sums.add(views);
  }
  return {sums.result(), along_sums.result()};
}

}  // namespace

Matrix<double, axis::Member, axis::Row> binary_probabilities(const Ensemble& ensemble, InputsView inputs,
                                                             const Threads& threads) {
  return as_doubles(positive_probabilities(ensemble, inputs, threads), 0, inputs.rows());
}

Scores score_classes(ClassProbabilities probabilities, LabelsView labels) {
  return probabilities.cols() == 2 ? score(second_class(probabilities), labels) : score(probabilities, labels);
}

GradientDiversity gradient_diversity(const Ensemble& ensemble, InputsView inputs, const Threads& threads) {
  return gradient_diversities(ensemble, inputs, threads, {}).everywhere;
}

Evaluation evaluate_ensemble(const Ensemble& ensemble, const Decision& decision, const Dataset& data,
                             const Threads& threads, const Tangents& tangents) {
  return evaluate_scores(ensemble, decision, data, member_scores(ensemble, data.inputs.view(), threads), threads,
                         tangents);
}

Evaluation evaluate_scores(const Ensemble& ensemble, const Decision& decision, const Dataset& data,
                           Stack<float, axis::Row, axis::Score> scores, const Threads& threads,
                           const Tangents& tangents) {
  Evaluation result;
  if (data.quantity) {
    const auto members = predictions_of(scores, *ensemble.architecture.quantity);
    result = evaluate_numbers(decision, members.view(), targets_of(data), data.quantity->loss);
  } else if (ensemble.architecture.classes > 2) {
    const auto members = probabilities_of(scores, threads);
    result = evaluate_classes(decide(decision, members).view(), members, data.labels);
  } else {
    result = evaluate_two_classes(decision, data, std::move(scores), threads);
  }
  const BothDiversities seen = gradient_diversities(ensemble, data.inputs.view(), threads, tangents);
  result.grad_cos2 = seen.everywhere.cos2;
  result.tangent_cos2 = seen.along_tangents.cos2;
  return result;
}

}  // namespace perpend
