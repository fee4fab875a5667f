#include "perpend/objective/lit.h"

#include <complex>
#include <span>

#include "perpend/base/sum.h"
#include "perpend/kernels/cosine.h"
#include "perpend/kernels/reference.h"
#include "perpend/kernels/tangents.h"
#include "perpend/objective/cross_entropy.h"

namespace perpend {

namespace {

// Returns the sum over rows of weight * (sum over pairs of cos^2), along the tangents if there are any. Gradients
// become `scale` times its adjoint.
template <class T>
T cosine_rows(ObjectiveRows<T>& rows, const Tangents* tangents, double scale) {
  T total{};
  const T* weights = rows.penalty_weights();
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const std::size_t at = tangents == nullptr || tangents->is_shared() ? 0 : rows.indices[r];
    std::vector<std::vector<T>> g;
    for (const auto& gradient : rows.input_gradients) {
      g.emplace_back(gradient.row(r), gradient.row(r) + gradient.cols());
      if (tangents != nullptr) g.back() = kernels::reference::project(*tangents, at, gradient.row(r));
    }
    total += weights[r] * kernels::reference::cosine_penalty(g, kTrainingEpsilon);
    auto adjoint = kernels::reference::cosine_adjoint(g, kTrainingEpsilon);
    for (std::size_t m = 0; m < g.size(); ++m) {
      if (tangents != nullptr) adjoint[m] = kernels::reference::lift(*tangents, at, adjoint[m]);
      for (std::size_t d = 0; d < adjoint[m].size(); ++d) {
        rows.input_gradients[m](r, d) = T(scale) * weights[r] * adjoint[m][d];
      }
    }
  }
  return total;
}

// The members' numbers are in `columns` columns, `stride` apart.
float cosine_in_place(const ObjectiveRows<float>& rows, const std::vector<float*>& gradients, std::size_t columns,
                      std::size_t stride, double scale) {
  std::vector<float> penalty(round_up(rows.rows, 16));
  kernels::cosine_adjoint({.members = gradients.size(),
                           .rows = rows.rows,
                           .features = columns,
                           .gradients = gradients.data(),
                           .stride = stride,
                           .eps = static_cast<float>(kTrainingEpsilon),
                           .scale = static_cast<float>(scale),
                           .weights = rows.penalty_weights(),
                           .penalty = penalty.data()});
  return ordered_sum(rows.rows, penalty.data());
}

float cosine_along(ObjectiveRows<float>& rows, const Tangents& tangents, double scale) {
  Stack<float, axis::Row, axis::Feature> projected(rows.members(), rows.rows, tangents.directions());
  const std::span indices(rows.indices, rows.rows);
  std::vector<float*> each;
  for (std::size_t m = 0; m < rows.members(); ++m) {
    each.push_back(projected[m].data());
    kernels::project(tangents, indices, rows.input_gradients[m], projected[m]);
  }
  const float total = cosine_in_place(rows, each, tangents.directions(), projected[0].stride(), scale);
  for (std::size_t m = 0; m < rows.members(); ++m) {
    kernels::lift(tangents, indices, projected[m], rows.input_gradients[m]);
  }
  return total;
}

template <>
float cosine_rows<float>(ObjectiveRows<float>& rows, const Tangents* tangents, double scale) {
  if (tangents != nullptr) return cosine_along(rows, *tangents, scale);
  std::vector<float*> gradients;
  for (const auto& gradient : rows.input_gradients) gradients.push_back(gradient.data());
  const auto& first = rows.input_gradients.front();
  return cosine_in_place(rows, gradients, first.cols(), first.stride(), scale);
}

}  // namespace

template <class T>
void Lit<T>::evaluate(ObjectiveRows<T>& rows, Terms<T>& terms) const {
  for (std::size_t m = 0; m < rows.members(); ++m) terms.fit[m] += member_fit(rows, m);
  // Weights sum to 1 over the batch: an unordered pair counts twice in "mean" and B times in "sum".
  const double pair = settings_.reduction == PenaltyReduction::mean ? 2.0 : static_cast<double>(rows.batch_rows);
  terms.penalty += T(pair) * cosine_rows(rows, settings_.tangents, settings_.lambda * pair);
}

template class Lit<float>;
template class Lit<double>;
template class Lit<std::complex<double>>;

}  // namespace perpend
