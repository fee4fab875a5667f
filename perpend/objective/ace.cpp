#include "perpend/objective/ace.h"

#include <complex>

#include "perpend/base/sum.h"
#include "perpend/kernels/elementwise.h"
#include "perpend/objective/cross_entropy.h"

namespace perpend {

namespace {

// Both classes below return the sum over rows of weight * (sum over ordered pairs of CE(p_j, z_i)) and add `scale`
// times its adjoint to d_scores.

// Two classes. q = sigmoid(-|s|) is the probability that a member gives to the class it denies, and others_i is the sum
// of what the other members give to that class. Then the pairs of member i are (M - 1) log(1 + e^-|s_i|) + |s_i|
// others_i. Nothing cancels, whereas log(1 + e^s) - p s would lose all digits once members are sure.
template <class T>
class BinaryAce {
 public:
  BinaryAce(ObjectiveRows<T>& rows, double scale)
      : rows_(rows),
        n_(rows.rows),
        padded_(round_up(n_, 16)),
        scale_(T(scale)),
        others_(T(static_cast<double>(rows.members() - 1))),
        doubt_(rows.members() * padded_),
        log1p_(rows.members() * padded_),
        for_one_(n_),
        for_zero_(n_),
        scores_(n_) {}

  T run() {
    for (std::size_t m = 0; m < rows_.members(); ++m) gather(m);
    std::vector<T> pairs(n_);
    for (std::size_t m = 0; m < rows_.members(); ++m) adjoint(m, pairs);
    return ordered_sum(n_, pairs.data());
  }

 private:
  static bool says_one(const T& s) { return kernels::reference::real_part(s) > 0; }

  // Sums over members of the probabilities of either class and of the scores.
  void gather(std::size_t m) {
    const T* s = rows_.scores[m].data();
    T* q = doubt_.data() + m * padded_;
    T* log1p = log1p_.data() + m * padded_;
    for (std::size_t r = 0; r < n_; ++r) log1p[r] = says_one(s[r]) ? -s[r] : s[r];
    kernels::activate<T>(Activation::softplus, {.n = n_, .z = log1p, .value = log1p, .first = q});
    for (std::size_t r = 0; r < n_; ++r) {
      const T sure = T(1) - q[r];
      for_one_[r] += says_one(s[r]) ? sure : q[r];
      for_zero_[r] += says_one(s[r]) ? q[r] : sure;
      scores_[r] += s[r];
    }
  }

  void adjoint(std::size_t m, std::vector<T>& pairs) {
    const T* s = rows_.scores[m].data();
    const T* doubt = doubt_.data() + m * padded_;
    const T* log1p = log1p_.data() + m * padded_;
    T* d = rows_.d_scores[m].data();
    for (std::size_t r = 0; r < n_; ++r) {
      const T q = doubt[r];
      const T sign(says_one(s[r]) ? 1 : -1);
      const T others = (says_one(s[r]) ? for_zero_[r] : for_one_[r]) - q;
      pairs[r] += rows_.weights[r] * (others_ * log1p[r] + sign * s[r] * others);
      const T as_logits = sign * (others - others_ * q);
      const T as_label = q * (T(1) - q) * (s[r] - scores_[r]);
      d[r] += scale_ * rows_.weights[r] * (as_logits + as_label);
    }
  }

  ObjectiveRows<T>& rows_;
  std::size_t n_, padded_;
  T scale_, others_;
  std::vector<T> doubt_, log1p_;                // (members, padded rows)
  std::vector<T> for_one_, for_zero_, scores_;  // sums over members
};

// K classes, with a = -log softmax(z): CE(p_j, z_i) = <p_j, a_i>, a sum of terms of one sign.
template <class T>
class MultiClassAce {
 public:
  MultiClassAce(ObjectiveRows<T>& rows, double scale)
      : rows_(rows),
        classes_(rows.scores[0].cols()),
        padded_(round_up(classes_, 16)),
        scale_(T(scale)),
        p_(rows.members() * padded_),
        a_(rows.members() * padded_),
        p_sum_(classes_),
        a_sum_(classes_) {}

  T run() {
    std::vector<T> pairs(rows_.rows);
    for (std::size_t r = 0; r < rows_.rows; ++r) {
      gather(r);
      for (std::size_t m = 0; m < rows_.members(); ++m) pairs[r] += rows_.weights[r] * adjoint(m, r);
    }
    return ordered_sum(rows_.rows, pairs.data());
  }

 private:
  void gather(std::size_t r) {
    std::fill(p_sum_.begin(), p_sum_.end(), T{});
    std::fill(a_sum_.begin(), a_sum_.end(), T{});
    for (std::size_t m = 0; m < rows_.members(); ++m) {
      const T* z = rows_.scores[m].row(r);
      T* p = p_.data() + m * padded_;
      T* a = a_.data() + m * padded_;
      const T log_sum = kernels::softmax<T>(classes_, z, p);
      for (std::size_t k = 0; k < classes_; ++k) {
        a[k] = log_sum - z[k];
        p_sum_[k] += p[k];
        a_sum_[k] += a[k];
      }
    }
  }

  // Returns the sum of the pairs in which this member's logits are compared with others' probabilities.
  T adjoint(std::size_t m, std::size_t r) {
    const T* p = p_.data() + m * padded_;
    const T* a = a_.data() + m * padded_;
    T* d = rows_.d_scores[m].row(r);
    const T others(static_cast<double>(rows_.members() - 1));
    T pairs{};
    T along{};
    for (std::size_t k = 0; k < classes_; ++k) {
      pairs += (p_sum_[k] - p[k]) * a[k];
      along += p[k] * (a_sum_[k] - a[k]);
    }
    for (std::size_t k = 0; k < classes_; ++k) {
      const T as_logits = others * p[k] - (p_sum_[k] - p[k]);
      const T as_label = p[k] * ((a_sum_[k] - a[k]) - along);
      d[k] += scale_ * rows_.weights[r] * (as_logits + as_label);
    }
    return pairs;
  }

  ObjectiveRows<T>& rows_;
  std::size_t classes_, padded_;
  T scale_;
  std::vector<T> p_, a_;  // (members, padded classes), of one row
  std::vector<T> p_sum_, a_sum_;
};

}  // namespace

template <class T>
void Ace<T>::evaluate(ObjectiveRows<T>& rows, Terms<T>& terms) const {
  for (std::size_t m = 0; m < rows.members(); ++m) terms.fit[m] += cross_entropy(rows, m);
  if (rows.members() == 1) return;
  const auto members = static_cast<double>(rows.members());
  const double per_pair = -2 / (members * (members - 1));
  const double scale = lambda_ * per_pair;
  const T pairs = rows.scores[0].cols() == 1 ? BinaryAce<T>(rows, scale).run() : MultiClassAce<T>(rows, scale).run();
  terms.penalty += T(per_pair) * pairs;
}

template class Ace<float>;
template class Ace<double>;
template class Ace<std::complex<double>>;

}  // namespace perpend
