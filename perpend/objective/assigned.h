// Each member fits only the rows that are assigned to it:
//
//   L = sum over assigned pairs (member m, row j) of weight_j loss_m(j)
//
// loss_m is the cross-entropy, or the loss of a regression. fit_m is the sum over the rows of m. train/dive.h finds
// assignments.
#pragma once

#include <utility>
#include <vector>

#include "perpend/objective/objective.h"

namespace perpend {

template <class T>
class Assigned final : public Objective<T> {
 public:
  // taken[m * rows + j], with j a row of the training data: 1 where it is assigned to m.
  Assigned(std::vector<char> taken, std::size_t rows) : taken_(std::move(taken)), rows_(rows) {}
  ObjectiveNeeds needs() const override { return {}; }
  double lambda() const override { return 0; }
  void evaluate(ObjectiveRows<T>& rows, Terms<T>& terms) const override;

 private:
  std::vector<char> taken_;
  std::size_t rows_;
};

}  // namespace perpend
