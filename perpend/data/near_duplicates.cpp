#include "perpend/data/near_duplicates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "perpend/base/message.h"
#include "perpend/base/option_mention.h"

namespace perpend {

namespace {

constexpr std::size_t kMostRows = 1024;
constexpr std::size_t kRowsPerRun = 64;
constexpr std::size_t kSums = 8;
constexpr float kMostDistance = static_cast<float>(2 - 2 * kNearDuplicate);

// Centred, of length 1, in whole runs; empty when constant.
struct UnitColumn {
  std::vector<float> values;
  std::size_t farthest = 0;  // row of the largest value: tells two rare levels apart at once
};

UnitColumn unit_column(InputsView inputs, std::size_t column) {
  const std::size_t rows = std::min(inputs.rows(), kMostRows);
  std::vector<double> values(rows);
  double mean = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    values[i] = inputs(i * inputs.rows() / rows, column);
    mean += values[i] / static_cast<double>(rows);
  }
  double squares = 0;
  for (double& value : values) {
    value -= mean;
    squares += value * value;
  }
  UnitColumn unit;
  // What centring leaves of a constant is rounding.
  if (!(squares > 1e-20 * static_cast<double>(rows) * std::max(1.0, mean * mean))) return unit;
  unit.values.resize((rows + kRowsPerRun - 1) / kRowsPerRun * kRowsPerRun);  // zeros at the end are no distance
  const double scale = 1 / std::sqrt(squares);
  for (std::size_t i = 0; i < rows; ++i) {
    unit.values[i] = static_cast<float>(values[i] * scale);
    if (std::abs(unit.values[i]) > std::abs(unit.values[unit.farthest])) unit.farthest = i;
  }
  return unit;
}

// The smaller of |a - b|^2 and |a + b|^2 over the runs added; in lanes, so that the compiler can use vectors.
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

bool are_near(const UnitColumn& a, const UnitColumn& b) {
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

std::vector<std::vector<std::size_t>> near_duplicates(InputsView inputs) {
  std::vector<UnitColumn> units;
  for (std::size_t j = 0; j < inputs.cols(); ++j) units.push_back(unit_column(inputs, j));
  std::vector<std::vector<std::size_t>> blocks;  // singles too, until the end
  for (std::size_t j = 0; j < units.size(); ++j) {
    if (units[j].values.empty()) continue;
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

std::optional<std::string> near_duplicate_warning(const Dataset& data) {
  constexpr std::size_t kMostBlocks = 3;
  if (data.inputs.cols() > kMostCompared) return std::nullopt;
  const auto blocks = near_duplicates(data.inputs.view());
  if (blocks.empty()) return std::nullopt;
  std::string text = "near-duplicate columns (|correlation| above 0.9): ";
  for (std::size_t i = 0; i < std::min(blocks.size(), kMostBlocks); ++i) {
    text += (i == 0 ? "" : "; ") + block_names(blocks[i], data.features);
  }
  if (blocks.size() > kMostBlocks) text += fmt::format("; {}", counted(blocks.size() - kMostBlocks, "more block"));
  return text + "; members that are independent inside such a block gain nothing: keep one column of each block and " +
         option_mention("drop") + " the others, or give " + option_mention("manifold", "auto");
}

}  // namespace perpend
