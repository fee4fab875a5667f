#include "perpend/evaluate/metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "perpend/base/error.h"

namespace perpend {
namespace {

using Values = std::vector<double>;
using Classes = std::vector<std::int32_t>;
using ClassTable = Matrix<double, axis::Row, axis::Out>;

ClassTable table(const std::vector<Values>& rows) {
  ClassTable result(rows.size(), rows[0].size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t k = 0; k < rows[r].size(); ++k) result(r, k) = rows[r][k];
  }
  return result;
}

TEST(Auc, CountsOrderedPairsAndHalfOfTies) {
  // Positives .8 .4, negatives .4 .3 .9: pairs won 1 + .5 + 1 + 1 of 6, see (.8 > .4), (.8 > .3), (.4 = .4), (.4 > .3).
  EXPECT_EQ(auc(Values{.8, .4, .4, .3, .9}, Classes{1, 1, 0, 0, 0}), 3.5 / 6);
  EXPECT_EQ(auc(Values{1, 2, 3, 4}, Classes{0, 0, 1, 1}), 1.0);
  EXPECT_EQ(auc(Values{1, 2, 3, 4}, Classes{1, 1, 0, 0}), 0.0);
  EXPECT_EQ(auc(Values{5, 5, 5}, Classes{1, 0, 1}), 0.5);
}

TEST(Auc, OfOneClassIsUndefined) {
  EXPECT_EQ(auc(Values{.1, .2}, Classes{1, 1}), std::nullopt);
  EXPECT_EQ(auc(Values{.1, .2}, Classes{0, 0}), std::nullopt);
  EXPECT_EQ(auc(Values{}, Classes{}), std::nullopt);
}

TEST(Auc, RefusesNaN) { EXPECT_THROW(auc(Values{std::numeric_limits<double>::quiet_NaN(), 1}, Classes{0, 1}), Error); }

TEST(Auc, OfClassesSkipsAClassThatIsAbsent) {
  // Class 0 against the rest has 1. Class 1 has 1/2, by a tie. Class 2 has no rows.
  const ClassTable p = table({{.8, .1, .1}, {.3, .1, .6}});
  EXPECT_EQ(auc(p.view(), Classes{0, 1}), 0.75);
}

TEST(Accuracy, PredictsTheEarlierClassOnATie) {
  EXPECT_EQ(accuracy(Values{.5, .5, .51}, Classes{0, 1, 1}), 2.0 / 3);
  EXPECT_EQ(accuracy(table({{.4, .4, .2}, {.4, .4, .2}}).view(), Classes{0, 1}), 0.5);
}

TEST(LogLoss, OfCertainMistakesIsClipped) {
  EXPECT_DOUBLE_EQ(*log_loss(Values{0}, Classes{1}), -std::log(1e-15));
  EXPECT_DOUBLE_EQ(*log_loss(Values{1}, Classes{0}), -std::log(1e-15));
  EXPECT_EQ(log_loss(Values{1, 0}, Classes{1, 0}), 0.0);
  EXPECT_DOUBLE_EQ(*log_loss(table({{1, 0, 0}}).view(), Classes{2}), -std::log(1e-15));
}

TEST(LogLoss, IsTheMeanSurprise) {
  EXPECT_DOUBLE_EQ(*log_loss(Values{.25, .25}, Classes{1, 0}), -(std::log(.25) + std::log(.75)) / 2);
}

TEST(Brier, OfTwoColumnsEqualsThatOfOne) {
  EXPECT_DOUBLE_EQ(*brier(Values{.25, .5}, Classes{1, 0}), (.5625 + .25) / 2);
  EXPECT_DOUBLE_EQ(*brier(table({{.75, .25}, {.5, .5}}).view(), Classes{1, 0}), (.5625 + .25) / 2);
}

TEST(Calibration, WeighsTheGapOfEachBin) {
  // Two rows in (6/15, 7/15] with mean .45 and frequency .5; two in the last bin with mean .975 and frequency .5.
  const Calibration c = calibrate(Values{.42, .45, .48 - .0133333333333334, .97, .98}, Classes{1, 0, 0, 1, 0});
  EXPECT_EQ(c.bins[6].rows, 3U);
  EXPECT_EQ(c.bins[14].rows, 2U);
  EXPECT_DOUBLE_EQ(*c.bins[14].mean_probability, .975);
  EXPECT_EQ(c.bins[14].frequency, .5);
  EXPECT_EQ(c.bins[3].rows, 0U);
  EXPECT_EQ(c.bins[3].frequency, std::nullopt);
  const double gap = std::abs(.42 + .45 + .48 - .0133333333333334 - 1) + std::abs(1.95 - 1);
  EXPECT_DOUBLE_EQ(*c.ece, gap / 5);
}

TEST(Calibration, BinsAreClosedAbove) {
  const Calibration c = calibrate(Values{0, 1.0 / 15, std::nextafter(1.0 / 15, 1), 1}, Classes{0, 0, 0, 1});
  EXPECT_EQ(c.bins[0].rows, 2U);
  EXPECT_EQ(c.bins[1].rows, 1U);
  EXPECT_EQ(c.bins[14].rows, 1U);
}

TEST(Calibration, OfClassesLooksAtThePredictedClass) {
  const Calibration c = calibrate(table({{.1, .9, 0}, {.1, .9, 0}, {.1, .9, 0}}).view(), Classes{1, 1, 0});
  EXPECT_DOUBLE_EQ(*c.ece, .9 - 2.0 / 3);
}

TEST(Metrics, WithoutRowsAreUndefined) {
  const Scores scores = score(Values{}, Classes{});
  EXPECT_EQ(scores, Scores{});
  EXPECT_EQ(score(ClassTable(0, 3).view(), Classes{}), Scores{});
}

TEST(Errors, AreRowsPredictedWrongly) {
  EXPECT_EQ(find_errors(Values{.2, .7, .5, .5}, Classes{0, 0, 0, 1}), (ErrorFlags{0, 1, 0, 1}));
  EXPECT_EQ(find_errors(table({{.2, .3, .5}, {.5, .3, .2}}).view(), Classes{2, 1}), (ErrorFlags{0, 1}));
}

}  // namespace
}  // namespace perpend
