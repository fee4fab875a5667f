#include "perpend/data/column_writer.h"

#include <functional>
#include <utility>

namespace perpend {

ColumnWriter::ColumnWriter(std::string name, bool nominal) {
  column_.name = std::move(name);
  column_.nominal = nominal;
}

void ColumnWriter::reserve_rows(std::size_t rows) {
  column_.numbers.resize(rows);
  if (!column_.marks.empty()) column_.marks.resize(rows, kNumberCell);
}

void ColumnWriter::set_cell(std::size_t row, std::string_view cell) {
  if (cell.empty()) return set_missing(row);
  const auto number = as_number(cell);
  if (!number) return set_word(row, cell);
  set_number(row, *number);
  if (has_grouped_form(cell)) set_grouped(row);
}

void ColumnWriter::set_grouped(std::size_t row) {
  if (column_.grouped.size() <= row) column_.grouped.resize(row + 1);
  column_.grouped[row] = true;
}

ColumnWriter::Cell ColumnWriter::cell_of(std::string_view cell) {
  if (cell.empty()) return {0, kMissingCell};
  const auto number = as_number(cell);
  if (!number) return {0, index_of(cell)};
  if (!has_grouped_form(cell)) return {*number, kNumberCell};
  has_grouped_marks_ = true;
  return {*number, kGroupedCell};
}

std::span<std::int32_t> ColumnWriter::marks() {
  if (column_.marks.empty()) {
    column_.marks.reserve(column_.numbers.capacity());
    column_.marks.assign(column_.numbers.size(), kNumberCell);
  }
  return column_.marks;
}

Column ColumnWriter::finish(std::size_t rows) {
  reserve_rows(rows);
  move_grouped_marks();
  Column done = std::exchange(column_, Column{});
  column_.name = done.name;
  column_.nominal = done.nominal;
  slots_.clear();
  last_ = -1;
  return done;
}

void ColumnWriter::move_grouped_marks() {
  if (!std::exchange(has_grouped_marks_, false)) return;
  for (std::size_t row = 0; row < column_.marks.size(); ++row) {
    if (column_.marks[row] != kGroupedCell) continue;
    column_.marks[row] = kNumberCell;
    set_grouped(row);
  }
}

void ColumnWriter::mark(std::size_t row, std::int32_t mark) { marks()[row] = mark; }

std::int32_t ColumnWriter::index_of(std::string_view word) {
  auto& words = column_.words;
  if (last_ >= 0 && words[static_cast<std::size_t>(last_)] == word) return last_;
  if (2 * words.size() >= slots_.size()) rehash();
  std::size_t at = std::hash<std::string_view>{}(word) & (slots_.size() - 1);
  while (slots_[at] >= 0 && words[static_cast<std::size_t>(slots_[at])] != word) at = (at + 1) & (slots_.size() - 1);
  if (slots_[at] < 0) {
    slots_[at] = static_cast<std::int32_t>(words.size());
    words.emplace_back(word);
  }
  return last_ = slots_[at];
}

std::int32_t ColumnWriter::known_mark(std::string_view word) const {
  if (slots_.empty()) return -1;
  std::size_t at = std::hash<std::string_view>{}(word) & (slots_.size() - 1);
  while (slots_[at] >= 0 && column_.words[static_cast<std::size_t>(slots_[at])] != word) {
    at = (at + 1) & (slots_.size() - 1);
  }
  return slots_[at];
}

void ColumnWriter::rehash() {
  slots_.assign(slots_.empty() ? 16 : 2 * slots_.size(), -1);
  for (std::size_t i = 0; i < column_.words.size(); ++i) {
    std::size_t at = std::hash<std::string_view>{}(column_.words[i]) & (slots_.size() - 1);
    while (slots_[at] >= 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = static_cast<std::int32_t>(i);
  }
}

}  // namespace perpend
