#include "perpend/data/cells.h"

#include <string_view>

#include "perpend/base/error.h"
#include "perpend/base/message.h"

namespace perpend {

NumericCells::NumericCells(const Column& column, const Reading& reading)
    : column_(&column),
      dates_(reading.is_date()),
      by_thousands_(reading.form == Reading::Form::decimal_comma && !column.grouped.empty()) {
  words_.reserve(column.words.size());
  for (const std::string& word : column.words) {
    if (const auto number = read_number(word, reading)) {
      words_.push_back({Meaning::number, *number});
    } else {
      words_.push_back({is_missing_word(word)   ? Meaning::missing
                        : is_beyond_float(word) ? Meaning::beyond_float
                                                : Meaning::word});
    }
  }
}

LevelCells::LevelCells(const Column& column, std::span<const std::string> levels) : column_(&column) {
  std::unordered_map<std::string_view, std::int32_t> index;
  for (const std::string& level : levels) {
    const auto at = static_cast<std::int32_t>(index.size());
    index.emplace(level, at);
    if (const auto number = as_number(level); number && number_name(*number) == level) numbers_.emplace(*number, at);
  }
  words_.reserve(column.words.size());
  for (const std::string& word : column.words) {
    const auto found = index.find(word);
    words_.push_back(found == index.end() ? kUnseen : found->second);
  }
}

std::int32_t LevelCells::level(std::size_t row) const {
  const std::int32_t mark = column_->mark(row);
  if (mark == kMissingCell) return kMissing;
  if (mark != kNumberCell) return words_[static_cast<std::size_t>(mark)];
  const auto found = numbers_.find(column_->number(row));
  return found == numbers_.end() ? kUnseen : found->second;
}

std::string shown_cell(const Column& column, std::size_t row) {
  return column.is_missing(row) ? "empty" : quote(column.text(row));
}

void refuse_nan(const Table& table, const Column& column, std::size_t row) {
  if (!column.is_number(row) || !std::isnan(column.number(row))) return;
  throw DataError(table.place(row) + ": column " + quote(column.name) +
                  " is NaN, but its mark says that it is a number; the mark of a missing cell is kMissingCell");
}

}  // namespace perpend
