#include "perpend/objective/lit.h"

#include <complex>

#include "perpend/base/sum.h"
#include "perpend/kernels/cosine.h"
#include "perpend/kernels/reference.h"
#include "perpend/objective/cross_entropy.h"

namespace perpend {

namespace {

// Sum over rows of weight * (sum over pairs of cos^2); gradients become `scale` times its adjoint.
template <class T>
T cosine_rows(ObjectiveRows<T>& rows, double epsilon, double scale) {
  T total{};
  for (std::size_t r = 0; r < rows.rows; ++r) {
    std::vector<std::vector<T>> g;
    for (const auto& gradient : rows.input_gradients)
      g.emplace_back(gradient.row(r), gradient.row(r) + gradient.cols());
    total += rows.weights[r] * kernels::reference::cosine_penalty(g, epsilon);
    const auto adjoint = kernels::reference::cosine_adjoint(g, epsilon);
    for (std::size_t m = 0; m < g.size(); ++m) {
      for (std::size_t d = 0; d < g[m].size(); ++d) {
        rows.input_gradients[m](r, d) = T(scale) * rows.weights[r] * adjoint[m][d];
      }
    }
  }
  return total;
}

template <>
float cosine_rows<float>(ObjectiveRows<float>& rows, double epsilon, double scale) {
  std::vector<float*> gradients;
  for (const auto& gradient : rows.input_gradients) gradients.push_back(gradient.data());
  std::vector<float> penalty(round_up(rows.rows, 16));
  const auto& first = rows.input_gradients.front();
  kernels::cosine_adjoint(gradients.size(), rows.rows, first.cols(), gradients.data(), first.stride(),
                          static_cast<float>(epsilon), rows.weights, static_cast<float>(scale), penalty.data());
  return ordered_sum(rows.rows, penalty.data());
}

}  // namespace

template <class T>
void Lit<T>::evaluate(ObjectiveRows<T>& rows, Terms<T>& terms) const {
  for (std::size_t m = 0; m < rows.members(); ++m) terms.fit[m] += cross_entropy(rows, m);
  // Weights sum to 1 over the batch: an unordered pair counts twice in "mean" and B times in "sum".
  const double pair = reduction_ == PenaltyReduction::mean ? 2.0 : static_cast<double>(rows.batch_rows);
  terms.penalty += T(pair) * cosine_rows(rows, epsilon_, lambda_ * pair);
}

template class Lit<float>;
template class Lit<double>;
template class Lit<std::complex<double>>;

}  // namespace perpend
