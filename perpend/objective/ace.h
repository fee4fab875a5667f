// Amended cross-entropy (Shoham and Permuter 2019), as in the paper's baseline:
//
//   L = sum_m CE_m + lambda P
//   P = - 2 / (M (M - 1)) * sum over ordered pairs i != j of the batch mean of CE(p_j, z_i)
//
// CE(p_j, z_i) = - sum_k p_jk log softmax(z_i)_k, the cross-entropy of member i's logits with member j's probabilities
// in place of the label. The gradient flows into both. In every mean a row counts by its weight. P is 0 for one member.
//
// Two classes: CE(p_j, s_i) = log(1 + e^s_i) - p_j s_i. A pair sum has M terms, not M^2:
//   sum_{i != j} CE(p_j, z_i) = sum_i <sum_{j != i} p_j, -log softmax(z_i)>
//
// lambda: at 0 members are independent. P has no lower bound. Where others doubt, a member gains by being ever more
// sure, on either side. On a row that all members get right, more doubt in one of them pays as soon as the mean of the
// others' scores exceeds M / (2 lambda). Members that fit their rows get there, and then part: some answer against the
// label for all rows, and scores grow as long as training goes on. So small ensembles and long trainings need a small
// lambda. For example, `perpend train sonar --target target --method ace` at its default length parts two members at
// 0.1, and five members at 0.3 but not at 0.1. Such a training ends with numbers or as diverged, never with NaN.
#pragma once

#include "perpend/objective/objective.h"

namespace perpend {

template <class T>
class Ace final : public Objective<T> {
 public:
  explicit Ace(double lambda) : lambda_(lambda) {}
  ObjectiveNeeds needs() const override { return {}; }
  // A prediction that is a number has no cross-entropy with another one.
  ObjectiveSupport supports() const override { return {.regression = false}; }
  double lambda() const override { return lambda_; }
  void evaluate(ObjectiveRows<T>& rows, Terms<T>& terms) const override;

 private:
  double lambda_;
};

}  // namespace perpend
