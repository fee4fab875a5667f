// Have the columns moved? New rows beside the histograms and marks that a model remembers (records/home.h).
//
// Each column is tested by itself, in three ways. A number is tested for a shift by the ranks of its cells (Wilcoxon's
// rank-sum test, with mid-ranks for cells of one bin), for any other change by a chi-square test over bins, and for
// another share of missing cells by a binomial test. A category is tested by chi-square over its levels, and by
// binomial tests for another share of missing cells and of levels that training never saw. Places with few rows are put
// together before a chi-square test, until each expects five rows or more. The column's p-value is three times the
// least one.
//
// The p-values of D columns are adjusted by Holm's method: with the adjusted values, the chance that like rows put any
// column below 0.01 is at most 0.01, however many columns there are.
//
// The answers are tested, too: a change that matters to the model shows in them even where the columns hide it. Two
// rank-sum tests compare the members' disagreement and the ensemble's scores with those of the rows at home; the
// p-value is twice the smaller one. Where the members were trained again after the rows at home were answered (a
// refit), a difference of the AUROC from 1/2 by up to kRefitTolerance is what the refit alone may do, and does not
// count.
//
// Then all columns are tested together by the marks (marks.h): the statistic is
//     T = sum over questions k of (share of yes here - share at home)^2 / (p_k (1 - p_k)),   p_k of all rows,
// and its p-value is the rank of T among those of 999 random exchanges of rows between the two sets. This test sees
// what no single column shows, and needs no assumption about the rows but that they are drawn one by one.
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
  // How far: the share of rows that would have to change for the column to look as at home. Of a number, the largest
  // difference between the shares of rows up to a value; of a category, half the sum of the levels' differences, less
  // what chance alone would give. From 0 to 1.
  double drift = 0;
  double p_value = 1;   // of this column alone
  double adjusted = 1;  // for the number of columns
};

// In the order of the columns. levels: per column its number of levels, 0 for numbers. rows: encoded by column.
std::vector<ColumnDrift> column_drift(std::span<const HomeColumn> home, std::span<const std::size_t> levels,
                                      InputsView rows);

// One test, from two histograms of the same places: its p-value and drift. is_category: the places have no order.
ColumnDrift compare_counts(std::span<const std::uint32_t> home, std::span<const std::uint32_t> here, bool is_category);

// Holm's adjustment of the p-values.
void adjust_for_many(std::span<ColumnDrift> columns);

constexpr int kExchanges = 999;
// At most this many of the new rows are exchanged, evenly spread.
constexpr std::size_t kMostExchanged = 1000;

constexpr double kRefitTolerance = 0.05;
// Of two sets of numbers: is one larger? tolerance: how far the AUROC may be from 1/2.
double shift_p_value(std::span<const double> home, std::span<const double> here, double tolerance);

// The p-value of the test by marks, (rows, kMarkWords) each. 1 where either set is empty.
double joint_p_value(std::span<const std::uint32_t> home, std::span<const std::uint32_t> here);

}  // namespace perpend
