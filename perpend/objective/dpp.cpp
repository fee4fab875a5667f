#include "perpend/objective/dpp.h"

#include <complex>
#include <numeric>
#include <type_traits>

#include "perpend/base/sum.h"
#include "perpend/kernels/reference.h"
#include "perpend/kernels/tangents.h"
#include "perpend/objective/cross_entropy.h"
#include "perpend/objective/square.h"

namespace perpend {

namespace {

// One row: its penalty and the derivatives by the gradients. T is the number type of the rows, W that of the
// computation.
template <class T>
class DppRow {
 public:
  using W = std::conditional_t<std::is_same_v<T, float>, double, T>;

  DppRow(std::size_t members, std::size_t width) : width_(width), u_(members * width), n_(members), k_(members) {}

  void set(std::size_t member, const T* gradient) {
    W squares = W(kDppSquaredLength);
    for (std::size_t d = 0; d < width_; ++d) squares += W(gradient[d]) * W(gradient[d]);
    n_[member] = std::sqrt(squares);
    for (std::size_t d = 0; d < width_; ++d) u(member)[d] = W(gradient[d]) / n_[member];
  }

  W penalty() {
    const std::size_t members = n_.size();
    for (std::size_t i = 0; i < members; ++i) {
      for (std::size_t j = 0; j < i; ++j) k_(i, j) = k_(j, i) = std::inner_product(u(i), u(i) + width_, u(j), W{});
      k_(i, i) = W(1);
    }
    factored_ = k_;
    for (std::size_t i = 0; i < members; ++i) factored_(i, i) += W(kDppEpsilon);
    factor(factored_);
    return minus_log_det(factored_);
  }

  // Must follow penalty(). Computes `scale` times dP/dG of each member.
  void adjoint(const W& scale, std::vector<std::vector<T>>& out) {
    Square<W> b = inverse(factored_);
    std::vector<W> sum(width_);
    for (std::size_t i = 0; i < n_.size(); ++i) {
      std::fill(sum.begin(), sum.end(), W{});
      for (std::size_t j = 0; j < n_.size(); ++j) {
        if (j == i) continue;
        for (std::size_t d = 0; d < width_; ++d) sum[d] += b(i, j) * (u(j)[d] - k_(i, j) * u(i)[d]);
      }
      for (std::size_t d = 0; d < width_; ++d) out[i][d] = T(W(-2) * scale / n_[i] * sum[d]);
    }
  }

 private:
  W* u(std::size_t member) { return u_.data() + member * width_; }

  std::size_t width_;
  std::vector<W> u_;  // (members, width)
  std::vector<W> n_;
  Square<W> k_, factored_{0};
};

// Returns the sum over rows of weight * P, along the tangents if there are any. Gradients become `lambda` times its
// adjoint.
template <class T>
T dpp_rows(ObjectiveRows<T>& rows, const PenaltySettings& settings) {
  const Tangents* tangents = settings.tangents;
  const std::size_t features = rows.input_gradients.front().cols();
  const std::size_t width = tangents == nullptr ? features : tangents->directions();
  DppRow<T> row(rows.members(), width);
  std::vector<std::vector<T>> adjoints(rows.members(), std::vector<T>(width));
  std::vector<T> costs(rows.rows);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const std::size_t at = tangents == nullptr || tangents->is_shared() ? 0 : rows.indices[r];
    for (std::size_t m = 0; m < rows.members(); ++m) {
      const T* gradient = rows.input_gradients[m].row(r);
      row.set(m, tangents == nullptr ? gradient : kernels::reference::project(*tangents, at, gradient).data());
    }
    const auto weight = typename DppRow<T>::W(rows.penalty_weights()[r]);
    costs[r] = T(weight * row.penalty());
    row.adjoint(typename DppRow<T>::W(settings.lambda) * weight, adjoints);
    for (std::size_t m = 0; m < rows.members(); ++m) {
      const auto lifted = tangents == nullptr ? adjoints[m] : kernels::reference::lift(*tangents, at, adjoints[m]);
      std::copy(lifted.begin(), lifted.end(), rows.input_gradients[m].row(r));
    }
  }
  return ordered_sum(rows.rows, costs.data());
}

}  // namespace

template <class T>
void Dpp<T>::evaluate(ObjectiveRows<T>& rows, Terms<T>& terms) const {
  for (std::size_t m = 0; m < rows.members(); ++m) terms.fit[m] += member_fit(rows, m);
  terms.penalty += dpp_rows(rows, settings_);
}

template class Dpp<float>;
template class Dpp<double>;
template class Dpp<std::complex<double>>;

}  // namespace perpend
