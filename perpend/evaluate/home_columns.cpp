#include "perpend/evaluate/home_columns.h"

#include <algorithm>
#include <cmath>

namespace perpend {

namespace {

// Edges need no more cells than this. They are taken evenly over the rows.
constexpr std::size_t kMostSorted = 100'000;

std::vector<float> some_numbers(std::span<const InputsView> parts, std::size_t column) {
  std::size_t rows = 0;
  for (const InputsView& part : parts) rows += part.rows();
  const std::size_t step = rows / kMostSorted + 1;
  std::vector<float> numbers;
  std::size_t at = 0;
  for (const InputsView& part : parts) {
    for (std::size_t r = 0; r < part.rows(); ++r, ++at) {
      if (at % step == 0 && !std::isnan(part(r, column))) numbers.push_back(part(r, column));
    }
  }
  return numbers;
}

// Each edge is a value of the column, so that equal values stay together. The largest value is not an edge, because
// nothing would lie above it.
std::vector<float> edges_of(std::vector<float> numbers) {
  std::vector<float> edges;
  if (numbers.empty()) return edges;
  std::ranges::sort(numbers);
  for (std::size_t b = 1; b < kHomeBins; ++b) {
    const float edge = numbers[(b * numbers.size() - 1) / kHomeBins];
    if (edge < numbers.back() && (edges.empty() || edge > edges.back())) edges.push_back(edge);
  }
  return edges;
}

}  // namespace

std::size_t place_of(const HomeColumn& column, std::size_t levels, float cell) {
  if (levels > 0) return cell >= 0 ? static_cast<std::size_t>(cell) : levels + 1;
  if (std::isnan(cell)) return column.edges.size() + 1;
  return static_cast<std::size_t>(std::ranges::lower_bound(column.edges, cell) - column.edges.begin());
}

std::vector<std::uint32_t> count_places(const HomeColumn& column, std::size_t levels, InputsView rows,
                                        std::size_t index) {
  std::vector<std::uint32_t> counts((levels > 0 ? levels : column.edges.size() + 1) + (levels > 0 ? 2 : 1), 0);
  for (std::size_t r = 0; r < rows.rows(); ++r) ++counts[place_of(column, levels, rows(r, index))];
  return counts;
}

std::vector<HomeColumn> home_columns(std::span<const InputsView> parts, std::span<const std::size_t> levels) {
  std::vector<HomeColumn> columns(levels.size());
  for (std::size_t c = 0; c < levels.size(); ++c) {
    HomeColumn& column = columns[c];
    if (levels[c] == 0) column.edges = edges_of(some_numbers(parts, c));
    for (const InputsView& part : parts) {
      const auto counts = count_places(column, levels[c], part, c);
      column.counts.resize(counts.size());
      for (std::size_t i = 0; i < counts.size(); ++i) column.counts[i] += counts[i];
    }
  }
  return columns;
}

}  // namespace perpend
