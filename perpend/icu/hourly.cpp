#include "perpend/icu/hourly.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace perpend {

namespace {

constexpr std::size_t kMostRuns = 256;  // each run has an open file

struct Value {
  double value;
  std::uint32_t row;  // place in its run
  std::uint32_t variable;
};
static_assert(kSpillBuffer % sizeof(Value) == 0);

}  // namespace

void HourCell::add(double x) {
  const double sum = high_ + x;
  low_ += std::abs(high_) >= std::abs(x) ? (high_ - sum) + x : (x - sum) + high_;
  high_ = sum;
  ++count_;
}

HourlyCells::HourlyCells(std::size_t rows, std::size_t variables, std::size_t memory,
                         const std::filesystem::path& scratch)
    : rows_(rows), variables_(variables) {
  const std::size_t fitting = std::max<std::size_t>(memory / (variables * sizeof(HourCell)), 1);
  rows_in_run_ = std::max(fitting, (rows + kMostRuns - 1) / kMostRuns);
  for (std::size_t first = 0; first < rows; first += rows_in_run_) spills_.emplace_back(scratch);
}

void HourlyCells::add(std::size_t row, std::size_t variable, double value) {
  const Value record{value, static_cast<std::uint32_t>(row % rows_in_run_), static_cast<std::uint32_t>(variable)};
  spills_[row / rows_in_run_].write({reinterpret_cast<const char*>(&record), sizeof record});
}

void HourlyCells::finish(const std::function<void(std::size_t row, std::span<const HourCell> cells)>& take) {
  std::vector<HourCell> cells;
  for (std::size_t run = 0; run < spills_.size(); ++run) {
    const std::size_t first = run * rows_in_run_;
    const std::size_t rows = std::min(rows_in_run_, rows_ - first);
    cells.assign(rows * variables_, {});
    for (std::string_view bytes; !(bytes = spills_[run].read()).empty();) {
      for (; !bytes.empty(); bytes.remove_prefix(sizeof(Value))) {
        Value record{};
        std::memcpy(&record, bytes.data(), sizeof record);
        cells[record.row * variables_ + record.variable].add(record.value);
      }
    }
    for (std::size_t r = 0; r < rows; ++r) take(first + r, std::span(cells).subspan(r * variables_, variables_));
  }
}

}  // namespace perpend
