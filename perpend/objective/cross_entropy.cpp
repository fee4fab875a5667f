#include "perpend/objective/cross_entropy.h"

#include <complex>

#include "perpend/base/sum.h"
#include "perpend/kernels/elementwise.h"
#include "perpend/kernels/reference.h"

namespace perpend {

namespace {

template <class T>
std::vector<T> binary(ObjectiveRows<T>& rows, std::size_t m) {
  std::vector<T> loss(round_up(rows.rows, 16));
  kernels::cross_entropy<T>({.n = rows.rows,
                             .scores = rows.scores[m].data(),
                             .labels = rows.labels,
                             .weights = rows.weights,
                             .loss = loss.data(),
                             .derivative = rows.d_scores[m].data()});
  return loss;
}

template <class T>
std::vector<T> multi_class(ObjectiveRows<T>& rows, std::size_t m) {
  const std::size_t classes = rows.scores[m].cols();
  std::vector<T> loss(rows.rows);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const T* z = rows.scores[m].row(r);
    T* d = rows.d_scores[m].row(r);
    const auto label = static_cast<std::size_t>(rows.labels[r]);
    loss[r] = rows.weights[r] * (kernels::softmax<T>(classes, z, d) - z[label]);
    d[label] -= T(1);
    for (std::size_t k = 0; k < classes; ++k) d[k] *= rows.weights[r];
  }
  return loss;
}

template <class T>
std::vector<T> regression(ObjectiveRows<T>& rows, std::size_t m) {
  std::vector<T> loss(rows.rows);
  const T* s = rows.scores[m].data();
  T* d = rows.d_scores[m].data();
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const T error = s[r] - rows.targets[r];
    const bool is_above = kernels::reference::real_part(error) > 0;
    loss[r] = rows.weights[r] * rows.loss.value(error, is_above);
    d[r] = rows.weights[r] * rows.loss.derivative(error, is_above);
  }
  return loss;
}

}  // namespace

template <class T>
T cross_entropy(ObjectiveRows<T>& rows, std::size_t m) {
  const std::vector<T> loss = rows.scores[m].cols() == 1 ? binary(rows, m) : multi_class(rows, m);
  return ordered_sum(rows.rows, loss.data());
}

template <class T>
std::vector<T> row_fits(ObjectiveRows<T>& rows, std::size_t m) {
  if (rows.targets != nullptr) return regression(rows, m);
  return rows.scores[m].cols() == 1 ? binary(rows, m) : multi_class(rows, m);
}

template <class T>
T member_fit(ObjectiveRows<T>& rows, std::size_t m) {
  const std::vector<T> loss = row_fits(rows, m);
  return ordered_sum(rows.rows, loss.data());
}

template <class T>
void Restarts<T>::evaluate(ObjectiveRows<T>& rows, Terms<T>& terms) const {
  for (std::size_t m = 0; m < rows.members(); ++m) terms.fit[m] += member_fit(rows, m);
}

template float cross_entropy(ObjectiveRows<float>&, std::size_t);
template double cross_entropy(ObjectiveRows<double>&, std::size_t);
template std::complex<double> cross_entropy(ObjectiveRows<std::complex<double>>&, std::size_t);
template float member_fit(ObjectiveRows<float>&, std::size_t);
template double member_fit(ObjectiveRows<double>&, std::size_t);
template std::complex<double> member_fit(ObjectiveRows<std::complex<double>>&, std::size_t);
template std::vector<float> row_fits(ObjectiveRows<float>&, std::size_t);
template std::vector<double> row_fits(ObjectiveRows<double>&, std::size_t);
template std::vector<std::complex<double>> row_fits(ObjectiveRows<std::complex<double>>&, std::size_t);
template class Restarts<float>;
template class Restarts<double>;
template class Restarts<std::complex<double>>;

}  // namespace perpend
