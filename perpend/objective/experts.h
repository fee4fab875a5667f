// Competition of experts (Parascandolo, Kilbertus, Rojas-Carulla and Schoelkopf 2018), adapted to labelled rows. The
// member with the lowest loss at a row wins it, and only the winner trains on it.
//
//   L = sum over rows of weight * min over m of loss_m(row)
//
// With k > 1 it is the sum of the k lowest losses: the k best members of a row train on it (train/dive.h).
//
// loss_m is the cross-entropy of member m's scores, or the loss of a regression. The earlier member wins a tie. Which
// member wins is a constant in the gradient, as in the source: a row's adjoint is the winner's own, and 0 for all
// others. fit_m is the sum over the rows that m wins, so the curves of the members add up to L.
//
// train/experts.h tells how members are trained with it, and how they decide together.
#pragma once

#include <vector>

#include "perpend/objective/objective.h"

namespace perpend {

template <class T>
class Experts final : public Objective<T> {
 public:
  explicit Experts(std::size_t k = 1) : k_(k) {}
  ObjectiveNeeds needs() const override { return {}; }
  double lambda() const override { return 0; }
  void evaluate(ObjectiveRows<T>& rows, Terms<T>& terms) const override;

 private:
  std::size_t k_;
};

// Counts for each member and row, by losses[member][row], how many members win against it: those with a lower loss, or
// with the same loss and an earlier place.
template <class T>
std::vector<std::vector<std::size_t>> places(std::size_t rows, const std::vector<std::vector<T>>& losses);

}  // namespace perpend
