// Compares NCL and ACE with their definitions, written out over pairs and classes; and tests extreme scores.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <random>

#include "perpend/base/aligned.h"
#include "perpend/objective/ace.h"
#include "perpend/objective/cross_entropy.h"
#include "perpend/objective/ncl.h"

namespace perpend {
namespace {

// Scores of all members on a batch, and room for what an objective returns.
template <class T>
struct Case {
  Case(std::size_t members_, std::size_t rows_, std::size_t classes_, double scale = 2)
      : classes(classes_),
        scores(members_, round_up(rows_, 64), classes_ == 2 ? 1 : classes_),
        d_scores(scores),
        labels(round_up(rows_, 64), 0),
        weights(round_up(rows_, 64), T(0)) {
    std::mt19937_64 random(members_ + 10 * rows_ + 100 * classes_);
    std::normal_distribution<double> normal(0, scale);
    for (std::size_t m = 0; m < members_; ++m) {
      for (std::size_t r = 0; r < rows_; ++r) {
        for (std::size_t k = 0; k < scores[m].cols(); ++k) scores[m](r, k) = static_cast<T>(normal(random));
      }
    }
    for (std::size_t r = 0; r < rows_; ++r) labels[r] = static_cast<std::int32_t>(random() % classes_);
    std::fill_n(weights.begin(), rows_, T(1) / static_cast<T>(rows_));
    rows = rows_;
  }

  Terms<T> evaluate(const Objective<T>& objective, std::size_t first, std::size_t count) {
    ObjectiveRows<T> run;
    run.rows = count;
    run.batch_rows = rows;
    run.labels = labels.data() + first;
    run.weights = weights.data() + first;
    for (std::size_t m = 0; m < scores.members(); ++m) {
      run.scores.push_back(scores[m].middle_rows(first, count));
      run.d_scores.push_back(d_scores[m].middle_rows(first, count));
    }
    Terms<T> terms{std::vector<T>(scores.members(), T(0)), T(0)};
    objective.evaluate(run, terms);
    return terms;
  }
  Terms<T> evaluate(const Objective<T>& objective) { return evaluate(objective, 0, rows); }

  std::vector<double> log_probabilities(std::size_t m, std::size_t r) {
    std::vector<double> z = {0, 0};
    if (classes == 2) {
      z[1] = scores[m](r, 0);
    } else {
      z.assign(scores[m].row(r), scores[m].row(r) + classes);
    }
    double sum = 0;
    for (const double x : z) sum += std::exp(x);
    for (double& x : z) x -= std::log(sum);
    return z;
  }

  std::size_t rows = 0, classes;
  Stack<T, axis::Row, axis::Score> scores, d_scores;
  AlignedVector<std::int32_t> labels;
  AlignedVector<T> weights;
};

struct Written {
  std::vector<double> fit;
  double penalty = 0;
};

Written ncl_written_out(Case<double>& c) {
  const std::size_t members = c.scores.members();
  Written out{std::vector<double>(members, 0.0)};
  for (std::size_t r = 0; r < c.rows; ++r) {
    const double row = static_cast<double>(c.rows) * c.weights[r];
    for (std::size_t m = 0; m < members; ++m) {
      const auto log_p = c.log_probabilities(m, r);
      for (std::size_t k = 0; k < c.classes; ++k) {
        double mean = 0;
        for (std::size_t j = 0; j < members; ++j) mean += std::exp(c.log_probabilities(j, r)[k]);
        mean /= static_cast<double>(members);
        const double y = static_cast<std::size_t>(c.labels[r]) == k ? 1 : 0;
        out.fit[m] += row * 0.5 * std::pow(std::exp(log_p[k]) - y, 2);
        out.penalty -= row * 0.5 * std::pow(std::exp(log_p[k]) - mean, 2);
      }
    }
  }
  return out;
}

Written ace_written_out(Case<double>& c) {
  const std::size_t members = c.scores.members();
  Written out{std::vector<double>(members, 0.0)};
  const double pairs = static_cast<double>(members * (members - 1)) / 2;
  for (std::size_t r = 0; r < c.rows; ++r) {
    for (std::size_t i = 0; i < members; ++i) {
      const auto log_p = c.log_probabilities(i, r);
      out.fit[i] -= c.weights[r] * log_p[static_cast<std::size_t>(c.labels[r])];
      for (std::size_t j = 0; j < members; ++j) {
        for (std::size_t k = 0; j != i && k < c.classes; ++k) {
          out.penalty += c.weights[r] * std::exp(c.log_probabilities(j, r)[k]) * log_p[k] / pairs;
        }
      }
    }
  }
  return out;
}

template <template <class> class Which>
Written written_out(Case<double>& c) {
  if constexpr (std::is_same_v<Which<double>, Ncl<double>>) {
    return ncl_written_out(c);
  } else {
    return ace_written_out(c);
  }
}

template <template <class> class Which>
void expect_as_written_out() {
  for (const std::size_t members : {1, 2, 5}) {
    for (const std::size_t classes : {2, 3, 20}) {
      for (const bool weighted : {false, true}) {
        SCOPED_TRACE(std::to_string(members) + " members, " + std::to_string(classes) + " classes");
        Case<double> exact(members, 21, classes);
        for (std::size_t r = 0; weighted && r < 21; ++r) exact.weights[r] = static_cast<double>(r) / 210;
        Case<float> single(members, 21, classes);
        for (std::size_t r = 0; r < 21; ++r) single.weights[r] = static_cast<float>(exact.weights[r]);
        const Written expected = written_out<Which>(exact);
        const auto terms = exact.evaluate(Which<double>(0.3));
        const auto in_float = single.evaluate(Which<float>(0.3));
        for (std::size_t m = 0; m < members; ++m) {
          EXPECT_NEAR(terms.fit[m], expected.fit[m], 1e-12 * expected.fit[m]);
          EXPECT_NEAR(in_float.fit[m], expected.fit[m], 1e-6 * expected.fit[m]);
          for (std::size_t r = 0; r < 21; ++r) {
            for (std::size_t k = 0; k < exact.scores[m].cols(); ++k) {
              EXPECT_NEAR(single.d_scores[m](r, k), exact.d_scores[m](r, k), 1e-6) << m << ' ' << r << ' ' << k;
            }
          }
        }
        if (members == 1) {
          EXPECT_EQ(terms.penalty, 0);
        }
        EXPECT_NEAR(terms.penalty, expected.penalty, 1e-12 * std::abs(expected.penalty));
        EXPECT_NEAR(in_float.penalty, expected.penalty, 1e-6 * std::abs(expected.penalty));
      }
    }
  }
}

TEST(Ncl, IsItsDefinition) { expect_as_written_out<Ncl>(); }
TEST(Ace, IsItsDefinition) { expect_as_written_out<Ace>(); }

// At lambda 1 members share the squared error of their mean: L = M sum over rows of 1/2 |p_mean - y|^2.
TEST(Ncl, AtLambdaOneFitsTheMeanAlone) {
  Case<double> c(4, 30, 2);
  const auto terms = c.evaluate(Ncl<double>(1));
  double expected = 0;
  for (std::size_t r = 0; r < c.rows; ++r) {
    double mean = 0;
    for (std::size_t m = 0; m < 4; ++m) mean += std::exp(c.log_probabilities(m, r)[1]) / 4;
    expected += 4 * std::pow(mean - c.labels[r], 2);
  }
  const double fit = terms.fit[0] + terms.fit[1] + terms.fit[2] + terms.fit[3];
  EXPECT_NEAR(fit + terms.penalty, expected, 1e-12 * expected);
}

std::vector<std::unique_ptr<Objective<float>>> float_objectives(double lambda) {
  std::vector<std::unique_ptr<Objective<float>>> all;
  all.push_back(std::make_unique<Ncl<float>>(lambda));
  all.push_back(std::make_unique<Ace<float>>(lambda));
  return all;
}

TEST(Runs, OfABatchAddUpToTheWhole) {
  for (const auto& objective : float_objectives(0.3)) {
    for (const std::size_t classes : {2, 3}) {
      Case<float> c(3, 50, classes);
      const auto whole = c.evaluate(*objective);
      const auto a = c.evaluate(*objective, 0, 32);
      const auto b = c.evaluate(*objective, 32, 18);
      EXPECT_NEAR(a.penalty + b.penalty, whole.penalty, 1e-6 * std::abs(whole.penalty));
      for (std::size_t m = 0; m < 3; ++m) EXPECT_NEAR(a.fit[m] + b.fit[m], whole.fit[m], 1e-6 * whole.fit[m]);
    }
  }
}

TEST(HugeScores, GiveFiniteTermsAndAdjoints) {
  for (const auto& objective : float_objectives(10)) {
    for (const std::size_t classes : {2, 3}) {
      for (const double scale : {50.0, 1e4, 1e15, 1e30}) {
        Case<float> c(5, 40, classes, scale);
        const auto terms = c.evaluate(*objective);
        EXPECT_TRUE(std::isfinite(terms.penalty)) << classes << ' ' << scale;
        for (std::size_t m = 0; m < 5; ++m) {
          EXPECT_TRUE(std::isfinite(terms.fit[m]));
          for (std::size_t r = 0; r < 40; ++r) {
            for (std::size_t k = 0; k < c.scores[m].cols(); ++k) ASSERT_TRUE(std::isfinite(c.d_scores[m](r, k)));
          }
        }
      }
    }
  }
}

// If all members are sure of one answer, what is left of the terms is small. It must not be rounding noise.
TEST(SureMembers, KeepTheRelativePrecisionOfTheirAdjoints) {
  for (const double right : {-1.0, 1.0}) {
    for (const double sure : {10.0, 25.0, 35.0}) {
      Case<float> single(3, 20, 2);
      Case<double> exact(3, 20, 2);
      for (std::size_t m = 0; m < 3; ++m) {
        for (std::size_t r = 0; r < 20; ++r) {
          const double side = right * (2 * exact.labels[r] - 1);
          single.scores[m](r, 0) = static_cast<float>(side * (sure + 0.1 * static_cast<double>(m * r)));
          exact.scores[m](r, 0) = single.scores[m](r, 0);
        }
      }
      const auto compare = [&](const Objective<float>& ours, const Objective<double>& theirs) {
        single.evaluate(ours);
        exact.evaluate(theirs);
        for (std::size_t m = 0; m < 3; ++m) {
          for (std::size_t r = 0; r < 20; ++r) {
            EXPECT_NEAR(single.d_scores[m](r, 0), exact.d_scores[m](r, 0), 1e-5 * std::abs(exact.d_scores[m](r, 0)))
                << right << ' ' << sure << ' ' << m << ' ' << r;
          }
        }
      };
      compare(Ncl<float>(0.3), Ncl<double>(0.3));
      compare(Ace<float>(0.02), Ace<double>(0.02));
    }
  }
}

TEST(NoNumbers, AreSeenInTheTerms) {
  for (const auto& objective : float_objectives(0.3)) {
    for (const std::size_t classes : {2, 3}) {
      for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                              -std::numeric_limits<float>::infinity()}) {
        Case<float> c(3, 20, classes);
        c.scores[1](7, 0) = bad;
        const auto terms = c.evaluate(*objective);
        EXPECT_FALSE(std::isfinite(terms.fit[1]) && std::isfinite(terms.penalty)) << classes << ' ' << bad;
      }
    }
  }
}

// A mean over the batch must be the same for a row of weight 2 as for two equal rows. NCL's sum over the batch must be
// that of 20 rows instead of 21.
void expect_counted_twice(const Objective<float>& objective, double ratio) {
  for (const std::size_t classes : {2, 3}) {
    Case<float> twice(3, 21, classes);
    Case<float> weighted(3, 20, classes);
    twice.labels[20] = twice.labels[4];
    for (std::size_t m = 0; m < 3; ++m) {
      for (std::size_t k = 0; k < twice.scores[m].cols(); ++k) {
        for (std::size_t r = 0; r < 20; ++r) weighted.scores[m](r, k) = twice.scores[m](r, k);
        twice.scores[m](20, k) = twice.scores[m](4, k);
      }
    }
    std::copy_n(twice.labels.begin(), 20, weighted.labels.begin());
    std::fill_n(weighted.weights.begin(), 20, 1.0F / 21);
    weighted.weights[4] = 2.0F / 21;
    const auto a = twice.evaluate(objective);
    const auto b = weighted.evaluate(objective);
    EXPECT_NEAR(b.penalty / a.penalty, ratio, 1e-5);
    for (std::size_t m = 0; m < 3; ++m) EXPECT_NEAR(b.fit[m] / a.fit[m], ratio, 1e-5);
  }
}

TEST(RowWeights, OfTwoCountTheRowTwice) {
  expect_counted_twice(Ncl<float>(0.3), 20.0 / 21);
  expect_counted_twice(Ace<float>(0.3), 1);
}

}  // namespace
}  // namespace perpend
