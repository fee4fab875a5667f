// Local independence training (the paper's final LIT objective):
//
//   L = sum_m CE_m + lambda P,   cos^2(g, h) = (g.h)^2 / (|g|^2 |h|^2 + eps)
//   mean:  P = sum over ordered pairs l != m of the batch mean of cos^2(G_l, G_m)      (the paper's equation)
//   sum:   P = sum over pairs l < m and over the rows of the batch                      (the published experiment)
//
// G_m are the gradients of member m's score by the inputs. With two classes the score is the log-odds s = z1 - z0; with
// K > 2 it is the log-odds of the class the member predicts at that row against the rest, z_c - log sum_{k != c} e^z_k,
// which is s again for K = 2 up to its sign. cos^2 does not depend on the sign. P needs no label.
//
// With tangents, cos^2 is taken of J^T G in place of G, where J(x) is the basis at each row (the paper's
// ManifIndepErr). Gradients are projected before the cosine, and its adjoint goes back as R = J R_P. Without them, if
// the data fill fewer directions than they have columns, members could be orthogonal in directions in which no row ever
// moves.
//
// lambda_mean = lambda_sum B / 2. eps is 1e-6 in training; the reported metric uses 1e-8. Where a gradient is
// exactly zero, cos^2 is 0 and so is its adjoint.
#pragma once

#include "perpend/base/tangents.h"
#include "perpend/objective/objective.h"

namespace perpend {

constexpr double kTrainingEpsilon = 1e-6;

template <class T>
class Lit final : public Objective<T> {
 public:
  // Tangents belong to the rows of the training data, or are one basis for all of them.
  explicit Lit(const PenaltySettings& settings) : settings_(settings) {}
  ObjectiveNeeds needs() const override { return {.input_gradients = true}; }
  ObjectiveSupport supports() const override { return {.tangents = true, .unlabeled = true}; }
  double lambda() const override { return settings_.lambda; }
  void evaluate(ObjectiveRows<T>& rows, Terms<T>& terms) const override;

 private:
  PenaltySettings settings_;
};

}  // namespace perpend
