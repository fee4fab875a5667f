#include "perpend/objective/forde.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>
#include <type_traits>

#include "perpend/objective/cross_entropy.h"
#include "perpend/objective/log_exp.h"

namespace perpend {

namespace {

// The normalised gradients of one row. T is the number type of the rows, W that of the computation.
template <class T>
class KernelRow {
 public:
  using W = std::conditional_t<std::is_same_v<T, float>, double, T>;

  explicit KernelRow(const ObjectiveRows<T>& rows)
      : width_(rows.input_gradients.front().cols()), u_(rows.members() * width_), n_(rows.members()) {}

  void set(const ObjectiveRows<T>& rows, std::size_t row) {
    for (std::size_t m = 0; m < n_.size(); ++m) {
      const T* gradient = rows.input_gradients[m].row(row);
      W squares = W(kFordeSquaredLength);
      for (std::size_t d = 0; d < width_; ++d) squares += W(gradient[d]) * W(gradient[d]);
      n_[m] = std::sqrt(squares);
      for (std::size_t d = 0; d < width_; ++d) u_[m * width_ + d] = W(gradient[d]) / n_[m];
    }
  }

  std::size_t width() const { return width_; }
  const W* u(std::size_t m) const { return u_.data() + m * width_; }
  const W& length(std::size_t m) const { return n_[m]; }
  W dot(std::size_t i, std::size_t j) const { return std::inner_product(u(i), u(i) + width_, u(j), W{}); }

 private:
  std::size_t width_;
  std::vector<W> u_;  // (members, width)
  std::vector<W> n_;
};

template <class W>
W kernel(const W& dot) {
  return exp_of(dot - W(1));
}

// The place of k_ij among the sums: pairs i < j in order.
std::size_t pair_of(std::size_t members, std::size_t i, std::size_t j) {
  const auto [low, high] = std::minmax(i, j);
  return low * (2 * members - low - 1) / 2 + high - low - 1;
}

// S_i of each member.
template <class T>
std::vector<T> neighbourhoods(std::size_t members, const T* sums) {
  std::vector<T> s(members, T(1));
  for (std::size_t i = 0; i < members; ++i) {
    for (std::size_t j = 0; j < members; ++j) {
      if (j != i) s[i] += sums[pair_of(members, i, j)];
    }
  }
  return s;
}

}  // namespace

template <class T>
std::size_t Forde<T>::batch_sums(const ObjectiveRows<T>& rows) const {
  return rows.members() * (rows.members() - 1) / 2;
}

template <class T>
void Forde<T>::add_batch_sums(const ObjectiveRows<T>& rows, T* sums) const {
  KernelRow<T> row(rows);
  const std::size_t members = rows.members();
  std::vector<typename KernelRow<T>::W> all(batch_sums(rows));
  for (std::size_t r = 0; r < rows.rows; ++r) {
    row.set(rows, r);
    for (std::size_t i = 0; i < members; ++i) {
      for (std::size_t j = i + 1; j < members; ++j) {
        all[pair_of(members, i, j)] += typename KernelRow<T>::W(rows.weights[r]) * kernel(row.dot(i, j));
      }
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) sums[i] += T(all[i]);
}

template <class T>
void Forde<T>::evaluate(ObjectiveRows<T>& rows, Terms<T>& terms) const {
  using W = typename KernelRow<T>::W;
  const std::size_t members = rows.members();
  for (std::size_t m = 0; m < members; ++m) terms.fit[m] += member_fit(rows, m);
  const std::vector<T> s = neighbourhoods(members, rows.batch_sums);
  T penalty{};
  for (const T& one : s) penalty += T(0.5) * log_of(one);
  terms.penalty += T(static_cast<double>(rows.rows) / static_cast<double>(rows.batch_rows)) * penalty;
  KernelRow<T> row(rows);
  std::vector<W> sum(row.width());
  for (std::size_t r = 0; r < rows.rows; ++r) {
    row.set(rows, r);
    for (std::size_t i = 0; i < members; ++i) {
      std::fill(sum.begin(), sum.end(), W{});
      for (std::size_t j = 0; j < members; ++j) {
        if (j == i) continue;
        const W dot = row.dot(i, j);
        const W pull = W(0.5) * (W(1) / W(s[i]) + W(1) / W(s[j])) * kernel(dot);
        for (std::size_t d = 0; d < row.width(); ++d) sum[d] += pull * (row.u(j)[d] - dot * row.u(i)[d]);
      }
      const W scale = W(lambda_) * W(rows.weights[r]) / row.length(i);
      for (std::size_t d = 0; d < row.width(); ++d) rows.input_gradients[i](r, d) = T(scale * sum[d]);
    }
  }
}

template class Forde<float>;
template class Forde<double>;
template class Forde<std::complex<double>>;

}  // namespace perpend
