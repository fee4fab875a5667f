// Like rows are called moved as rarely as promised, and the test for each kind of change finds it.
#include "perpend/evaluate/drift.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "perpend/base/random.h"
#include "perpend/evaluate/home_columns.h"
#include "perpend/evaluate/marks.h"

namespace perpend {
namespace {

const std::vector<std::size_t> kLevels = {0, 0, 5};

struct World {
  double shift = 0;    // of the first number
  double stretch = 1;  // of the second
  double turn = 1;     // -1: the correlation of the numbers is reversed
  double tilt = 0;     // of the category, towards its last level
  double gaps = 0;     // share of missing cells of the first number
};

// Two correlated numbers and a category of five levels. Some values occur often.
Inputs rows_of_world(std::size_t rows, std::uint32_t seed, const World& world = {}) {
  const Stream random({.seed = seed, .purpose = Purpose::test});
  Inputs inputs(rows, 3);
  for (std::size_t r = 0; r < rows; ++r) {
    const double common = random.normal(8 * r);
    const double second = world.turn * common + 0.5 * random.normal(8 * r + 1);
    inputs(r, 0) = static_cast<float>(world.shift + common);
    inputs(r, 1) = std::round(10 * static_cast<float>(world.stretch * second)) / 10;
    const double u = random.uniform_open(8 * r + 3);
    inputs(r, 2) = static_cast<float>(u < world.tilt ? 4 : std::floor(5 * u * u));
    if (random.uniform_open(8 * r + 4) < world.gaps) inputs(r, 0) = std::numeric_limits<float>::quiet_NaN();
  }
  return inputs;
}

struct AtHome {
  explicit AtHome(const Inputs& rows) {
    const InputsView part = rows.view();
    columns = home_columns({&part, 1}, kLevels);
    marks = marks_of(columns, kLevels, part);
  }
  std::vector<ColumnDrift> columns_of(const Inputs& rows) const { return column_drift(columns, kLevels, rows.view()); }
  double joint(const Inputs& rows) const { return joint_p_value(marks, marks_of(columns, kLevels, rows.view())); }

  std::vector<HomeColumn> columns;
  std::vector<std::uint32_t> marks;
};

TEST(Drift, LikeRowsAreRarelyCalledMoved) {
  constexpr int kDraws = 300;
  int column = 0, joint = 0;
  for (int d = 0; d < kDraws; ++d) {
    const auto seed = static_cast<std::uint32_t>(1000 + 2 * d);
    const AtHome home(rows_of_world(300, seed));
    const Inputs like = rows_of_world(100, seed + 1);
    double least = 1;
    for (const auto& found : home.columns_of(like)) least = std::min(least, found.adjusted);
    column += least < 0.05 ? 1 : 0;
    if (d % 5 == 0) joint += home.joint(like) < 0.05 ? 1 : 0;
  }
  // 15 and 3 are expected. The chance of more than the bounds below is less than one in a thousand.
  EXPECT_LE(column, 28);
  EXPECT_LE(joint, 9);
}

TEST(Drift, EachChangeIsSeenInItsColumn) {
  const AtHome home(rows_of_world(1000, 1));
  const auto moved = [&](const World& world, std::size_t column) {
    const auto found = home.columns_of(rows_of_world(300, 2, world));
    for (std::size_t c = 0; c < 3; ++c) {
      if (c != column) {
        EXPECT_GT(found[c].adjusted, 0.01) << c;
      }
    }
    return found[column];
  };
  EXPECT_LT(moved({.shift = 0.3}, 0).adjusted, 1e-3);
  EXPECT_NEAR(moved({.shift = 0.3}, 0).drift, 0.12, 0.06);
  EXPECT_LT(moved({.stretch = 1.6}, 1).adjusted, 1e-3);
  EXPECT_LT(moved({.tilt = 0.2}, 2).adjusted, 1e-3);
  EXPECT_LT(moved({.gaps = 0.05}, 0).adjusted, 1e-3);
}

TEST(Drift, WhatNoColumnShowsIsSeenByAll) {
  const AtHome home(rows_of_world(800, 3));
  const Inputs turned = rows_of_world(300, 4, {.turn = -1});
  for (const auto& found : home.columns_of(turned)) EXPECT_GT(found.adjusted, 0.01);
  EXPECT_EQ(home.joint(turned), 0.001);
}

TEST(Drift, NewLevelsMove) {
  const AtHome home(rows_of_world(500, 5));
  Inputs rows = rows_of_world(100, 6);
  for (std::size_t r = 0; r < 100; ++r) rows(r, 2) = -1;
  const auto found = home.columns_of(rows);
  EXPECT_LT(found[2].adjusted, 1e-6);
  EXPECT_GT(found[2].drift, 0.9);
}

TEST(Drift, FewRowsSayNothing) {
  const AtHome home(rows_of_world(500, 7));
  for (const auto& found : home.columns_of(rows_of_world(1, 8))) EXPECT_GT(found.p_value, 0.01);
  EXPECT_EQ(joint_p_value(home.marks, {}), 1);
  const std::vector<std::uint32_t> none = {0, 0};
  EXPECT_EQ(compare_counts(none, none, true).p_value, 1);
}

TEST(Drift, OfTwoHistogramsByHand) {
  // Two levels, 60:40 at home and 30:70 here, and neither missing nor unknown cells. Chi-square: 18.18 with one degree
  // of freedom, p = 2.007e-5; three tests.
  const std::vector<std::uint32_t> home = {60, 40, 0, 0}, here = {30, 70, 0, 0};
  const auto found = compare_counts(home, here, true);
  EXPECT_NEAR(found.p_value, 3 * 2.007e-5, 1e-7);
  EXPECT_NEAR(found.drift, 0.3 - 0.0561, 1e-3);  // what chance gives is subtracted
}

TEST(Drift, OfAPlaceByHand) {
  // 4 missing cells of 20 here and none of 80 at home: each of the four is here with probability 0.2.
  const std::vector<std::uint32_t> home = {40, 40, 0}, here = {8, 8, 4};
  EXPECT_NEAR(compare_counts(home, here, false).p_value, 3 * 2 * 0.0016, 1e-9);
}

TEST(Drift, HolmAdjustsInSteps) {
  std::vector<ColumnDrift> columns(3);
  columns[0].p_value = 0.04;
  columns[1].p_value = 0.01;
  columns[2].p_value = 0.03;
  adjust_for_many(columns);
  EXPECT_DOUBLE_EQ(columns[1].adjusted, 0.03);
  EXPECT_DOUBLE_EQ(columns[2].adjusted, 0.06);
  EXPECT_DOUBLE_EQ(columns[0].adjusted, 0.06);
}

}  // namespace
}  // namespace perpend
