// DivDis (Lee, Yao and Finn, "Diversify and Disambiguate: Out-of-Distribution Robustness via Disagreement", ICLR 2023):
// members are trained together to fit the labels, and to answer independently of one another at rows of another place,
// which have no labels. It needs such rows.
//
//   L = sum_m CE_m + lambda P
//   P = M (mean over pairs i < j of I_ij + mean over members i of R_i)
//     = 2 / (M - 1) * sum over pairs i < j of I_ij + sum_i R_i
//
// All sums in P are means over the U rows of the batch that have no label. With p_i(k) member i's probability of class
// k,
//
//   A_i(k)    = mean of p_i(k)              the members' marginals
//   J_ij(k,l) = mean of p_i(k) p_j(l)       their joint answers
//   I_ij      = sum_kl J_ij(k,l) log(J_ij(k,l) / (A_i(k) A_j(l)))      their mutual information
//   R_i       = sum_k A_i(k) log(A_i(k) / pi(k))                       KL(A_i || pi)
//
// pi are the shares of the classes among the training rows. I_ij is 0 when two members answer independently of each
// other. It is also 0 when one of them gives all rows the same answer; R_i makes that expensive.
//
// Adjoint. J's row sums are A_i and its column sums A_j, because probabilities sum to 1. So with
// L_ij(k,l) = log(J_ij(k,l) / (A_i(k) A_j(l))),
//
//   dI_ij / dJ_ij(k,l) = L_ij(k,l) + 1 - 1 - 1 = L_ij(k,l) - 1
//   dI_ij / dp_i(k) at a row = 1/U sum_l p_j(l) (L_ij(k,l) - 1) = 1/U (sum_l p_j(l) L_ij(k,l) - 1)
//   dR_i / dp_i(k) at a row  = 1/U (log(A_i(k) / pi(k)) + 1)
//
// With g = dP/dp_i the adjoint of the logits is p_i (g - <p_i, g>), in which constants cancel. Two classes have the
// logits (0, s).
//
// P is not a sum over rows, but A and J are, and batch_sums() asks for them. So P is that of the whole batch, however
// the batch is cut into runs. The share of P in a run's terms is that of the run's rows.
//
// Our choices:
// - The paper has a weight for I and one for R. The published experiments give both the same weight, 10, and so does
//   lambda. Their loss is the mean over members, and L is M times that.
// - The published code estimates pi by the members' mean answers to a batch of training rows. Here labels are counted.
// - The estimate of I_ij on a batch is biased upwards: independent members have at most about (K - 1)^2 / 2U.
//   That is small compared with members that agree, which have up to log K, unless a batch has very few rows.
// - Logarithms are of numbers of at least the smallest normal float. So a class that no member answers costs much, but
//   the cost stays finite.
//
// When not to use it. If the other place's rows are like the training rows, one answer is right there, and members that
// answer independently of it are wrong. P then costs accuracy and brings nothing. It is also not meant for places whose
// classes have other shares. P costs M^2 K^2 / 2 per row, twice, so it is not for hundreds of classes.
#pragma once

#include <vector>

#include "perpend/objective/objective.h"

namespace perpend {

template <class T>
class DivDis final : public Objective<T> {
 public:
  // pi, which need not sum to 1. If it is empty, the objective can only be asked what it supports.
  DivDis(double lambda, std::vector<double> class_shares);
  ObjectiveNeeds needs() const override { return {}; }
  // Answers that are numbers have no joint distribution over classes.
  ObjectiveSupport supports() const override { return {.regression = false, .unlabeled = true}; }
  double lambda() const override { return lambda_; }
  std::size_t batch_sums(const ObjectiveRows<T>& rows) const override;
  void add_batch_sums(const ObjectiveRows<T>& rows, T* sums) const override;
  void evaluate(ObjectiveRows<T>& rows, Terms<T>& terms) const override;

 private:
  double lambda_;
  std::vector<double> class_shares_;
};

}  // namespace perpend
