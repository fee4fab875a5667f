#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perpend/evaluate/selective.h"
#include "tests/evaluate/random_case.h"

namespace perpend {
namespace {

// Returns the mean risk over every order in which rows of equal uncertainty may be answered.
double area_over_all_orders(const std::vector<double>& uncertainty, const ErrorFlags& errors) {
  std::vector<std::size_t> order(errors.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  double sum = 0;
  double orders = 0;
  do {
    const auto above = [&](std::size_t a, std::size_t b) { return uncertainty[a] < uncertainty[b]; };
    if (!std::ranges::is_sorted(order, above)) continue;
    double wrong = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
      wrong += errors[order[k]];
      sum += wrong / static_cast<double>(k + 1) / static_cast<double>(order.size());
    }
    ++orders;
  } while (std::ranges::next_permutation(order).found);
  return sum / orders;
}

ErrorFlags any_errors(std::size_t rows) {
  ErrorFlags errors;
  for (const int e : any_numbers(rows, 0, 2)) {
    errors.push_back(static_cast<std::uint8_t>(e));
  }
  return errors;
}

RC_GTEST_PROP(RiskCoverage, AreaIsTheMeanOverAllOrdersOfTies, ()) {
  const auto rows = static_cast<std::size_t>(*even(1, 7));
  const auto uncertainty = any_probabilities(rows);
  const ErrorFlags errors = any_errors(rows);
  RC_ASSERT(std::abs(*risk_coverage(uncertainty, errors).area - area_over_all_orders(uncertainty, errors)) < 1e-12);
}

RC_GTEST_PROP(RiskCoverage, PointsCountTheAnsweredRows, ()) {
  const std::size_t rows = any_rows();
  const auto uncertainty = any_probabilities(rows);
  const ErrorFlags errors = any_errors(rows);
  auto thresholds = uncertainty;
  std::ranges::sort(thresholds);
  thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
  const RiskCoverage curve = risk_coverage(uncertainty, errors);
  RC_ASSERT(curve.points.size() == thresholds.size());
  for (std::size_t i = 0; i < thresholds.size(); ++i) {
    double answered = 0;
    double wrong = 0;
    for (std::size_t r = 0; r < rows; ++r) {
      if (uncertainty[r] > thresholds[i]) continue;
      ++answered;
      wrong += errors[r];
    }
    RC_ASSERT(std::abs(curve.points[i].coverage - answered / static_cast<double>(rows)) < 1e-15);
    RC_ASSERT(std::abs(curve.points[i].risk - wrong / answered) < 1e-15);
  }
}

RC_GTEST_PROP(RowDisagreement, EqualsTheRootOfMeanSquareMinusSquareMean, ()) {
  const auto count = static_cast<std::size_t>(*even(1, 6));
  const std::size_t rows = any_rows();
  Matrix<double, axis::Member, axis::Row> members(count, rows);
  for (std::size_t m = 0; m < count; ++m) {
    const auto p = any_probabilities(rows);
    std::ranges::copy(p, members.row(m));
  }
  const auto sd = row_disagreement(members.view());
  for (std::size_t r = 0; r < rows; ++r) {
    double mean = 0;
    double square = 0;
    for (std::size_t m = 0; m < count; ++m) {
      mean += members(m, r) / static_cast<double>(count);
      square += members(m, r) * members(m, r) / static_cast<double>(count);
    }
    RC_ASSERT(std::abs(sd[r] * sd[r] - (square - mean * mean)) < 1e-14);
  }
}

RC_GTEST_PROP(ShiftAuroc, CountsPairsOfAShiftedAndAFamiliarRow, ()) {
  const auto familiar = any_probabilities(any_rows());
  const auto shifted = any_probabilities(any_rows());
  double won = 0;
  for (const double s : shifted) {
    for (const double f : familiar) won += s > f ? 1 : s == f ? 0.5 : 0;
  }
  const Metric ours = shift_auroc(familiar, shifted);
  if (familiar.empty() || shifted.empty()) {
    RC_ASSERT(!ours);
  } else {
    RC_ASSERT(std::abs(*ours - won / static_cast<double>(familiar.size() * shifted.size())) < 1e-12);
  }
}

}  // namespace
}  // namespace perpend
