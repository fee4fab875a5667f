// A table as it was read: named columns of raw cells, before anyone decided what they mean.
//
// A cell is a number, a word or missing, and a column may mix them. Whether `n/a` among ten thousand numbers is a gap
// or a mistake is for the schema to decide (schema.h), because it sees the whole column. Reading makes three decisions:
//
//   missing  is the empty cell, quoted or not, and what a format itself calls missing (`?` in ARFF, NaN in npy). Words
//            such as NA or ? stay words here, because in a column of letters they may be a level.
//   number   is what as_number() accepts: decimal digits with sign, point and exponent, inf and infinity, within float
//            range. An integer with leading zeros (007) is a code, not a quantity. So it is a word.
//   word     is everything else. Its bytes are kept.
//
// A number that serves as a name (a class, a level) is named by its value, so 1, 1.0 and +1 are one level `1`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perpend {

constexpr std::int32_t kNumberCell = -1;
constexpr std::int32_t kMissingCell = -2;

// Numbers that stay where they are: an array of float or double that someone else keeps alive, with a fixed step.
struct NumbersView {
  const void* first = nullptr;
  std::ptrdiff_t step = 0;  // bytes from one row to the next, of any sign
  bool floats = false;      // floats or else doubles

  double operator[](std::size_t row) const {
    const char* at = static_cast<const char*>(first) + static_cast<std::ptrdiff_t>(row) * step;
    return floats ? static_cast<double>(load<float>(at)) : load<double>(at);
  }

 private:
  template <class T>
  static T load(const char* at) {
    T value;
    std::memcpy(&value, at, sizeof(T));
    return value;
  }
};

struct Column {
  std::string name;
  std::vector<double> numbers;      // per row: the number, never NaN; 0 where the cell is not a number
  std::vector<std::int32_t> marks;  // per row: kNumberCell, kMissingCell or an index into words; empty: all numbers
  std::vector<std::string> words;   // each once, in order of appearance
  bool nominal = false;             // the file itself declares the column categorical (ARFF)
  std::vector<bool> grouped = {};   // per row, perhaps for the first rows only: see is_grouped
  NumbersView view = {};            // if set, it replaces `numbers`; it may be NaN where marks say missing

  double number(std::size_t row) const { return view.first != nullptr ? view[row] : numbers[row]; }
  std::int32_t mark(std::size_t row) const { return marks.empty() ? kNumberCell : marks[row]; }
  bool is_number(std::size_t row) const { return mark(row) == kNumberCell; }
  bool is_missing(std::size_t row) const { return mark(row) == kMissingCell; }
  // Whether the number was written like 1.234: up to three digits, a point and three digits. If points separate
  // thousands (reading.h), it means a thousand times the number that is here.
  bool is_grouped(std::size_t row) const { return row < grouped.size() && grouped[row]; }
  // The cell as a name: the word, number_name() of the number, or nothing if it is missing.
  std::string text(std::size_t row) const;
};

// How many rows of a foreign array are read together. The columns of an array in C order share cache lines.
constexpr std::size_t kViewBlock = 1024;

// Copies the numbers of columns that are views into `numbers`. They are then no longer views.
void copy_views(std::span<Column> columns, std::size_t rows);

// Line numbers of rows. Most rows are on line row + 2. Cells with line breaks change that, so the class stores the
// jumps.
class RowLines {
 public:
  void append(std::size_t row, std::size_t line);  // rows ascending
  std::optional<std::size_t> line(std::size_t row) const;

 private:
  struct Jump {
    std::size_t row;
    std::size_t line;
  };
  std::vector<Jump> jumps_;
};

struct Table {
  std::string source;  // path, or stdin
  std::size_t rows = 0;
  std::vector<Column> columns = {};
  RowLines lines = {};
  std::size_t first_row = 0;  // for a block: how many rows of the source come before it
  char separator = ',';       // between its cells, if it was CSV

  // One of several files that the rows come from.
  struct Part {
    std::string source;
    std::size_t first_row = 0;
    RowLines lines = {};
  };
  std::vector<Part> parts = {};

  const Column* find(std::string_view name) const;  // nullptr if there is no such column
  std::vector<std::string> names() const;
  // The place of a row for messages: "loans.csv:4182", or without lines "X.npy[17]", as numpy counts. With parts it is
  // the place in the part.
  std::string place(std::size_t row) const;
};

std::optional<double> as_number(std::string_view cell);
// Whether a cell that is a number is written as Column::is_grouped says. 0.123 is not, because no number of thousands
// begins with 0.
bool has_grouped_form(std::string_view cell);
// The shortest text that reads back as the same number. Integers below 2^53 have no exponent.
std::string number_name(double number);
// True for ? NA N/A NaN null in any letter case: words that mean "missing" where a number is due.
bool is_missing_word(std::string_view word);
// A double below this rounds to a finite float. The limit is a little above the largest float, because numpy prints
// that one as 3.4028235e+38, which is a little more as a double.
constexpr double kFloatEnd = 0x1.ffffffp127;
// True for text that is a number but too large for a float (1e39).
bool is_beyond_float(std::string_view cell);

}  // namespace perpend
