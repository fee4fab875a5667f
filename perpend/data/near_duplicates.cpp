#include "perpend/data/near_duplicates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "perpend/base/message.h"
#include "perpend/base/option_mention.h"

namespace perpend {

namespace {

constexpr std::size_t kMostRows = 1024;
constexpr std::size_t kRowsPerRun = 64;
constexpr std::size_t kSums = 8;
constexpr std::size_t kMostCategories = 256;  // with more than two levels; comparing them takes a second
constexpr float kMostDistance = static_cast<float>(2 - 2 * kNearDuplicate);

// A column, centred, of length 1 and in whole runs. `values` is empty if the column is constant, or a category with
// more than two levels.
struct UnitColumn {
  std::vector<float> values;
  std::size_t farthest = 0;         // row of the largest value; it tells two rare levels apart at once
  std::vector<std::size_t> levels;  // for such categories: per row, from 0 on
  std::size_t level_count = 0;      // number of levels that occur

  bool is_constant() const { return values.empty() && level_count < 2; }
};

// At most kMostRows of the column, evenly spaced.
std::vector<double> some_values(InputsView inputs, std::size_t column) {
  std::vector<double> values(std::min(inputs.rows(), kMostRows));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = inputs(i * inputs.rows() / values.size(), column);
  return values;
}

// Levels that no row has do not count.
UnitColumn level_column(const std::vector<double>& codes) {
  UnitColumn column;
  std::map<double, std::size_t> numbers;
  for (const double code : codes) column.levels.push_back(numbers.try_emplace(code, numbers.size()).first->second);
  column.level_count = numbers.size();
  return column;
}

UnitColumn unit_column(std::vector<double> values) {
  const std::size_t rows = values.size();
  double mean = 0;
  double known = 0;
  for (const double value : values) known += std::isnan(value) ? 0 : 1;
  for (const double value : values) mean += std::isnan(value) ? 0 : value / known;
  double squares = 0;
  for (double& value : values) {
    value = std::isnan(value) ? 0 : value - mean;
    squares += value * value;
  }
  UnitColumn unit;
  // A constant column is not exactly 0 after centring, because of rounding.
  if (!(squares > 1e-20 * static_cast<double>(rows) * std::max(1.0, mean * mean))) return unit;
  unit.values.resize((rows + kRowsPerRun - 1) / kRowsPerRun * kRowsPerRun);  // zeros at the end add no distance
  const double scale = 1 / std::sqrt(squares);
  for (std::size_t i = 0; i < rows; ++i) {
    unit.values[i] = static_cast<float>(values[i] * scale);
    if (std::abs(unit.values[i]) > std::abs(unit.values[unit.farthest])) unit.farthest = i;
  }
  return unit;
}

// The smaller of |a - b|^2 and |a + b|^2 over the runs added. The sums are in lanes, so that the compiler can use
// vectors.
class Distance {
 public:
  void add(const float* a, const float* b) {
    for (std::size_t first = 0; first < kRowsPerRun; first += kSums) {
      for (std::size_t i = 0; i < kSums; ++i) {
        const float minus = a[first + i] - b[first + i];
        const float plus = a[first + i] + b[first + i];
        minus_[i] += minus * minus;
        plus_[i] += plus * plus;
      }
    }
  }
  float value() const {
    return std::min(std::accumulate(minus_.begin(), minus_.end(), 0.0F),
                    std::accumulate(plus_.begin(), plus_.end(), 0.0F));
  }

 private:
  std::array<float, kSums> minus_{}, plus_{};
};

// The chi-squared of two categories divided by n, minus its expectation if they are independent, as a share of the
// largest value that their numbers of levels allow (Bergsma 2013). Only pairs of levels that occur together are
// counted, so there are no more pairs than rows.
double squared_cramer(const UnitColumn& a, const UnitColumn& b) {
  std::vector<double> of_a(a.level_count, 0.0);
  std::vector<double> of_b(b.level_count, 0.0);
  std::vector<std::pair<std::size_t, std::size_t>> met;
  for (std::size_t r = 0; r < a.levels.size(); ++r) {
    of_a[a.levels[r]] += 1;
    of_b[b.levels[r]] += 1;
    met.emplace_back(a.levels[r], b.levels[r]);
  }
  std::ranges::sort(met);
  double phi2 = -1;
  for (auto first = met.begin(); first != met.end();) {
    const auto next = std::upper_bound(first, met.end(), *first);
    const auto count = static_cast<double>(next - first);
    phi2 += count * count / (of_a[first->first] * of_b[first->second]);
    first = next;
  }
  const double n = static_cast<double>(met.size()) - 1;
  const auto rows = static_cast<double>(a.level_count - 1);
  const auto columns = static_cast<double>(b.level_count - 1);
  const double most = std::min(rows - rows * rows / n, columns - columns * columns / n);
  return most > 0 ? std::max(0.0, phi2 - rows * columns / n) / most : 0;
}

bool are_near(const UnitColumn& a, const UnitColumn& b) {
  if (a.level_count > 0 && b.level_count > 0) return squared_cramer(a, b) > kNearDuplicate * kNearDuplicate;
  if (a.level_count > 0 || b.level_count > 0) return false;
  for (const std::size_t row : {a.farthest, b.farthest}) {
    const float apart = std::abs(a.values[row]) - std::abs(b.values[row]);
    if (apart * apart > kMostDistance) return false;
  }
  Distance distance;
  for (std::size_t first = 0; first < a.values.size(); first += kRowsPerRun) {
    distance.add(&a.values[first], &b.values[first]);
    if (distance.value() > kMostDistance) return false;
  }
  return true;
}

std::string block_names(const std::vector<std::size_t>& block, const std::vector<std::string>& names) {
  constexpr std::size_t kMostNames = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(block.size(), kMostNames); ++i) {
    const bool last = i + 1 == block.size();
    text += (i == 0 ? "" : last ? " and " : ", ") + quote(names[block[i]]);
  }
  if (block.size() > kMostNames) text += fmt::format(" and {} more", block.size() - kMostNames);
  return text;
}

}  // namespace

std::vector<std::vector<std::size_t>> near_duplicates(InputsView inputs, std::span<const ColumnTable> columns) {
  std::vector<UnitColumn> units;
  std::size_t categories = 0;
  for (std::size_t j = 0; j < inputs.cols(); ++j) {
    const bool is_category = !columns.empty() && columns[j].is_category;
    UnitColumn levels = is_category ? level_column(some_values(inputs, j)) : UnitColumn();
    if (levels.level_count > 2) {
      units.push_back(++categories <= kMostCategories ? std::move(levels) : UnitColumn());
    } else if (is_category) {
      units.push_back(unit_column({levels.levels.begin(), levels.levels.end()}));
    } else {
      units.push_back(unit_column(some_values(inputs, j)));
    }
  }
  std::vector<std::vector<std::size_t>> blocks;  // single columns too, until the end
  for (std::size_t j = 0; j < units.size(); ++j) {
    if (units[j].is_constant()) continue;
    const auto found = std::find_if(blocks.begin(), blocks.end(),
                                    [&](const auto& block) { return are_near(units[block.front()], units[j]); });
    if (found == blocks.end()) {
      blocks.push_back({j});
    } else {
      found->push_back(j);
    }
  }
  std::erase_if(blocks, [](const auto& block) { return block.size() < 2; });
  return blocks;
}

namespace {

// Keeps the first input of each column of the table.
std::vector<std::size_t> of_different_columns(const std::vector<std::size_t>& block, const Schema& schema) {
  std::vector<std::size_t> kept;
  std::set<std::string> columns;
  for (const std::size_t feature : block) {
    if (columns.insert(schema.columns[schema.features[feature].column].table_column()).second) kept.push_back(feature);
  }
  return kept;
}

}  // namespace

std::optional<std::string> near_duplicate_warning(const Dataset& data, const Schema& schema) {
  constexpr std::size_t kMostBlocks = 3;
  if (data.inputs.cols() > kMostCompared) return std::nullopt;
  auto blocks = near_duplicates(data.inputs.view(), data.columns);
  for (auto& block : blocks) block = of_different_columns(block, schema);
  std::erase_if(blocks, [](const auto& block) { return block.size() < 2; });
  if (blocks.empty()) return std::nullopt;
  std::string text = "near-duplicate columns (|correlation| above 0.9): ";
  for (std::size_t i = 0; i < std::min(blocks.size(), kMostBlocks); ++i) {
    text += (i == 0 ? "" : "; ") + block_names(blocks[i], data.features);
  }
  if (blocks.size() > kMostBlocks) text += fmt::format("; {}", counted(blocks.size() - kMostBlocks, "more block"));
  return text +
         "; members that use different columns of a block look independent and answer alike wherever the columns stay "
         "alike. Keep all if each may fail alone, as sensors do; otherwise keep one of each block and " +
         option_mention("drop") + " the others";
}

}  // namespace perpend
