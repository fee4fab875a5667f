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

std::vector<double> ensemble_mean(MemberProbabilities members) {
  PERPEND_CHECK(members.rows() > 0);
  std::vector<double> mean(members.cols(), 0.0);
  for (std::size_t m = 0; m < members.rows(); ++m) {
    for (std::size_t r = 0; r < mean.size(); ++r) mean[r] += members(m, r);
  }
  for (double& p : mean) p /= static_cast<double>(members.rows());
  return mean;
}

Matrix<double, axis::Row, axis::Out> ensemble_mean(std::span<const ClassProbabilities> members) {
  PERPEND_CHECK(!members.empty());
  Matrix<double, axis::Row, axis::Out> mean(members[0].rows(), members[0].cols());
  for (std::size_t r = 0; r < mean.rows(); ++r) {
    for (std::size_t k = 0; k < mean.cols(); ++k) {
      double sum = 0;
      for (const auto& p : members) sum += p(r, k);
      mean(r, k) = sum / static_cast<double>(members.size());
    }
  }
  return mean;
}

}  // namespace perpend
