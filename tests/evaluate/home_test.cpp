// Histograms and marks of rows at home. Every cell has a place, and sets of like rows have like marks.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "perpend/base/random.h"
#include "perpend/evaluate/home_columns.h"
#include "perpend/evaluate/marks.h"

namespace perpend {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

// A number and a category of two levels. With `turned`, the second of two related numbers has the opposite sign.
Inputs numbers(std::size_t rows, std::uint32_t seed, bool turned) {
  const Stream random({.seed = seed});
  Inputs inputs(rows, 2);
  for (std::size_t r = 0; r < rows; ++r) {
    const double common = random.normal(3 * r);
    inputs(r, 0) = static_cast<float>(common + 0.5 * random.normal(3 * r + 1));
    inputs(r, 1) = static_cast<float>((turned ? -common : common) + 0.5 * random.normal(3 * r + 2));
  }
  return inputs;
}

// Returns the largest difference between two sets' shares of "yes".
double largest_difference(const std::vector<std::uint32_t>& first, const std::vector<std::uint32_t>& second) {
  double largest = 0;
  const auto share = [](const std::vector<std::uint32_t>& marks, std::size_t k) {
    double yes = 0;
    for (std::size_t i = k / 32; i < marks.size(); i += kMarkWords) yes += (marks[i] >> (k % 32)) & 1U;
    return yes * kMarkWords / static_cast<double>(marks.size());
  };
  for (std::size_t k = 0; k < kMarks; ++k) largest = std::max(largest, std::abs(share(first, k) - share(second, k)));
  return largest;
}

TEST(HomeColumns, EveryCellHasAPlace) {
  Inputs rows(5, 2);
  const std::vector<std::size_t> levels = {0, 2};
  const float cells[5][2] = {{1, 0}, {2, 1}, {2, 1}, {kMissing, 2}, {3, -1}};
  for (std::size_t r = 0; r < 5; ++r) {
    rows(r, 0) = cells[r][0];
    rows(r, 1) = cells[r][1];
  }
  const InputsView part = rows.view();
  const auto columns = home_columns({&part, 1}, levels);
  EXPECT_EQ(columns[0].edges, (std::vector<float>{1, 2}));  // 3 is the last bin
  EXPECT_EQ(columns[0].counts, (std::vector<std::uint32_t>{1, 2, 1, 1}));
  EXPECT_EQ(columns[1].counts, (std::vector<std::uint32_t>{1, 2, 1, 1}));
  EXPECT_EQ(place_of(columns[0], 0, -1e30F), 0U);
  EXPECT_EQ(place_of(columns[0], 0, 1.5F), 1U);
  EXPECT_EQ(place_of(columns[0], 0, 1e30F), 2U);
}

TEST(HomeColumns, BinsOfManyValuesAreAboutEqual) {
  const Inputs rows = numbers(3200, 1, false);
  const InputsView part = rows.view();
  const auto columns = home_columns({&part, 1}, std::vector<std::size_t>{0, 0});
  ASSERT_EQ(columns[0].counts.size(), kHomeBins + 1);
  for (std::size_t b = 0; b < kHomeBins; ++b) EXPECT_EQ(columns[0].counts[b], 100U);
}

TEST(HomeColumns, AColumnWithoutKnownCellsHasTwoPlaces) {
  Inputs rows(3, 1);
  for (std::size_t r = 0; r < 3; ++r) rows(r, 0) = kMissing;
  const InputsView part = rows.view();
  const auto columns = home_columns({&part, 1}, std::vector<std::size_t>{0});
  EXPECT_EQ(columns[0].counts, (std::vector<std::uint32_t>{0, 3}));
}

TEST(Marks, SeeACorrelationThatTurned) {
  const std::vector<std::size_t> levels = {0, 0};
  const Inputs home = numbers(2000, 1, false), like = numbers(2000, 2, false), turned = numbers(2000, 3, true);
  const InputsView part = home.view();
  const auto columns = home_columns({&part, 1}, levels);
  const auto marks = [&](const Inputs& rows) { return marks_of(columns, levels, rows.view()); };
  EXPECT_LT(largest_difference(marks(home), marks(like)), 0.06);
  EXPECT_GT(largest_difference(marks(home), marks(turned)), 0.2);
}

TEST(Marks, OfARowDoNotDependOnTheOthers) {
  const std::vector<std::size_t> levels = {0, 0};
  const Inputs rows = numbers(50, 4, false);
  const InputsView part = rows.view();
  const auto columns = home_columns({&part, 1}, levels);
  const auto all = marks_of(columns, levels, rows.view());
  const auto last = marks_of(columns, levels, rows.view().middle_rows(49, 1));
  EXPECT_EQ(std::vector<std::uint32_t>(all.end() - kMarkWords, all.end()), last);
}

}  // namespace
}  // namespace perpend
