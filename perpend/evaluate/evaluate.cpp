#include "perpend/evaluate/evaluate.h"

#include "perpend/base/error.h"
#include "perpend/evaluate/diversity.h"

namespace perpend {
namespace {

template <class AnyProbabilities>
Evaluation evaluate_any(AnyProbabilities ensemble, const std::vector<AnyProbabilities>& members, LabelsView labels,
                        std::span<const InputsView> gradients) {
  PERPEND_CHECK(gradients.empty() || gradients.size() == members.size());
  Evaluation result;
  static_cast<Scores&>(result) = score(ensemble, labels);
  std::vector<ErrorFlags> errors;
  for (const AnyProbabilities& member : members) {
    result.members.push_back(score(member, labels));
    errors.push_back(find_errors(member, labels));
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
  std::vector<Probabilities> each;
  for (std::size_t m = 0; m < members.rows(); ++m) each.emplace_back(members.row(m), members.cols());
  return evaluate_any(ensemble, each, labels, gradients);
}

Evaluation evaluate(ClassProbabilities ensemble, std::span<const ClassProbabilities> members, LabelsView labels,
                    std::span<const InputsView> gradients) {
  return evaluate_any(ensemble, {members.begin(), members.end()}, labels, gradients);
}

}  // namespace perpend
