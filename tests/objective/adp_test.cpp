// Compares adaptive diversity promoting with cases by hand; tests/model/gradient_test.cpp checks its gradient.
#include "perpend/objective/adp.h"

#include <gtest/gtest.h>

#include <cmath>

#include "perpend/base/aligned.h"

namespace perpend {
namespace {

// P of one row with label 0, from the members' probabilities.
double adp_of(const std::vector<std::vector<double>>& probabilities) {
  const std::size_t members = probabilities.size();
  const std::size_t classes = probabilities[0].size();
  Stack<double, axis::Row, axis::Score> z(members, 16, classes), d(members, 16, classes);
  const AlignedVector<std::int32_t> labels(16, 0);
  const AlignedVector<double> weights(16, 1.0);
  ObjectiveRows<double> rows;
  rows.rows = rows.batch_rows = rows.labelled = 1;
  rows.labels = labels.data();
  rows.weights = weights.data();
  for (std::size_t m = 0; m < members; ++m) {
    for (std::size_t k = 0; k < classes; ++k) z[m](0, k) = std::log(probabilities[m][k]);
    rows.scores.push_back(z[m].middle_rows(0, 1));
    rows.d_scores.push_back(d[m].middle_rows(0, 1));
  }
  Terms<double> terms{std::vector<double>(members), 0};
  Adp<double>(1).evaluate(rows, terms);
  for (std::size_t m = 0; m < members; ++m) {
    for (std::size_t k = 0; k < classes; ++k) EXPECT_TRUE(std::isfinite(d[m](0, k)));
  }
  return terms.penalty;
}

double entropy(const std::vector<double>& p) {
  double sum = 0;
  for (const double x : p) sum -= x * std::log(x);
  return sum;
}

TEST(Adp, IsTheEntropyOfTheMeanAndTheVolumeOfTheDoubts) {
  // The doubts (0.1, 0.3) and (0.3, 0.1) have the cosine 0.6.
  const double found = adp_of({{0.6, 0.1, 0.3}, {0.6, 0.3, 0.1}});
  const double volume = std::log(std::pow(1 + kAdpEpsilon, 2) - 0.36);
  EXPECT_NEAR(found, -entropy({0.6, 0.2, 0.2}) - kAdpVolume * volume, 1e-9);
}

TEST(Adp, IsLeastWhereEachMemberDoubtsForAnotherClass) {
  const double apart = adp_of({{0.6, 0.39, 0.01}, {0.6, 0.01, 0.39}});
  EXPECT_LT(apart, adp_of({{0.6, 0.3, 0.1}, {0.6, 0.1, 0.3}}));
  EXPECT_LT(adp_of({{0.6, 0.3, 0.1}, {0.6, 0.1, 0.3}}), adp_of({{0.6, 0.2, 0.2}, {0.6, 0.2, 0.2}}));
}

TEST(Adp, DoesNotSeeHowLargeADoubtIs) {
  const double small = adp_of({{0.98, 0.015, 0.005}, {0.98, 0.005, 0.015}}) + entropy({0.98, 0.01, 0.01});
  const double large = adp_of({{0.2, 0.6, 0.2}, {0.2, 0.2, 0.6}}) + entropy({0.2, 0.4, 0.4});
  EXPECT_NEAR(small, large, 1e-9);
}

TEST(Adp, StaysANumberForCopiesForMembersThatAreSureAndForMoreMembersThanClasses) {
  EXPECT_TRUE(std::isfinite(adp_of({{0.5, 0.25, 0.25}, {0.5, 0.25, 0.25}, {0.5, 0.25, 0.25}})));
  EXPECT_TRUE(std::isfinite(adp_of({{1, 1e-40, 1e-41}, {1, 1e-300, 1e-200}})));
  EXPECT_TRUE(std::isfinite(adp_of({{0.6, 0.3, 0.1}, {0.6, 0.1, 0.3}, {0.4, 0.4, 0.2}, {0.3, 0.3, 0.4}})));
}

}  // namespace
}  // namespace perpend
