// Determinantal local independence, the penalty that the paper's last section asks for. Members' gradients span as much
// volume as they can, as in a determinantal point process (Kulesza and Taskar 2012).
//
//   L = sum_m CE_m + lambda P,   P = batch mean of -log det(K + eps I)      per row, K is (members, members)
//   K_ij = u_i . u_j,  K_ii = 1,  u_i = G_i / n_i,  n_i = sqrt(|G_i|^2 + delta)
//
// G_i is the input gradient of member i's score, as in lit.h: with K > 2 classes that of the predicted class against
// the rest. With tangents it is J^T G_i. P needs no label, so rows without labels count.
//
// How it differs from cos^2. For two members P = -log((1 + eps)^2 - cos^2), which grows with cos^2 and is about as
// large for small ones. For more members, cos^2 sums over pairs, while the determinant sees all members at once. For
// example, three gradients in one plane can be 120 degrees apart, with a cos^2 of 1/4 for each pair, but they span no
// volume. So P also acts where gradients depend on each other though no two are alike. Its slope is steep near copies,
// where that of cos^2 vanishes.
//
// Adjoint. With A = K + eps I and B = A^-1, dP = -tr(B dA), and only off-diagonal entries of K move:
//   dP/du_i = -2 sum_{j != i} B_ij u_j
//   du_i    = (dG_i - u_i (u_i . dG_i)) / n_i
//   dP/dG_i = -2 / n_i * sum_{j != i} B_ij (u_j - K_ij u_i)
//
// Zero gradients. K_ii is 1 by definition, that is, delta / n_i^2 is added to |u_i|^2. So K is a Gram matrix plus a
// diagonal that is not negative. It is positive semi-definite whatever the lengths, and A can always be factored. A
// member whose gradient is exactly zero is orthogonal to all others: it costs nothing and its adjoint is zero. delta is
// 1e-3. That is the |G|^2 at which the eps of cos^2 (1e-6, added to |G|^2 |H|^2) begins to matter: below it a step of a
// standard deviation moves the log-odds by less than 0.03, and its direction is noise.
//
// eps is 0.01. Between two members at an angle t, dP/dt = -2 sin t cos t / (sin^2 t + 2 eps + eps^2). Its steepest
// slope is about 1 / sqrt(2 eps), at t = sqrt(2 eps). eps = 0.01 puts it at 8 degrees, with a slope of 7. cos^2,
// counted over ordered pairs, has at most 2. A smaller eps would reward members that are 1 degree apart more than those
// that part for good. It would also let |B| <= 1/eps, and so the adjoint, grow; at 0.01 a float holds it with room to
// spare. With more members than features K does not have full rank, and P is at least (members - features) log(1/eps).
//
// P has one value per row instead of a sum over pairs, so its only reduction is the mean. Float rows are computed in
// double, because the factors of A are differences of numbers near 1 when members are nearly copies.
// Cost per row: M^2 D / 2 + M^3. There is no vector kernel yet.
#pragma once

#include "perpend/base/tangents.h"
#include "perpend/objective/objective.h"

namespace perpend {

constexpr double kDppEpsilon = 0.01;
constexpr double kDppSquaredLength = 1e-3;  // delta

template <class T>
class Dpp final : public Objective<T> {
 public:
  explicit Dpp(const PenaltySettings& settings) : settings_(settings) {}
  ObjectiveNeeds needs() const override { return {.input_gradients = true}; }
  ObjectiveSupport supports() const override { return {.tangents = true, .unlabeled = true}; }
  double lambda() const override { return settings_.lambda; }
  void evaluate(ObjectiveRows<T>& rows, Terms<T>& terms) const override;

 private:
  PenaltySettings settings_;
};

}  // namespace perpend
