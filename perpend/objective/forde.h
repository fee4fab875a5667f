// Repulsion of input gradients by a kernel, after FoRDE (Trinh, Heinonen, Acerbi and Kaski 2024). Members are
// particles: the labels pull them, and they push one another apart in the space of input gradients.
//
//   L = sum_m CE_m + lambda P,   P = 1/2 sum_i log sum_j k_ij
//   k_ij = batch mean of exp(-|u_i - u_j|^2 / 2) = batch mean of exp(u_i . u_j - 1),   k_ii = 1
//   u_i = G_i / n_i,  n_i = sqrt(|G_i|^2 + delta)                             per row; G_i as in lit.h
//
// The source moves particle i by the gradient of its log-posterior less that of log sum_j k_ij, in which member j stays
// as it is. Here all is one loss, so that its gradient can be checked. Both ends of a pair then move, and the half
// makes up for that. The source weighs pair (i, j) with 1 / S_i, S_i = sum_j k_ij, and this P weighs it with the mean
// of 1 / S_i and 1 / S_j. With two members these are the same.
//
// How it differs from cos^2. The kernel knows the sign: opposite gradients are furthest apart, and orthogonal ones are
// still pushed. And it takes the logarithm of a mean over the batch: two members may look alike at some rows if they do
// not at others. cos^2 asks for differences at every row.
//
// Our choices. The source has the gradient of the probability of the label, normalised. Here it is that of the
// log-odds, as for the other penalties, which has the same direction for two classes. The source scales the directions
// of its kernel by principal components of the inputs and a running median of the distances. Here the kernel has unit
// width on the unit sphere: same directions cost 1, orthogonal ones e^-1 and opposite ones e^-2. A median would depend
// on the batch and on rounding. delta = 1e-3 as in dpp.h: a member whose gradient is 0 is as far from all others as an
// orthogonal one, and has no adjoint. The source's posterior is a sum over all N rows, so its lambda, in units of a
// mean loss, is 1/N. 0.3 is much more, because members should differ and not only cover a posterior.
//
// Adjoint, per row with weight w:
//   dP/dG_i = w / n_i * sum_{j != i} (1/S_i + 1/S_j) / 2 * exp(u_i . u_j - 1) * (u_j - (u_i . u_j) u_i)
//
// k_ij is a sum over the batch, so each step makes two passes (objective.h, step 4). Cost per row: M^2 (D + an
// exponential), twice, and the second order of the input gradients as with lit. When not to use it: as with lit, and
// where members that have opposite gradients, instead of gradients by other columns, are of no use.
#pragma once

#include "perpend/objective/objective.h"

namespace perpend {

constexpr double kFordeSquaredLength = 1e-3;  // delta

template <class T>
class Forde final : public Objective<T> {
 public:
  explicit Forde(double lambda) : lambda_(lambda) {}
  ObjectiveNeeds needs() const override { return {.input_gradients = true}; }
  double lambda() const override { return lambda_; }
  std::size_t batch_sums(const ObjectiveRows<T>& rows) const override;
  void add_batch_sums(const ObjectiveRows<T>& rows, T* sums) const override;
  void evaluate(ObjectiveRows<T>& rows, Terms<T>& terms) const override;

 private:
  double lambda_;
};

}  // namespace perpend
