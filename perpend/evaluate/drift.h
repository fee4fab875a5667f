// Have the columns moved? Compares new rows with the histograms and marks that a model remembers (records/home.h).
//
// Each column is tested by itself, in three ways. A number is tested for a shift by the ranks of its cells (Wilcoxon's
// rank-sum test, with mid-ranks for cells of one bin). It is tested for any other change by a chi-square test over
// bins, and for another share of missing cells by a binomial test. A category is tested by chi-square over its levels,
// and by binomial tests for another share of missing cells and of levels that training never saw. Before a chi-square
// test, places with few rows are put together until each expects five rows or more. The column's p-value is three times
// the least one.
//
// The p-values of D columns are adjusted by Holm's method: with the adjusted values, the chance that like rows put any
// column below 0.01 is at most 0.01, however many columns there are.
//
// The answers are tested, too: a change that matters to the model shows in them even where the columns hide it. Two
// rank-sum tests compare them with those of the rows at home: is the members' disagreement larger, and do the
// ensemble's answers differ? The p-value is twice the smaller one. If the members were trained again after the rows at
// home were answered (a refit), the refit alone may move the AUROC from 1/2 by up to kRefitTolerance. A difference of
// this size does not count.
//
// Then all columns are tested together by the marks (marks.h): the statistic is
//     T = sum over questions k of (share of yes here - share at home)^2 / (p_k (1 - p_k)),   p_k of all rows,
// and its p-value is the rank of T among those of 999 random exchanges of rows between the two sets. This test sees
// what no single column shows. Its only assumption is that rows are drawn one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/records/home.h"

namespace perpend {

struct ColumnDrift {
  std::size_t column = 0;  // of Schema::columns
  // How far it moved: the share of rows that would have to change for the column to look as at home. For a number it is
  // the largest difference between the shares of rows up to a value. For a category it is half the sum of the levels'
  // differences. What chance alone would give is subtracted. From 0 to 1.
  double drift = 0;
  double p_value = 1;   // of this column alone
  double adjusted = 1;  // for the number of columns
};

// Returns one entry per column, in their order. levels: per column its number of levels, 0 for numbers. rows: encoded
// by column.
std::vector<ColumnDrift> column_drift(std::span<const HomeColumn> home, std::span<const std::size_t> levels,
                                      InputsView rows);

// Makes one test from two histograms of the same places: its p-value and drift. is_category: the places have no order.
ColumnDrift compare_counts(std::span<const std::uint32_t> home, std::span<const std::uint32_t> here, bool is_category);

// Holm's adjustment of the p-values.
void adjust_for_many(std::span<ColumnDrift> columns);

constexpr int kExchanges = 999;
// At most this many of the new rows are exchanged, evenly spread.
constexpr std::size_t kMostExchanged = 1000;

constexpr double kRefitTolerance = 0.05;
// Compares two sets of numbers: do they differ, or are those here larger? tolerance: how far the AUROC may be from 1/2.
enum class Sides { both, larger };
double shift_p_value(std::span<const double> home, std::span<const double> here, Sides sides, double tolerance);

// Returns the p-value of the test by marks, (rows, kMarkWords) each. It is 1 where either set is empty.
double joint_p_value(std::span<const std::uint32_t> home, std::span<const std::uint32_t> here);

}  // namespace perpend
