#include "perpend/objective/dbat.h"

#include <algorithm>
#include <complex>

#include "perpend/base/sum.h"
#include "perpend/kernels/elementwise.h"
#include "perpend/objective/cross_entropy.h"

namespace perpend {

namespace {

// The log-odds of class c against the rest. p becomes the softmax over the rest, with 0 at c.
template <class T>
T against_the_rest(std::size_t classes, const T* z, std::size_t c, std::vector<T>& rest, std::vector<T>& p) {
  rest.assign(round_up(classes, 16), T{});
  p.assign(rest.size(), T{});
  std::copy_n(z, c, rest.data());
  std::copy_n(z + c + 1, classes - c - 1, rest.data() + c);
  const T all = kernels::softmax<T>(classes - 1, rest.data(), p.data());
  std::copy_backward(p.data() + c, p.data() + classes - 1, p.data() + classes);
  p[c] = T{};
  return z[c] - all;
}

// A(s, t) of each row and dA/ds.
template <class T>
class Disagreement {
 public:
  explicit Disagreement(std::size_t rows)
      : rows_(rows), z_(round_up(rows, 16)), value_(z_), first_(z_), loss_(rows), slope_(rows) {}

  void run(const std::vector<T>& s, const std::vector<T>& t) {
    const auto lower = [&](std::size_t r) { return is_above(s[r], t[r]) ? t[r] : s[r]; };
    const auto higher = [&](std::size_t r) { return is_above(s[r], t[r]) ? s[r] : t[r]; };
    const auto add_softplus = [&](const auto& of, double sign) {
      for (std::size_t r = 0; r < rows_; ++r) z_[r] = of(r);
      kernels::activate<T>(Activation::softplus,
                           {.n = rows_, .z = z_.data(), .value = value_.data(), .first = first_.data()});
      for (std::size_t r = 0; r < rows_; ++r) loss_[r] += T(sign) * value_[r];
    };
    std::fill(loss_.begin(), loss_.end(), T{});
    add_softplus([&](std::size_t r) { return -higher(r); }, 1);
    add_softplus(lower, 1);
    add_softplus([&](std::size_t r) { return lower(r) - higher(r); }, -1);
    find_slopes(s, t);
  }
  const std::vector<T>& loss() const { return loss_; }
  const std::vector<T>& slope() const { return slope_; }

 private:
  static bool is_above(const T& a, const T& b) {
    return kernels::reference::real_part(a) > kernels::reference::real_part(b);
  }

  void find_slopes(const std::vector<T>& s, const std::vector<T>& t) {
    const auto is_positive = [&](std::size_t r) { return is_above(s[r], T{}); };
    for (std::size_t r = 0; r < rows_; ++r) z_[r] = is_positive(r) ? t[r] - s[r] : s[r];
    kernels::sigmoid<T>(rows_, z_.data(), value_.data());
    for (std::size_t r = 0; r < rows_; ++r) z_[r] = is_positive(r) ? -s[r] : s[r] - t[r];
    kernels::sigmoid<T>(rows_, z_.data(), first_.data());
    for (std::size_t r = 0; r < rows_; ++r) slope_[r] = value_[r] - first_[r];
  }

  std::size_t rows_;
  std::vector<T> z_, value_, first_;  // with room for whole vectors
  std::vector<T> loss_, slope_;
};

// One member at the rows of a run that have no label.
template <class T>
class Beside {
 public:
  Beside(ObjectiveRows<T>& rows, std::size_t member, std::size_t first_row)
      : rows_(rows),
        scores_(rows.scores[member].middle_rows(rows.labelled, rows.rows - rows.labelled)),
        d_scores_(rows.d_scores[member].middle_rows(rows.labelled, rows.rows - rows.labelled)),
        first_row_(first_row),
        s_(scores_.rows()),
        t_(s_),
        disagreement_(s_.size()) {}

  // Returns the sum over rows of A. Adds scale times its adjoint to d_scores.
  T add(const EarlierAnswers& earlier, double scale) {
    const bool binary = scores_.cols() == 1;
    std::vector<T> rest, p;
    std::vector<std::vector<T>> others(binary ? 0 : s_.size());
    for (std::size_t r = 0; r < s_.size(); ++r) {
      const std::size_t at = rows_.indices[rows_.labelled + r] - first_row_;
      t_[r] = T(earlier.log_odds[at]);
      s_[r] = binary ? scores_.data()[r]
                     : against_the_rest(scores_.cols(), scores_.row(r), class_of(earlier, at), rest, others[r]);
    }
    disagreement_.run(s_, t_);
    for (std::size_t r = 0; r < s_.size(); ++r) {
      const T d = T(scale) * disagreement_.slope()[r];
      if (binary) {
        d_scores_.data()[r] += d;
        continue;
      }
      const std::size_t c = class_of(earlier, rows_.indices[rows_.labelled + r] - first_row_);
      for (std::size_t k = 0; k < scores_.cols(); ++k) d_scores_(r, k) += k == c ? d : -d * others[r][k];
    }
    return ordered_sum(s_.size(), disagreement_.loss().data());
  }

 private:
  static std::size_t class_of(const EarlierAnswers& earlier, std::size_t at) {
    return static_cast<std::size_t>(earlier.classes[at]);
  }

  ObjectiveRows<T>& rows_;
  MatrixView<const T, axis::Row, axis::Score> scores_;
  MatrixView<T, axis::Row, axis::Score> d_scores_;
  std::size_t first_row_;
  std::vector<T> s_, t_;
  Disagreement<T> disagreement_;
};

}  // namespace

EarlierAnswers earlier_answers(MatrixView<const float, axis::Row, axis::Score> scores) {
  EarlierAnswers found;
  std::vector<float> rest, p;
  for (std::size_t r = 0; r < scores.rows(); ++r) {
    const float* z = scores.row(r);
    const bool binary = scores.cols() == 1;
    const auto c = binary ? std::ptrdiff_t{1} : std::max_element(z, z + scores.cols()) - z;
    found.classes.push_back(static_cast<std::int32_t>(c));
    found.log_odds.push_back(binary ? z[0] : against_the_rest(scores.cols(), z, static_cast<std::size_t>(c), rest, p));
  }
  return found;
}

template <class T>
void Dbat<T>::evaluate(ObjectiveRows<T>& rows, Terms<T>& terms) const {
  for (std::size_t m = 0; m < rows.members(); ++m) terms.fit[m] += member_fit(rows, m);
  if (earlier_->empty() || rows.labelled == rows.rows) return;
  const double mean = 1 / (static_cast<double>(rows.batch_unlabeled) * static_cast<double>(earlier_->size()));
  for (std::size_t m = 0; m < rows.members(); ++m) {
    Beside<T> beside(rows, m, first_row_);
    for (const auto& earlier : *earlier_) terms.penalty += T(mean) * beside.add(earlier, lambda_ * mean);
  }
}

template class Dbat<float>;
template class Dbat<double>;
template class Dbat<std::complex<double>>;

}  // namespace perpend
