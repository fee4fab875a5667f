#include "perpend/objective/divdis.h"

#include <algorithm>
#include <complex>
#include <limits>
#include <numeric>

#include "perpend/kernels/elementwise.h"
#include "perpend/objective/cross_entropy.h"
#include "perpend/objective/log_exp.h"

namespace perpend {

namespace {

// NaN stays NaN, so that a diverged training is seen.
template <class T>
T log_of_share(const T& share) {
  constexpr double kSmallest = std::numeric_limits<float>::min();
  return log_of(kernels::reference::real_part(share) < kSmallest ? T(kSmallest) : share);
}

// Where the sums are: M K of A, then for each pair i < j in order K K of J.
struct Places {
  std::size_t members, classes;

  template <class T>
  explicit Places(const ObjectiveRows<T>& rows)
      : members(rows.members()), classes(rows.scores[0].cols() == 1 ? 2 : rows.scores[0].cols()) {}

  std::size_t marginal(std::size_t i) const { return i * classes; }
  std::size_t joint(std::size_t pair) const { return (members + pair * classes) * classes; }
  std::size_t count() const { return joint(members * (members - 1) / 2); }

  // use(pair, i, j)
  template <class Use>
  void for_each_pair(const Use& use) const {
    std::size_t pair = 0;
    for (std::size_t i = 0; i < members; ++i) {
      for (std::size_t j = i + 1; j < members; ++j) use(pair++, i, j);
    }
  }
};

// The members' probabilities at the rows without labels. Each row has M K numbers.
template <class T>
class Answers {
 public:
  explicit Answers(const ObjectiveRows<T>& rows)
      : places_(rows), rows_(rows.rows - rows.labelled), p_(rows_ * places_.members * places_.classes) {
    for (std::size_t m = 0; m < places_.members; ++m) {
      const auto scores = rows.scores[m].middle_rows(rows.labelled, rows_);
      if (scores.cols() == 1) {
        add_binary(m, scores.data());
      } else {
        std::vector<T> own(round_up(places_.classes, 16));
        for (std::size_t r = 0; r < rows_; ++r) {
          kernels::softmax<T>(places_.classes, scores.row(r), own.data());
          std::copy_n(own.data(), places_.classes, of(r, m));
        }
      }
    }
  }

  std::size_t rows() const { return rows_; }
  T* of(std::size_t row, std::size_t member) { return p_.data() + (row * places_.members + member) * places_.classes; }

 private:
  // Both probabilities keep their relative precision in this way.
  void add_binary(std::size_t m, const T* scores) {
    const std::size_t padded = round_up(rows_, 16);
    std::vector<T> s(padded), zero(padded), one(padded);
    std::copy_n(scores, rows_, s.data());
    kernels::sigmoid<T>(rows_, s.data(), one.data());
    for (T& x : s) x = -x;
    kernels::sigmoid<T>(rows_, s.data(), zero.data());
    for (std::size_t r = 0; r < rows_; ++r) {
      of(r, m)[0] = zero[r];
      of(r, m)[1] = one[r];
    }
  }

  Places places_;
  std::size_t rows_;
  std::vector<T> p_;
};

template <class T>
void add_sums(const ObjectiveRows<T>& rows, T* sums) {
  const Places places(rows);
  Answers<T> answers(rows);
  for (std::size_t r = 0; r < answers.rows(); ++r) {
    for (std::size_t i = 0; i < places.members * places.classes; ++i) sums[i] += answers.of(r, 0)[i];
    places.for_each_pair([&](std::size_t pair, std::size_t i, std::size_t j) {
      T* joint = sums + places.joint(pair);
      for (std::size_t k = 0; k < places.classes; ++k) {
        for (std::size_t l = 0; l < places.classes; ++l) {
          joint[k * places.classes + l] += answers.of(r, i)[k] * answers.of(r, j)[l];
        }
      }
    });
  }
}

template <class T>
class Independence {
 public:
  Independence(ObjectiveRows<T>& rows, const std::vector<double>& class_shares)
      : rows_(rows),
        places_(rows),
        unlabeled_(static_cast<double>(rows.batch_unlabeled)),
        per_pair_(2 / static_cast<double>(places_.members - 1)),
        logs_(places_.count()) {
    T mutual{};
    T marginal{};
    const double all = std::accumulate(class_shares.begin(), class_shares.end(), 0.0);
    for (std::size_t i = 0; i < places_.members; ++i) {
      for (std::size_t k = 0; k < places_.classes; ++k) {
        const T share = mean(places_.marginal(i) + k);
        T& log = logs_[places_.marginal(i) + k];
        log = log_of_share(share) - log_of_share(T(class_shares[k] / all));
        marginal += share * log;
      }
    }
    places_.for_each_pair([&](std::size_t pair, std::size_t i, std::size_t j) {
      for (std::size_t k = 0; k < places_.classes; ++k) {
        for (std::size_t l = 0; l < places_.classes; ++l) {
          const std::size_t at = places_.joint(pair) + k * places_.classes + l;
          logs_[at] = log_of_share(mean(at)) - log_of_share(mean(places_.marginal(i) + k)) -
                      log_of_share(mean(places_.marginal(j) + l));
          mutual += mean(at) * logs_[at];
        }
      }
    });
    penalty_ = T(per_pair_) * mutual + marginal;
  }

  // P of the whole batch.
  const T& penalty() const { return penalty_; }

  // Sets d_scores of the rows without labels to scale times the adjoint.
  void write_adjoints(double scale) {
    Answers<T> answers(rows_);
    const std::size_t classes = places_.classes;
    std::vector<T> g(places_.members * classes);
    for (std::size_t r = 0; r < answers.rows(); ++r) {
      std::copy_n(logs_.data(), g.size(), g.data());
      places_.for_each_pair([&](std::size_t pair, std::size_t i, std::size_t j) {
        const T* log = logs_.data() + places_.joint(pair);
        for (std::size_t k = 0; k < classes; ++k) {
          for (std::size_t l = 0; l < classes; ++l) {
            g[i * classes + k] += T(per_pair_) * answers.of(r, j)[l] * log[k * classes + l];
            g[j * classes + l] += T(per_pair_) * answers.of(r, i)[k] * log[k * classes + l];
          }
        }
      });
      for (std::size_t m = 0; m < places_.members; ++m) {
        write(m, r, answers.of(r, m), g.data() + m * classes, T(scale / unlabeled_));
      }
    }
  }

 private:
  T mean(std::size_t at) const { return rows_.batch_sums[at] / T(unlabeled_); }

  void write(std::size_t m, std::size_t r, const T* p, const T* g, const T& scale) {
    T* d = rows_.d_scores[m].row(rows_.labelled + r);
    if (rows_.d_scores[m].cols() == 1) {
      d[0] = scale * p[0] * p[1] * (g[1] - g[0]);
      return;
    }
    T along{};
    for (std::size_t k = 0; k < places_.classes; ++k) along += p[k] * g[k];
    for (std::size_t k = 0; k < places_.classes; ++k) d[k] = scale * p[k] * (g[k] - along);
  }

  ObjectiveRows<T>& rows_;
  Places places_;
  double unlabeled_;
  double per_pair_;
  std::vector<T> logs_;  // laid out as the sums: log(A / pi), then L
  T penalty_{};
};

}  // namespace

template <class T>
DivDis<T>::DivDis(double lambda, std::vector<double> class_shares)
    : lambda_(lambda), class_shares_(std::move(class_shares)) {}

// One member has no other to be independent of.
template <class T>
std::size_t DivDis<T>::batch_sums(const ObjectiveRows<T>& rows) const {
  return rows.members() < 2 || rows.batch_unlabeled == 0 ? 0 : Places(rows).count();
}

template <class T>
void DivDis<T>::add_batch_sums(const ObjectiveRows<T>& rows, T* sums) const {
  add_sums(rows, sums);
}

template <class T>
void DivDis<T>::evaluate(ObjectiveRows<T>& rows, Terms<T>& terms) const {
  for (std::size_t m = 0; m < rows.members(); ++m) terms.fit[m] += member_fit(rows, m);
  const std::size_t unlabeled = rows.rows - rows.labelled;
  if (rows.batch_sums == nullptr || unlabeled == 0) return;
  Independence<T> independence(rows, class_shares_);
  const double share = static_cast<double>(unlabeled) / static_cast<double>(rows.batch_unlabeled);
  terms.penalty += T(share) * independence.penalty();
  independence.write_adjoints(lambda_);
}

template class DivDis<float>;
template class DivDis<double>;
template class DivDis<std::complex<double>>;

}  // namespace perpend
