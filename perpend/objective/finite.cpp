#include "perpend/objective/finite.h"

#include <complex>

#include "perpend/base/sum.h"
#include "perpend/kernels/elementwise.h"

namespace perpend {

namespace {

// The fit of column 0. Its adjoint replaces that column of d_scores.
template <class T>
T fit_of(ObjectiveRows<T>& rows, std::size_t m) {
  const std::size_t padded = round_up(rows.rows, 16);
  std::vector<T> score(padded), loss(padded), derivative(padded);
  for (std::size_t r = 0; r < rows.rows; ++r) score[r] = rows.scores[m](r, 0);
  kernels::cross_entropy<T>({.n = rows.rows,
                             .scores = score.data(),
                             .labels = rows.labels,
                             .weights = rows.weights,
                             .loss = loss.data(),
                             .derivative = derivative.data()});
  for (std::size_t r = 0; r < rows.rows; ++r) rows.d_scores[m](r, 0) = derivative[r];
  return ordered_sum(rows.rows, loss.data());
}

// Returns the sum over rows of weight * (sum over l != m of the squared change). Adds `scale` times its adjoint to
// d_scores.
template <class T>
T changes_of(ObjectiveRows<T>& rows, std::size_t m, double scale) {
  std::vector<T> squares(rows.rows);
  const auto& s = rows.scores[m];
  const auto& d = rows.d_scores[m];
  const T* weights = rows.penalty_weights();
  for (std::size_t r = 0; r < rows.rows; ++r) {
    for (std::size_t l = 0; l < rows.members(); ++l) {
      const T change = l == m ? T{} : s(r, 1 + l) - s(r, 0);
      const T adjoint = T(2 * scale) * weights[r] * change;
      squares[r] += weights[r] * change * change;
      d(r, 1 + l) = adjoint;
      d(r, 0) -= adjoint;
    }
  }
  return ordered_sum(rows.rows, squares.data());
}

}  // namespace

template <class T>
void FiniteLit<T>::evaluate(ObjectiveRows<T>& rows, Terms<T>& terms) const {
  const double pair = settings_.reduction == PenaltyReduction::mean ? 1.0 : static_cast<double>(rows.batch_rows) / 2;
  for (std::size_t m = 0; m < rows.members(); ++m) {
    PERPEND_CHECK(rows.scores[m].cols() == 1 + rows.members());
    terms.fit[m] += fit_of(rows, m);
    terms.penalty += T(pair) * changes_of(rows, m, settings_.lambda * pair);
  }
}

template class FiniteLit<float>;
template class FiniteLit<double>;
template class FiniteLit<std::complex<double>>;

}  // namespace perpend
