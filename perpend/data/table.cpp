#include "perpend/data/table.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "perpend/base/message.h"

namespace perpend {

namespace {

bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }

bool is_code(std::string_view digits) {
  return digits.size() > 1 && digits[0] == '0' && std::all_of(digits.begin(), digits.end(), is_ascii_digit);
}

// The whole cell as a double. It is infinite if the number is too large. Nothing if the cell is not written as a
// number.
std::optional<double> parse(std::string_view cell) {
  if (cell.starts_with('+') && !cell.starts_with("+-")) cell.remove_prefix(1);
  const std::string_view unsigned_part = cell.substr(cell.starts_with('-') ? 1 : 0);
  if (unsigned_part.empty() || is_code(unsigned_part)) return {};
  double number = 0;
  const auto end = cell.data() + cell.size();
  const auto result = fast_float::from_chars(cell.data(), end, number);
  if (result.ptr != end || std::isnan(number)) return {};
  return number;
}

// 1e39 and 1e400 are beyond float. inf is not: it has no digits, so it is meant as infinity.
bool beyond_float(double number, std::string_view cell) {
  return std::abs(number) >= kFloatEnd && std::any_of(cell.begin(), cell.end(), is_ascii_digit);
}

bool equal_ignoring_case(std::string_view a, std::string_view lower) {
  const auto same = [](char x, char y) { return (x >= 'A' && x <= 'Z' ? x - 'A' + 'a' : x) == y; };
  return a.size() == lower.size() && std::equal(a.begin(), a.end(), lower.begin(), same);
}

}  // namespace

std::optional<double> as_number(std::string_view cell) {
  const auto number = parse(cell);
  return number && beyond_float(*number, cell) ? std::nullopt : number;
}

bool has_grouped_form(std::string_view cell) {
  if (cell.starts_with('-') || cell.starts_with('+')) cell.remove_prefix(1);
  const std::size_t point = cell.find('.');
  return point >= 1 && point <= 3 && cell.size() == point + 4 && cell[0] != '0' &&
         std::ranges::count_if(cell, is_ascii_digit) + 1 == std::ssize(cell);
}

bool is_beyond_float(std::string_view cell) {
  const auto number = parse(cell);
  return number && beyond_float(*number, cell);
}

std::string number_name(double number) {
  std::array<char, 32> text{};
  const bool whole = std::abs(number) < 0x1p53 && number == std::trunc(number);
  const auto result = whole ? std::to_chars(text.begin(), text.end(), static_cast<std::int64_t>(number))
                            : std::to_chars(text.begin(), text.end(), number);
  return {text.data(), result.ptr};
}

bool is_missing_word(std::string_view word) {
  constexpr std::array<std::string_view, 5> kWords = {"?", "na", "n/a", "nan", "null"};
  return std::any_of(kWords.begin(), kWords.end(), [&](auto known) { return equal_ignoring_case(word, known); });
}

std::string Column::text(std::size_t row) const {
  const std::int32_t at = mark(row);
  if (at == kNumberCell) return number_name(number(row));
  return at == kMissingCell ? std::string() : words[static_cast<std::size_t>(at)];
}

void copy_views(std::span<Column> columns, std::size_t rows) {
  for (Column& column : columns) {
    if (column.view.first != nullptr) column.numbers.resize(rows);
  }
  for (std::size_t first = 0; first < rows; first += kViewBlock) {
    const std::size_t last = std::min(first + kViewBlock, rows);
    for (Column& column : columns) {
      if (column.view.first == nullptr) continue;
      for (std::size_t row = first; row < last; ++row) column.numbers[row] = column.view[row];
    }
  }
  for (Column& column : columns) column.view = {};
}

void RowLines::append(std::size_t row, std::size_t line) {
  if (!jumps_.empty() && jumps_.back().line + (row - jumps_.back().row) == line) return;
  jumps_.push_back({row, line});
}

std::optional<std::size_t> RowLines::line(std::size_t row) const {
  const auto after =
      std::upper_bound(jumps_.begin(), jumps_.end(), row, [](std::size_t r, const Jump& jump) { return r < jump.row; });
  if (after == jumps_.begin()) return {};
  const Jump& jump = *std::prev(after);
  return jump.line + (row - jump.row);
}

const Column* Table::find(std::string_view name) const {
  const auto at = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == name; });
  return at == columns.end() ? nullptr : &*at;
}

std::vector<std::string> Table::names() const {
  std::vector<std::string> names;
  names.reserve(columns.size());
  for (const Column& column : columns) names.push_back(column.name);
  return names;
}

std::string Table::place(std::size_t row) const {
  const auto after = std::upper_bound(parts.begin(), parts.end(), row,
                                      [](std::size_t r, const Part& part) { return r < part.first_row; });
  const Part* part = after == parts.begin() ? nullptr : &*std::prev(after);
  const std::string file = printable(part != nullptr ? part->source : source);
  if (part != nullptr) row -= part->first_row;
  if (const auto line = (part != nullptr ? part->lines : lines).line(row)) return file + ":" + std::to_string(*line);
  return file + "[" + std::to_string(first_row + row) + "]";
}

}  // namespace perpend
