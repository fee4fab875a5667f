// What figures of studies print: correlations of measures, and where lambda is best.
#include <gtest/gtest.h>

#include <cmath>

#include "paper/correlations.h"
#include "paper/ridge.h"
#include "tests/report/small_study.h"

namespace perpend::paper {
namespace {

TEST(Correlations, ArePearsonsAndThoseOfRanks) {
  const double x[] = {1, 2, 3, 4};
  const double cubes[] = {1, 8, 27, 64};
  EXPECT_DOUBLE_EQ(*spearman(x, cubes), 1);
  // Worked out by hand, for 1, 8, 27, 64 around their mean 25.
  EXPECT_NEAR(*pearson(x, cubes), 104 / std::sqrt(5 * 2390.0), 1e-12);
  const double tied[] = {1, 1, 2, 2};
  EXPECT_NEAR(*spearman(x, tied), 4 / std::sqrt(5 * 4.0), 1e-12);
  const double flat[] = {3, 3, 3, 3};
  EXPECT_FALSE(pearson(x, flat));
  EXPECT_FALSE(pearson(std::span(x, 2), std::span(x, 2)));
}

TEST(Correlations, LeaveOutTrialsWithoutTheMeasureAndTellLitFromTheOthers) {
  StudyView view = test::small_view();
  view.markers = {{0, 0.1, 0.2, 0.3, 0.4}, {0, 0.2, 0.3, 0.4, 0.5}, {0, 0.3, 0.4, {}, 0.6}, {1, 0.9, 0.1, 0.1, 0.1}};
  const auto found = correlations(view);
  ASSERT_EQ(found.size(), 12U);
  EXPECT_EQ(found[0].count, 4U);
  EXPECT_LT(*found[0].pearson, 0);
  EXPECT_EQ(found[1].count, 3U);
  EXPECT_EQ(found[3].trials, "all but LIT");
  EXPECT_NEAR(*found[3].pearson, 1, 1e-12);
  EXPECT_FALSE(found[4].pearson);
  EXPECT_NE(correlation_table(found).find("| all but LIT | Q | 2 | - | - |"), std::string::npos);
}

// AUC is highest where lambda M^2 = 1, so the ridge has slope -2.
TEST(Ridge, IsTheLineThroughTheBestLambdas) {
  StudyView view = test::small_view();
  view.cells.clear();
  view.members = {1, 10, 100};
  for (const int members : view.members) {
    for (const double lambda : {1e-4, 1e-3, 1e-2, 1e-1, 1.0}) {
      view.cells.push_back(
          test::cell(1, members, lambda, 0.9 - 0.05 * std::abs(std::log10(lambda * members * members))));
    }
  }
  const auto found = ridges(view);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].slope, -2, 1e-9);
  EXPECT_NEAR(found[0].intercept, 0, 1e-9);
  EXPECT_NEAR(*found[0].correlation, -1, 1e-9);
  EXPECT_EQ(found[0].points[0].as_good, 1U);
}

TEST(Ridge, NeedsThreeSizes) { EXPECT_TRUE(ridges(test::small_view()).empty()); }

}  // namespace
}  // namespace perpend::paper
