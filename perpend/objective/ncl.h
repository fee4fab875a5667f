// Negative correlation learning (Liu and Yao 1999) with squared errors of probabilities, as in the paper's baseline:
//
//   L = sum_m fit_m + lambda P
//   fit_m = sum over the rows of the batch of 1/2 |p_m - y|^2
//   P     = - sum over members and rows of 1/2 |p_m - p_mean|^2
//
// p_m are member m's K probabilities, y is the label's one-hot row, p_mean is the mean of the p_m. The gradient goes
// through p_mean too. As the p_m - p_mean of a row sum to zero, that part cancels, and d L / d p_m = (p_m - y) - lambda
// (p_m - p_mean).
//
// Regression has the original form. With s_m the members' predictions of the target t,
//
//   fit_m = sum over rows of 1/2 (s_m - t)^2        P = - sum over members and rows of 1/2 (s_m - s_mean)^2
//
// and d L / d s_m = (s_m - t) - lambda (s_m - s_mean). There P has no lower bound, so from lambda 1 on members may move
// apart without end.
//
// Scale: as published, these are sums over the rows of a batch and not means. A row counts B times its weight, which is
// 1 if rows are not weighted. Adam does not see the scale, but a weight decay added to it is B times weaker than with
// cross-entropy. The published experiment has none.
//
// lambda: at 0 members are independent. At 1, L = M times the squared error of p_mean alone, and nothing holds a single
// member to the labels. Beyond 1, L rewards members for being wrong in different ways. P is never positive, and it is
// bounded, so scores can run away only slowly.
#pragma once

#include "perpend/objective/objective.h"

namespace perpend {

template <class T>
class Ncl final : public Objective<T> {
 public:
  explicit Ncl(double lambda) : lambda_(lambda) {}
  ObjectiveNeeds needs() const override { return {}; }
  ObjectiveSupport supports() const override { return {.any_loss = false}; }
  double lambda() const override { return lambda_; }
  void evaluate(ObjectiveRows<T>& rows, Terms<T>& terms) const override;

 private:
  double lambda_;
};

}  // namespace perpend
