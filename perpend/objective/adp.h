// Adaptive diversity promoting (Pang, Xu, Du, Chen and Zhu 2019): members agree on the label, and give the rest of
// their probability to different classes.
//
//   L = sum_m CE_m + lambda P,   P = batch mean of -H(F) - beta log det(K + eps I)     per row, K is (members, members)
//   F = 1/M sum_m p_m, the mean of the members' probabilities, and H its entropy
//   K_ij = u_i . u_j,  u_i = q_i / |q_i|,  q_i = p_i without its entry of the label ("non-maximal predictions")
//
// The determinant is the squared volume that the members' u span. It is largest where each member gives its doubt to
// other classes. It does not involve the label, so it costs no accuracy by itself. The entropy keeps some doubt,
// without which there would be nothing to share. The source has the weights alpha = 2 for H and 0.5 for the
// log-determinant. So lambda is alpha, and beta = 1/4 keeps the published ratio. eps = 1e-6 as in the published code.
//
// Two classes are refused: q_i is then one number, u_i is 1 for all members, and the determinant is a constant. Only
// the entropy is left, which asks all members for more doubt and does not make them differ.
//
// With more members than other classes, M > C - 1, the u cannot all be independent. The determinant then contains at
// least M - C + 1 factors eps, which are a constant, and P still spreads the u over all dimensions that there are. The
// source has M = 3 and C = 10 or 100. A member that gives nothing to any other class has no u: |q| is taken as at least
// 1e-12, and K_ii is 1 by definition.
//
// Adjoint. With A = K + eps I and B = A^-1, only off-diagonal entries of K move:
//   d log det / dq_i = 2 / |q_i| sum_{j != i} B_ij (u_j - K_ij u_i)
//   dH / dp_ik = -(log F_k + 1) / M
// and dp to the logits: dz_k = p_k (dp_k - sum_l p_l dp_l). Float rows are computed in double, because members are
// nearly copies at first, which makes A nearly singular.
//
// When not to use it: with two classes, or where the wrong classes mean nothing. It does not make members differ in
// what they say about the label. Cost per row: M^2 C + M^3, compared with M for restarts.
#pragma once

#include "perpend/objective/objective.h"

namespace perpend {

constexpr double kAdpVolume = 0.25;   // beta
constexpr double kAdpEpsilon = 1e-6;  // eps
constexpr double kAdpLength = 1e-12;  // the least |q|

template <class T>
class Adp final : public Objective<T> {
 public:
  explicit Adp(double lambda) : lambda_(lambda) {}
  ObjectiveNeeds needs() const override { return {}; }
  ObjectiveSupport supports() const override { return {.two_classes = false, .regression = false}; }
  double lambda() const override { return lambda_; }
  void evaluate(ObjectiveRows<T>& rows, Terms<T>& terms) const override;

 private:
  double lambda_;
};

}  // namespace perpend
