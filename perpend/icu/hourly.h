// Combines values by (row, variable) hour by hour, in bounded memory, for any number of values in any order.
//
// Rows are cut into runs whose cells fit in `memory`. The values of a run wait in a spill file, and finish() works
// through the runs in turn. So the memory is the cells of one run and one buffer per run, and every value is written to
// the disk at most once, as 16 bytes.
//
// A sum is kept as two doubles (Neumaier 1974), which keep every bit of a sum of measurements. So the table depends
// only on the values, not on the order of rows in the files. Every export from a database gives the same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "perpend/icu/spill.h"

namespace perpend {

class HourCell {
 public:
  void add(double x);
  bool empty() const { return count_ == 0; }
  double sum() const { return high_ + low_; }
  double mean() const { return sum() / count_; }

 private:
  double high_ = 0;
  double low_ = 0;
  std::uint32_t count_ = 0;
};

class HourlyCells {
 public:
  HourlyCells(std::size_t rows, std::size_t variables, std::size_t memory, const std::filesystem::path& scratch);

  void add(std::size_t row, std::size_t variable, double value);
  // Calls take for each row once, in ascending order.
  void finish(const std::function<void(std::size_t row, std::span<const HourCell> cells)>& take);

  std::size_t runs() const { return spills_.size(); }

 private:
  std::size_t rows_;
  std::size_t variables_;
  std::size_t rows_in_run_;
  std::vector<SpillFile> spills_;
};

}  // namespace perpend
