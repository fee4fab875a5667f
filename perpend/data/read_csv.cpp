#include "perpend/data/read_csv.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/separator.h"

namespace perpend {

namespace {

// There are few rows at first, because a hundred thousand columns times four thousand rows would not fit.
constexpr std::size_t kFirstRows = 16;
constexpr std::size_t kRowsPerStep = 4096;

bool ends_cell(const char* p, char separator) { return *p == separator || *p == '\n' || (*p == '\r' && p[1] == '\n'); }

constexpr std::array<double, 23> kPowers = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                            1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr std::array<std::uint64_t, 9> kWholePowers = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

struct Digits {
  std::uint64_t value;
  std::size_t count;  // 0 to 8
};

// Sets the high bit of the first byte of `word` that equals `c`. Bytes after it may be marked too.
inline std::uint64_t first_equal(std::uint64_t word, char c) {
  const std::uint64_t zeros = word ^ (0x0101010101010101U * static_cast<unsigned char>(c));
  return (zeros - 0x0101010101010101U) & ~zeros & 0x8080808080808080U;
}

// Finds the first separator, quote or line end from p on, eight bytes at a time. The window keeps them readable.
inline const char* next_mark(const char* p, char separator) {
  while (true) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, p, 8);
    const std::uint64_t marks =
        first_equal(bytes, separator) | first_equal(bytes, '\n') | first_equal(bytes, '"') | first_equal(bytes, '\r');
    if (marks != 0) return p + std::countr_zero(marks) / 8;
    p += 8;
  }
}

// Reads the digits at p, at most eight, without a branch per digit. The window keeps eight bytes beyond its end
// readable.
inline Digits leading_digits(const char* p) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, p, 8);
  bytes ^= 0x3030303030303030U;  // digits become 0 .. 9; with 0x76 added, all other bytes are above 0x7f
  const std::uint64_t others = ((bytes + 0x7676767676767676U) | bytes) & 0x8080808080808080U;
  const int count = std::countr_zero(others) / 8;
  bytes = count == 0 ? 0 : bytes << (8 * (8 - count));  // the last digit is in the top byte, zeros are before the first
  bytes = bytes * 10 + (bytes >> 8);                    // joins pairs, then fours, then all eight
  bytes = (((bytes & 0x000000FF000000FFU) * 0x000F424000000064U) +
           (((bytes >> 16) & 0x000000FF000000FFU) * 0x0000271000000001U)) >>
          32;
  return {bytes, static_cast<std::size_t>(count)};
}

// Adds a run of digits to the mantissa and returns its length.
inline std::size_t take_digits(const char* p, std::uint64_t* mantissa) {
  const char* first = p;
  Digits digits{};
  do {
    digits = leading_digits(p);
    *mantissa = *mantissa * kWholePowers[digits.count] + digits.value;
    p += digits.count;
  } while (digits.count == 8);
  return static_cast<std::size_t>(p - first);
}

// Reads the common cell, a plain number that ends at its delimiter. Returns the end of the number, or nullptr if the
// slow path must read it. Digits and a point alone give m / 10^k, which is correctly rounded if m < 2^53 and k <= 22
// (Clinger 1990). fast_float does the rest.
inline const char* plain_number(const char* first, const char* end, char separator, double* number, bool* grouped) {
  const bool negative = *first == '-';
  const char* p = first + negative;
  std::uint64_t mantissa = 0;
  std::size_t count = take_digits(p, &mantissa);
  if (count == 0 || (count > 1 && *p == '0')) return nullptr;
  p += count;
  std::size_t decimals = 0;
  if (*p == '.') {
    decimals = take_digits(++p, &mantissa);
    p += decimals;
    count += decimals;
  }
  if (count <= 19 && mantissa < (std::uint64_t{1} << 53) && ends_cell(p, separator)) {
    const auto size = std::bit_cast<std::uint64_t>(static_cast<double>(mantissa) / kPowers[decimals]);
    *number = std::bit_cast<double>(size | (std::uint64_t{negative} << 63));  // no branch, because signs are random
    *grouped = decimals == 3 && count <= 6 && mantissa >= 1000;
    return p;
  }
  p = fast_float::from_chars(first, end, *number).ptr;
  return ends_cell(p, separator) && std::abs(*number) < kFloatEnd ? p : nullptr;
}

}  // namespace

CsvReader::CsvReader(ByteSource source)
    : window_(std::move(source), TextWindow::RecordEnd::outside_quotes),
      separator_(find_separator(window_.opening(kSeparatorBytes))) {
  read_header();
  check_names();
  writers_.reserve(names_.size());
  for (const std::string& name : names_) writers_.emplace_back(name);
}

bool CsvReader::next(Table& block, std::size_t max_rows) {
  while (rows_ < max_rows && have_text()) {
    if (skip_empty_line()) continue;
    if (rows_ == reserved_) grow();
    lines_.append(rows_, line_);
    read_row();
    ++rows_;
  }
  if (rows_ == 0 && rows_before_ == 0) no_rows();
  if (rows_ == 0) return false;
  block = finish_block();
  return true;
}

void CsvReader::no_rows() const {
  throw DataError(fmt::format("{} has a header but no rows", printable(window_.name())));
}

void CsvReader::select(std::span<const std::size_t> columns) {
  slots_.assign(names_.size(), kNotSelected);
  doubled_.resize(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) slots_[columns[i]] = i;
}

bool CsvReader::next_row(std::span<std::string_view> cells) {
  while (have_text() && skip_empty_line()) {
  }
  if (at_ == end_) {
    if (rows_before_ == 0) no_rows();
    return false;
  }
  row_line_ = line_;
  const std::size_t last = names_.size() - 1;
  for (std::size_t column = 0; column <= last; ++column) {
    const std::string_view text = take_cell(column);
    if (const std::size_t slot = slots_[column]; slot != kNotSelected) {
      cells[slot] = text;
      if (text.data() == scratch_.data()) cells[slot] = doubled_[slot] = text;
    }
    if (*at_ != (column == last ? '\n' : separator_)) wrong_length(column + 1);
    ++at_;
  }
  ++line_;
  ++rows_before_;
  return true;
}

std::string CsvReader::row_place() const { return fmt::format("{}:{}", printable(window_.name()), row_line_); }

bool CsvReader::have_text() {
  if (at_ != end_) return true;
  const std::string_view text = window_.next_records(line_);
  at_ = text.data();
  end_ = text.data() + text.size();
  return !text.empty();
}

// In a table of one column an empty line is a row, because there is no other way to write a missing cell.
bool CsvReader::skip_empty_line() {
  const bool empty = *at_ == '\n' || (*at_ == '\r' && at_[1] == '\n');
  if (!empty || names_.size() == 1) {
    if (empty_line_ != 0) fail(empty_line_, "there is an empty line inside the table");
    return false;
  }
  if (empty_line_ == 0) empty_line_ = line_;
  at_ += *at_ == '\r' ? 2 : 1;
  ++line_;
  return true;
}

void CsvReader::read_header() {
  if (!have_text()) throw DataError(fmt::format("{} is empty", printable(window_.name())));
  do {
    if (names_.size() == kMaxColumns) fail(1, fmt::format("there are more than {} columns", thousands(kMaxColumns)));
    names_.emplace_back(take_cell(names_.size()));
    if (names_.back().empty()) {
      fail(1, fmt::format("column {} has no name; the first line must name every column", names_.size()));
    }
  } while (*at_++ == separator_);
  ++line_;
}

void CsvReader::check_names() const {
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const auto [first, added] = seen.emplace(names_[i], i);
    if (!added)
      fail(1, fmt::format("columns {} and {} are both called {}", first->second + 1, i + 1, quote(names_[i])));
  }
  if (std::all_of(names_.begin(), names_.end(), [](const auto& name) { return as_number(name).has_value(); })) {
    fail(1, fmt::format("the header {} has only numbers; the first line must name the columns", quote(names_[0])));
  }
}

void CsvReader::read_row() {
  const std::size_t last = names_.size() - 1;
  for (std::size_t column = 0; column < last; ++column) {
    read_cell(column);
    if (*at_ != separator_) wrong_length(column + 1);
    ++at_;
  }
  read_cell(last);
  if (*at_ != '\n') wrong_length(last + 1);
  ++at_;
  ++line_;
}

inline void CsvReader::read_cell(std::size_t column) {
  double number = 0;
  bool grouped = false;
  if (const char* p = plain_number(at_, end_, separator_, &number, &grouped)) {
    writers_[column].set_number(rows_, number);
    if (grouped) writers_[column].set_grouped(rows_);
    at_ = p + (*p == '\r' ? 1 : 0);
    return;
  }
  writers_[column].set_cell(rows_, take_cell(column));
}

// Leaves at_ on the separator or newline that ends the cell.
std::string_view CsvReader::take_cell(std::size_t column) {
  while (is_space(*at_)) ++at_;
  return *at_ == '"' ? take_quoted(column) : take_unquoted(column);
}

std::string_view CsvReader::take_quoted(std::size_t column) {
  const std::size_t opened = line_;
  const char* first = ++at_;
  const char* closed = nullptr;
  scratch_.clear();
  bool doubled = false;
  while (true) {
    closed = static_cast<const char*>(std::memchr(at_, '"', static_cast<std::size_t>(end_ - at_)));
    if (closed == nullptr) {
      const bool too_long = static_cast<std::size_t>(end_ - first) > kMaxRecordBytes;
      fail(opened, fmt::format("the quote opened in column {} is not closed {}", column + 1,
                               too_long ? "within 16 MiB" : "before the end of the file"));
    }
    at_ = closed + 1;
    if (*at_ != '"') break;
    scratch_.append(first, at_);
    doubled = true;
    first = ++at_;
  }
  if (doubled) scratch_.append(first, closed);
  const std::string_view text = doubled ? std::string_view(scratch_) : std::string_view(first, closed);
  line_ += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  while (is_space(*at_)) ++at_;
  if (!ends_cell(at_, separator_))
    fail(line_, fmt::format("there is text after the closing quote in column {}", column + 1));
  if (*at_ == '\r') ++at_;
  return text;
}

std::string_view CsvReader::take_unquoted(std::size_t column) {
  const char* first = at_;
  at_ = next_mark(at_, separator_);
  if (!ends_cell(at_, separator_)) {
    const char* what = *at_ == '"' ? "stray quote; put the whole cell in quotes and double the quotes in it"
                                   : "carriage return inside a cell; lines must end in LF or CRLF";
    fail(line_, fmt::format("column {}: {}", column + 1, what));
  }
  const char* last = at_;
  while (last != first && is_space(last[-1])) --last;
  if (*at_ == '\r') ++at_;
  return {first, last};
}

void CsvReader::grow() {
  reserved_ += std::clamp(reserved_, kFirstRows, kRowsPerStep);
  for (ColumnWriter& writer : writers_) writer.reserve_rows(reserved_);
}

Table CsvReader::finish_block() {
  Table table{.source = window_.name(),
              .rows = rows_,
              .columns = {},
              .lines = {},
              .first_row = rows_before_,
              .separator = separator_};
  table.columns.reserve(writers_.size());
  for (ColumnWriter& writer : writers_) table.columns.push_back(writer.finish(rows_));
  table.lines = std::exchange(lines_, {});
  rows_before_ += rows_;
  rows_ = 0;
  reserved_ = 0;
  return table;
}

void CsvReader::wrong_length(std::size_t read) {
  const std::size_t line = lines_.line(rows_).value_or(row_line_);
  while (*at_ == separator_) {
    ++at_;
    take_cell(read++);
  }
  fail(line, fmt::format("the row has {} where the header has {}", counted(read, "cell"), names_.size()));
}

void CsvReader::fail(std::size_t line, const std::string& what) const {
  throw DataError(fmt::format("{}:{}: {}", printable(window_.name()), line, what));
}

Table read_csv(const std::string& path) { return read_csv(open_bytes(path)); }

Table read_csv(ByteSource source) {
  CsvReader reader(std::move(source));
  Table table;
  reader.next(table, std::numeric_limits<std::size_t>::max());
  return table;
}

}  // namespace perpend
