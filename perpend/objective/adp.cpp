#include "perpend/objective/adp.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <type_traits>

#include "perpend/base/sum.h"
#include "perpend/kernels/reference.h"
#include "perpend/objective/cross_entropy.h"
#include "perpend/objective/square.h"

namespace perpend {

namespace {

// One row: P and its adjoint by the logits. T is the number type of the rows, W that of the computation.
template <class T>
class AdpRow {
 public:
  using W = std::conditional_t<std::is_same_v<T, float>, double, T>;

  AdpRow(std::size_t members, std::size_t classes)
      : members_(members),
        classes_(classes),
        p_(members * classes),
        u_(p_.size()),
        slope_(p_.size()),
        length_(members),
        k_(members) {}

  void set(std::size_t member, const T* logits, std::size_t label) {
    const W largest = *std::max_element(logits, logits + classes_, [](const T& a, const T& b) {
      return kernels::reference::real_part(a) < kernels::reference::real_part(b);
    });
    W sum{};
    for (std::size_t k = 0; k < classes_; ++k) sum += at(p_, member, k) = exp_of(W(logits[k]) - largest);
    W squares{};
    for (std::size_t k = 0; k < classes_; ++k) {
      at(p_, member, k) /= sum;
      at(u_, member, k) = k == label ? W{} : at(p_, member, k);
      squares += at(u_, member, k) * at(u_, member, k);
    }
    const bool is_tiny = kernels::reference::real_part(squares) < kAdpLength * kAdpLength;
    length_[member] = is_tiny ? W(kAdpLength) : std::sqrt(squares);
    for (std::size_t k = 0; k < classes_; ++k) at(u_, member, k) /= length_[member];
  }

  // P of the members that are set. Leaves dP/dp in slope_.
  W penalty() {
    const W entropy = mean_entropy();
    for (std::size_t i = 0; i < members_; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        W dot{};
        for (std::size_t k = 0; k < classes_; ++k) dot += at(u_, i, k) * at(u_, j, k);
        k_(i, j) = k_(j, i) = dot;
      }
      k_(i, i) = W(1);
    }
    Square<W> a = k_;
    for (std::size_t i = 0; i < members_; ++i) a(i, i) += W(kAdpEpsilon);
    factor(a);
    add_volume_slopes(inverse(a));
    return -entropy + W(kAdpVolume) * minus_log_det(a);
  }

  // Must follow penalty(). Adds scale dP/dz to the logits' adjoints.
  void add_adjoint(std::size_t member, const W& scale, T* d) {
    W along{};
    for (std::size_t k = 0; k < classes_; ++k) along += at(p_, member, k) * at(slope_, member, k);
    for (std::size_t k = 0; k < classes_; ++k) {
      d[k] += T(scale * at(p_, member, k) * (at(slope_, member, k) - along));
    }
  }

 private:
  W& at(std::vector<W>& numbers, std::size_t member, std::size_t k) { return numbers[member * classes_ + k]; }

  // H. Also begins slope_ with the derivative of -H.
  W mean_entropy() {
    W entropy{};
    for (std::size_t k = 0; k < classes_; ++k) {
      W mean{};
      for (std::size_t m = 0; m < members_; ++m) mean += at(p_, m, k);
      mean /= W(static_cast<double>(members_));
      const bool is_none = kernels::reference::real_part(mean) < 1e-300;
      const W log = log_of(is_none ? W(1e-300) : mean);
      entropy -= mean * log;
      for (std::size_t m = 0; m < members_; ++m) {
        at(slope_, m, k) = (log + W(1)) / W(static_cast<double>(members_));
      }
    }
    return entropy;
  }

  void add_volume_slopes(Square<W> b) {
    for (std::size_t i = 0; i < members_; ++i) {
      const W scale = W(-2 * kAdpVolume) / length_[i];
      for (std::size_t k = 0; k < classes_; ++k) {
        W sum{};
        for (std::size_t j = 0; j < members_; ++j) {
          if (j != i) sum += b(i, j) * (at(u_, j, k) - k_(i, j) * at(u_, i, k));
        }
        at(slope_, i, k) += scale * sum;
      }
    }
  }

  std::size_t members_, classes_;
  std::vector<W> p_, u_, slope_;  // (members, classes)
  std::vector<W> length_;
  Square<W> k_;
};

}  // namespace

template <class T>
void Adp<T>::evaluate(ObjectiveRows<T>& rows, Terms<T>& terms) const {
  for (std::size_t m = 0; m < rows.members(); ++m) terms.fit[m] += cross_entropy(rows, m);
  AdpRow<T> row(rows.members(), rows.scores[0].cols());
  std::vector<T> costs(rows.rows);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    for (std::size_t m = 0; m < rows.members(); ++m) {
      row.set(m, rows.scores[m].row(r), static_cast<std::size_t>(rows.labels[r]));
    }
    const auto weight = typename AdpRow<T>::W(rows.weights[r]);
    costs[r] = T(weight * row.penalty());
    for (std::size_t m = 0; m < rows.members(); ++m) {
      row.add_adjoint(m, typename AdpRow<T>::W(lambda_) * weight, rows.d_scores[m].row(r));
    }
  }
  terms.penalty += ordered_sum(rows.rows, costs.data());
}

template class Adp<float>;
template class Adp<double>;
template class Adp<std::complex<double>>;

}  // namespace perpend
