// D-BAT (Pagliardini, Jaggi, Fleuret and Karimireddy, "Agree to Disagree: Diversity through Disagreement for Better
// Transferability", ICLR 2023), for one member, given those that were trained before it. It fits the labels, and
// disagrees with the earlier members at rows of another place, which have no labels. train/dbat.h trains one member
// after the other.
//
//   L = CE + lambda P
//   P = mean over earlier members l and the rows without labels of -log(p (1 - q_l) + (1 - p) q_l)
//
// p and q_l are the probabilities of one class by this member and by an earlier one, which stays as it is. p (1 - q) +
// (1 - p) q is the probability that two coins fall differently. With two classes it may be either of them, as the sum
// is the same for both. With more, it is the class that the earlier member thinks most likely, against the rest.
//
// With s and t the log-odds of p and q_l, p (1 - q) + (1 - p) q = (e^s + e^t) / ((1 + e^s) (1 + e^t)), so that
//
//   A(s, t) = softplus(s) + softplus(t) - log(e^s + e^t) = softplus(-h) + softplus(b) - softplus(b - h)
//   h = max(s, t), b = min(s, t)
//
// Its terms are small wherever A is. So nothing cancels, however sure the two are.
//
// Adjoint. d softplus = sigmoid, and log(e^s + e^t) = t + softplus(s - t), so
//
//   dA/ds = sigmoid(s) - sigmoid(s - t) = sigmoid(t - s) - sigmoid(-s)
//
// The second form is used where s > 0, because there the first is a difference of numbers near 1. K > 2: with c the
// class, s = z_c - log sum_{k != c} e^z_k, so ds/dz_c = 1 and ds/dz_k = -(softmax over the classes but c)_k.
//
// Our choices:
// - The mean over earlier members is that of their losses, as in the paper's algorithm, not the loss of their mean.
// - The published code adds 1e-7 below the logarithm. Here A is exact; its slope is at most 1.
// - lambda is 0.01: the most that costs less than 0.01 of log-loss in held-out training domains (docs/unlabeled.md).
//
// When not to use it. P has no bound: two members that are sure of the same answer pay min(|s|, |t|). If the rows
// without labels are like the training rows, that works against the labels, and a large lambda makes members wrong
// there. The published experiments used values of lambda from 1 down to 0.000001, chosen per table.
#pragma once

#include <cstdint>
#include <vector>

#include "perpend/objective/objective.h"

namespace perpend {

// An earlier member's answer at each row without a label: a class, and its log-odds against the rest. With two classes
// it is always class 1.
struct EarlierAnswers {
  std::vector<std::int32_t> classes;
  std::vector<float> log_odds;
};

// Makes them from scores (rows, 1 or K).
EarlierAnswers earlier_answers(MatrixView<const float, axis::Row, axis::Score> scores);

template <class T>
class Dbat final : public Objective<T> {
 public:
  // Row first_row + r of the training is row r of the earlier answers, which must outlive this object. Without an
  // earlier member it is the plain fit.
  Dbat(double lambda, const std::vector<EarlierAnswers>& earlier, std::size_t first_row)
      : lambda_(lambda), earlier_(&earlier), first_row_(first_row) {}
  ObjectiveNeeds needs() const override { return {}; }
  // Predictions that are numbers have no probability of disagreeing.
  ObjectiveSupport supports() const override { return {.regression = false, .unlabeled = true}; }
  double lambda() const override { return lambda_; }
  void evaluate(ObjectiveRows<T>& rows, Terms<T>& terms) const override;

 private:
  double lambda_;
  const std::vector<EarlierAnswers>* earlier_;
  std::size_t first_row_;
};

}  // namespace perpend
