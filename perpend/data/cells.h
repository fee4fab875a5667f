// What a raw cell means once the kind of its column is known. Fitting and encoding share it.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "perpend/data/reading.h"
#include "perpend/data/table.h"

namespace perpend {

// Cells of a numeric column.
class NumericCells {
 public:
  enum class Meaning : std::uint8_t { number, missing, word, beyond_float };

  explicit NumericCells(const Column& column, const Reading& reading = {});
  Meaning meaning(std::size_t row) const {
    const std::int32_t mark = column_->mark(row);
    if (mark == kMissingCell) return Meaning::missing;
    if (mark != kNumberCell) return words_[static_cast<std::size_t>(mark)].meaning;
    if (dates_) return Meaning::word;
    const double size = std::abs(number(row));
    if (size < kFloatEnd) return Meaning::number;
    return std::isinf(size) ? Meaning::missing : Meaning::beyond_float;
  }
  double number(std::size_t row) const {
    const std::int32_t mark = column_->mark(row);
    if (mark >= 0) return words_[static_cast<std::size_t>(mark)].number;
    const double number = column_->number(row);
    return by_thousands_ && column_->is_grouped(row) ? thousand_times(number) : number;
  }

 private:
  struct Word {
    Meaning meaning;
    double number = 0;
  };
  const Column* column_;
  std::vector<Word> words_;  // one per word of the column
  bool dates_;               // the column has dates, so a plain number is as wrong as any word
  bool by_thousands_;        // 1.000 means one thousand
};

// Cells of a categorical column as indices into its levels.
class LevelCells {
 public:
  static constexpr std::int32_t kUnseen = -1;
  static constexpr std::int32_t kMissing = -2;

  LevelCells(const Column& column, std::span<const std::string> levels);
  std::int32_t level(std::size_t row) const;

 private:
  const Column* column_;
  std::vector<std::int32_t> words_;                   // level of each word of the column
  std::unordered_map<double, std::int32_t> numbers_;  // level of each number that is a level
};

// A cell for messages: 'n/a' in quotes, or the word empty.
std::string shown_cell(const Column& column, std::size_t row);

// Throws DataError if the cell is a number that is NaN. No reader gives such a cell, but a program may.
void refuse_nan(const Table& table, const Column& column, std::size_t row);

}  // namespace perpend
