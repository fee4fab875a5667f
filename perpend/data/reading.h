// Numbers and dates as people write them: `$1,234`, `€ 12.50`, `12 %`, `1 234`, `1.234,56`, `1,5`, `2024-03-01 12:30`.
//
// A column is a column of numbers if every word of it is such a number. Its reading says how a word becomes a number.
// A model keeps the reading, so that later rows are read in the same way. A word is
//
//     sign, unit, sign, digits, unit      all but the digits may be absent, and blanks may stand between them
//
// unit    is one of the currencies below, or %. All cells of a column that have a unit have the same. 12 % is 12.
// digits  stand in groups of three or in one run, and the decimals follow. Groups are separated by blanks, by
//         apostrophes, or by the comma or the point, whichever does not begin the decimals. With a leading zero (0123)
//         they are a code, not a number.
//
// Either the comma or the point begins the decimals. perpend tries both on all words of the column. If both read them
// all, as with 1,234 in every cell, the separator of the table decides. If it is the semicolon, the comma begins the
// decimals, because programs write semicolons where they use the comma for decimals. Otherwise the point does.
//
// A cell that the table's reader took for a number is that number. If it has decimals, the decimals of the column begin
// with a point. A cell such as 1.000 or 1.234 (Column::is_grouped) is the exception. It says nothing about the point,
// and it means a thousand times as much if the comma begins the decimals. So 1.000 beside 999,50 is one thousand.
// Beside 5,678 it may be either, and that is an error.
//
// A column is a column of dates if every cell is a date (dates.h). It becomes up to four inputs: `when`, its days since
// 1970, `when.month`, `when.weekday` (1 is Monday) and `when.hour`. The last three are inputs only if they vary. Either
// the day or the month comes first, and perpend tries both on all words. If both read them all, the month comes first
// between slashes, and the day elsewhere.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace perpend {

struct Column;
struct Table;

struct Reading {
  enum class Form { plain, decimal_point, decimal_comma, year_first, day_first, month_first };
  enum class Part { time, month, weekday, hour };

  Form form = Form::plain;  // plain: no word is a number
  std::string unit = {};    // for numbers: the unit that cells may have
  Part part = Part::time;   // for dates: which number is made of a cell

  bool is_plain() const { return form == Form::plain; }
  bool is_date() const { return form >= Form::year_first; }
  bool operator==(const Reading&) const = default;
};

// What an input's name has behind the name of its column: "" or, for example, ".month".
std::string_view ending_of(Reading::Part part);

// The number that the word means. Nothing if the reading cannot read it, or if it is beyond float range.
std::optional<double> read_number(std::string_view word, const Reading& reading);

// Finds the reading of the column's words. It must read all words that do not mean "missing", or at least 20 of them
// and 95 %, so that the others can be named. Otherwise the reading is plain. Throws DataError if cells such as 1.234
// contradict the others and no cell decides.
Reading find_reading(const Table& table, const Column& column);
// "'$1,234' as 1234": how the longest word is read. With decimal commas it also says how a cell such as 1.000 is read.
std::string reading_example(const Column& column, const Reading& reading);

// Whether all words of a column of dates could be read with day and month the other way round.
bool is_order_open(const Column& column, const Reading& reading);
// The day of a date as 2024-03-01.
std::string day_text(std::string_view word, const Reading& reading);

// The value of 1.234 if the point separates thousands: 1234.
double thousand_times(double grouped);

bool is_unit(std::string_view text);

}  // namespace perpend
