// Local independence training by its definition instead of cos^2: members hold still where another's score is largest.
//
//   L = sum_m CE_m + lambda P
//   mean:  P = sum over ordered pairs m != l of the batch mean of (s_m(x_lmax) - s_m(x))^2     (the paper's equation)
//   sum:   P = that times B / 2, so that lambda_mean = lambda_sum B / 2 as in lit.h
//
// x_lmax is the point within epsilon of x where member l's score is largest (model/ascent.h). Each step finds it again
// and then holds it constant, as in adversarial training: gradients flow through both scores of member m, but not
// through the search. So a step lowers m's change towards l's present maximum. It does not see that l could also move
// its maximum away.
//
// Unlike cos^2, P has the scale of the scores. Members can lower it by being less sure, and each epsilon needs another
// lambda (P grows as epsilon^2).
//
// Here a member's scores are (rows, 1 + M): s_m(x), then s_m(x_lmax) for l = 0 .. M - 1, where l = m counts for
// nothing. P needs two classes and no drop-out. Under two masks, s_m would differ even at the same point.
#pragma once

#include "perpend/objective/objective.h"

namespace perpend {

template <class T>
class FiniteLit final : public Objective<T> {
 public:
  explicit FiniteLit(const PenaltySettings& settings) : settings_(settings) {}
  ObjectiveNeeds needs() const override { return {.ascent_points = true}; }
  ObjectiveSupport supports() const override {
    return {.many_classes = false, .regression = false, .dropout = false, .ascent = true, .unlabeled = true};
  }
  double lambda() const override { return settings_.lambda; }
  void evaluate(ObjectiveRows<T>& rows, Terms<T>& terms) const override;

 private:
  PenaltySettings settings_;
};

}  // namespace perpend
