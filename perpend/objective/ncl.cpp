#include "perpend/objective/ncl.h"

#include <complex>

#include "perpend/base/sum.h"
#include "perpend/kernels/elementwise.h"

namespace perpend {

namespace {

// 0 for a number, NaN for infinity and NaN. Probabilities are bounded, so only this shows that a score has run away.
template <class T>
T zero_if_finite(const T& x) {
  return x - x;
}

// Two classes: 1/2 |p - y|^2 = e^2, with e the probability of the wrong class, and 1/2 |p - p_mean|^2 = (e - e_mean)^2.
// With t the log-odds of being wrong and q = sigmoid(-|t|), e is q or 1 - q, and e (1 - e) = q (1 - q). Both keep their
// relative precision however sure the member is.
template <class T>
class BinaryNcl {
 public:
  BinaryNcl(ObjectiveRows<T>& rows, double lambda)
      : rows_(rows), n_(rows.rows), padded_(round_up(n_, 16)), lambda_(T(lambda)), wrong_(rows.members() * padded_) {}

  void add_to(Terms<T>& terms) {
    std::vector<T> mean(n_);
    for (std::size_t m = 0; m < rows_.members(); ++m) find_wrong(m, mean);
    for (T& sum : mean) sum /= T(static_cast<double>(rows_.members()));
    std::vector<T> spread(n_);
    for (std::size_t m = 0; m < rows_.members(); ++m) terms.fit[m] += adjoint(m, mean, spread);
    terms.penalty -= ordered_sum(n_, spread.data());
  }

 private:
  T against(std::size_t r) const { return T(static_cast<double>(1 - 2 * rows_.labels[r])); }

  // Writes e to wrong_ and e (1 - e) to d_scores. Adds e to `sum`, the sum over members.
  void find_wrong(std::size_t m, std::vector<T>& sum) {
    const T* s = rows_.scores[m].data();
    T* d = rows_.d_scores[m].data();
    T* wrong = wrong_.data() + m * padded_;
    for (std::size_t r = 0; r < n_; ++r) d[r] = kernels::reference::real_part(s[r]) > 0 ? -s[r] : s[r];
    kernels::sigmoid<T>(n_, d, wrong);
    for (std::size_t r = 0; r < n_; ++r) {
      const T q = wrong[r];
      d[r] = q * (T(1) - q);
      const bool errs = kernels::reference::real_part(against(r) * s[r]) > 0;
      wrong[r] = (errs ? T(1) - q : q) + zero_if_finite(s[r]);
      sum[r] += wrong[r];
    }
  }

  // Finishes d_scores, adds to `spread`, and returns the fit.
  T adjoint(std::size_t m, const std::vector<T>& mean, std::vector<T>& spread) {
    const T* wrong = wrong_.data() + m * padded_;
    T* d = rows_.d_scores[m].data();
    std::vector<T> loss(n_);
    const T batch(static_cast<double>(rows_.batch_rows));
    for (std::size_t r = 0; r < n_; ++r) {
      const T row = batch * rows_.weights[r];
      const T apart = wrong[r] - mean[r];
      loss[r] = row * wrong[r] * wrong[r];
      spread[r] += row * apart * apart;
      d[r] *= T(2) * row * against(r) * (wrong[r] - lambda_ * apart);
    }
    return ordered_sum(n_, loss.data());
  }

  ObjectiveRows<T>& rows_;
  std::size_t n_, padded_;
  T lambda_;
  std::vector<T> wrong_;  // (members, padded rows)
};

// K classes: with g = d L / d p, the adjoint of the logits is p (g - <p, g>).
template <class T>
class MultiClassNcl {
 public:
  MultiClassNcl(ObjectiveRows<T>& rows, double lambda)
      : rows_(rows),
        classes_(rows.scores[0].cols()),
        padded_(round_up(classes_, 16)),
        lambda_(T(lambda)),
        p_(rows.members() * padded_) {}

  void add_to(Terms<T>& terms) {
    std::vector<T> loss(rows_.members() * rows_.rows);
    std::vector<T> spread(rows_.rows);
    for (std::size_t r = 0; r < rows_.rows; ++r) {
      const std::vector<T> mean = probabilities(r);
      for (std::size_t m = 0; m < rows_.members(); ++m) {
        loss[m * rows_.rows + r] += adjoint(m, r, mean, spread[r]);
      }
    }
    for (std::size_t m = 0; m < rows_.members(); ++m) {
      terms.fit[m] += ordered_sum(rows_.rows, loss.data() + m * rows_.rows);
    }
    terms.penalty -= ordered_sum(rows_.rows, spread.data());
  }

 private:
  std::vector<T> probabilities(std::size_t r) {
    std::vector<T> mean(classes_);
    for (std::size_t m = 0; m < rows_.members(); ++m) {
      T* p = p_.data() + m * padded_;
      const T* z = rows_.scores[m].row(r);
      kernels::softmax<T>(classes_, z, p);
      for (std::size_t k = 0; k < classes_; ++k) {
        p[k] += zero_if_finite(z[k]);
        mean[k] += p[k];
      }
    }
    for (T& sum : mean) sum /= T(static_cast<double>(rows_.members()));
    return mean;
  }

  // Fills d_scores, adds to `spread`, and returns this row's fit.
  T adjoint(std::size_t m, std::size_t r, const std::vector<T>& mean, T& spread) {
    const T* p = p_.data() + m * padded_;
    T* d = rows_.d_scores[m].row(r);
    const T row = T(static_cast<double>(rows_.batch_rows)) * rows_.weights[r];
    T squares{};
    T along{};
    for (std::size_t k = 0; k < classes_; ++k) {
      const T miss = p[k] - T(k == static_cast<std::size_t>(rows_.labels[r]) ? 1 : 0);
      const T apart = p[k] - mean[k];
      squares += miss * miss;
      spread += T(0.5) * row * apart * apart;
      d[k] = miss - lambda_ * apart;
      along += p[k] * d[k];
    }
    for (std::size_t k = 0; k < classes_; ++k) d[k] = row * p[k] * (d[k] - along);
    return T(0.5) * row * squares;
  }

  ObjectiveRows<T>& rows_;
  std::size_t classes_, padded_;
  T lambda_;
  std::vector<T> p_;  // (members, padded classes), of one row
};

// A regression. The header has its form.
template <class T>
void add_regression(ObjectiveRows<T>& rows, const T& lambda, Terms<T>& terms) {
  const T batch(static_cast<double>(rows.batch_rows));
  const T members(static_cast<double>(rows.members()));
  std::vector<T> loss(rows.members() * rows.rows), spread(rows.rows);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const T row = batch * rows.weights[r];
    T mean{};
    for (const auto& scores : rows.scores) mean += scores.data()[r];
    mean /= members;
    for (std::size_t m = 0; m < rows.members(); ++m) {
      const T error = rows.scores[m].data()[r] - rows.targets[r];
      const T apart = rows.scores[m].data()[r] - mean;
      loss[m * rows.rows + r] = T(0.5) * row * error * error;
      spread[r] += T(0.5) * row * apart * apart;
      rows.d_scores[m].data()[r] = row * (error - lambda * apart);
    }
  }
  for (std::size_t m = 0; m < rows.members(); ++m) {
    terms.fit[m] += ordered_sum(rows.rows, loss.data() + m * rows.rows);
  }
  terms.penalty -= ordered_sum(rows.rows, spread.data());
}

}  // namespace

template <class T>
void Ncl<T>::evaluate(ObjectiveRows<T>& rows, Terms<T>& terms) const {
  if (rows.targets != nullptr) {
    add_regression(rows, T(lambda_), terms);
    return;
  }
  if (rows.scores[0].cols() == 1) {
    BinaryNcl<T>(rows, lambda_).add_to(terms);
  } else {
    MultiClassNcl<T>(rows, lambda_).add_to(terms);
  }
}

template class Ncl<float>;
template class Ncl<double>;
template class Ncl<std::complex<double>>;

}  // namespace perpend
