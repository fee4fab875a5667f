// Random restarts: each member fits the labels by cross-entropy, or the targets by the loss of a regression. It knows
// nothing about the others.
#pragma once

#include <vector>

#include "perpend/objective/objective.h"

namespace perpend {

// The cross-entropy of member m, -sum over rows of weight * log p(label). Writes its adjoint to d_scores[m].
template <class T>
T cross_entropy(ObjectiveRows<T>& rows, std::size_t m);

// The fit of member m: cross-entropy or, in a regression, sum over rows of weight * loss(score - target). Writes its
// adjoint.
template <class T>
T member_fit(ObjectiveRows<T>& rows, std::size_t m);

// The same row by row, for at least `rows` entries. Their sum is the fit.
template <class T>
std::vector<T> row_fits(ObjectiveRows<T>& rows, std::size_t m);

template <class T>
class Restarts final : public Objective<T> {
 public:
  ObjectiveNeeds needs() const override { return {}; }
  double lambda() const override { return 0; }
  void evaluate(ObjectiveRows<T>& rows, Terms<T>& terms) const override;
};

}  // namespace perpend
