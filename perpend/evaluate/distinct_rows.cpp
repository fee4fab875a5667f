#include "perpend/evaluate/distinct_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace perpend {

namespace {

constexpr double kSameNumber = 0.25;  // of a sd
constexpr std::size_t kOneColumnIn = 10;

// Returns per feature how far two cells may differ and still count as the same.
std::vector<double> tolerances(InputsView inputs, const Schema& schema) {
  std::vector<double> all(schema.features.size(), 0.0);
  for (std::size_t f = 0; f < all.size(); ++f) {
    if (schema.features[f].level != Feature::kNumber) continue;
    double count = 0, sum = 0, squares = 0;
    for (std::size_t r = 0; r < inputs.rows(); ++r) {
      const double x = inputs(r, f);
      if (std::isnan(x)) continue;
      ++count;
      sum += x;
      squares += x * x;
    }
    if (count > 0) all[f] = kSameNumber * std::sqrt(std::max(0.0, squares / count - (sum / count) * (sum / count)));
  }
  return all;
}

bool cells_differ(double first, double second, double tolerance) {
  if (std::isnan(first) || std::isnan(second)) return std::isnan(first) != std::isnan(second);
  return std::abs(first - second) > tolerance;
}

}  // namespace

std::vector<std::size_t> distinct_rows(InputsView inputs, const Schema& schema, std::span<const double> scores,
                                       std::size_t most) {
  const std::vector<double> tolerance = tolerances(inputs, schema);
  const auto are_neighbours = [&](std::size_t a, std::size_t b) {
    std::vector<bool> differs(schema.columns.size(), false);
    for (std::size_t f = 0; f < tolerance.size(); ++f) {
      if (cells_differ(inputs(a, f), inputs(b, f), tolerance[f])) differs[schema.features[f].column] = true;
    }
    return kOneColumnIn * static_cast<std::size_t>(std::ranges::count(differs, true)) < differs.size();
  };
  std::vector<std::size_t> order(inputs.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t r) { return scores[r]; });
  std::vector<std::size_t> chosen;
  for (const std::size_t r : order) {
    if (chosen.size() == most) break;
    if (std::ranges::none_of(chosen, [&](std::size_t c) { return are_neighbours(c, r); })) chosen.push_back(r);
  }
  return chosen;
}

}  // namespace perpend
