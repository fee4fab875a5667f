#include "perpend/evaluate/evaluate.h"

#include "perpend/base/error.h"
#include "perpend/evaluate/diversity.h"

namespace perpend {
namespace {

template <class AnyProbabilities, class Member>
Evaluation evaluate_any(AnyProbabilities ensemble, std::size_t members, const Member& member, LabelsView labels,
                        std::span<const InputsView> gradients) {
  PERPEND_CHECK(gradients.empty() || gradients.size() == members);
  Evaluation result;
  static_cast<Scores&>(result) = score(ensemble, labels);
  std::vector<ErrorFlags> errors;
  for (std::size_t m = 0; m < members; ++m) {
    const auto& probabilities = member(m);
    result.members.push_back(score(probabilities, labels));
    errors.push_back(find_errors(probabilities, labels));
  }
  const Diversity pairs = diversity(errors);
  result.rho_av = pairs.rho.mean;
  result.undefined_pairs = pairs.rho.undefined;
  result.q_av = pairs.q.mean;
  result.kappa = pairs.kappa;
  result.disagreement = pairs.disagreement.mean;
  result.grad_cos2 = gradient_diversity(gradients).cos2;
  return result;
}

}  // namespace

Evaluation evaluate(Probabilities ensemble, MemberProbabilities members, LabelsView labels,
                    std::span<const InputsView> gradients) {
  const auto member = [&](std::size_t m) { return Probabilities(members.row(m), members.cols()); };
  return evaluate_any(ensemble, members.rows(), member, labels, gradients);
}

Evaluation evaluate(Probabilities ensemble, std::size_t members,
                    const std::function<std::vector<double>(std::size_t)>& member, LabelsView labels) {
  return evaluate_any(ensemble, members, member, labels, {});
}

Evaluation evaluate(ClassProbabilities ensemble, std::span<const ClassProbabilities> members, LabelsView labels,
                    std::span<const InputsView> gradients) {
  return evaluate_any(
      ensemble, members.size(), [&](std::size_t m) { return members[m]; }, labels, gradients);
}

}  // namespace perpend
