// Numbers and dates as people write them: `$1,234`, `€ 12.50`, `12 %`, `1 234`, `1.234,56`, `1,5`, `2024-03-01 12:30`.
//
// A column whose every word is such a number is a column of numbers. Its reading says how a word becomes one, and a
// model keeps it, so that later rows are read in the same way. A word is
//
//     sign, unit, sign, digits, unit      each but the digits may be absent, with blanks between them
//
// unit    one of the currencies below, or %. All cells of a column that have a unit have the same. 12 % is 12.
// digits  in groups of three or in one run, then the decimals. Groups are parted by blanks, apostrophes, or by the one
// of
//         comma and point that does not begin the decimals. A leading zero (0123) makes a code of it, which is no
//         number.
//
// Which of comma and point begins the decimals is found by trying both on all words of the column. If both read them
// all, as with 1,234 in every cell, the comma begins the decimals in tables whose cells are separated by semicolons,
// because programs write these where the comma is taken; elsewhere the point does. A cell that the table's reader took
// for a number is that number; if it has decimals, the column's decimals begin with a point. The exception is a cell
// such as 1.000 or 1.234 (Column::is_grouped). It says nothing about the point, and where the comma begins the decimals
// it is a thousand times as much. So 1.000 beside 999,50 is one thousand. Beside 5,678 either may be meant, and that is
// an error.
//
// A column whose every cell is a date (dates.h) becomes up to four inputs: `when`, its days since 1970, `when.month`,
// `when.weekday` (1 is Monday) and `when.hour`, the last three where they vary. Which of day and month comes first is
// found by trying both on all words. If both read them all, the month comes first between slashes, and the day
// elsewhere.
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
  std::string unit = {};    // of numbers: that cells may have
  Part part = Part::time;   // of dates: which number is made of a cell

  bool is_plain() const { return form == Form::plain; }
  bool is_date() const { return form >= Form::year_first; }
  bool operator==(const Reading&) const = default;
};

// What comes behind the column's name in that of an input: "" or, for example, ".month".
std::string_view ending_of(Reading::Part part);

// The number that the word is; nothing when the reading does not know it, or when it is beyond float range.
std::optional<double> read_number(std::string_view word, const Reading& reading);

// The reading of the column's words. It reads all of them that do not mean "missing", or at least 20 and 95 % of them,
// so that the others can be named. Plain otherwise. Throws DataError where cells such as 1.234 contradict the others
// and none decides.
Reading find_reading(const Table& table, const Column& column);
// "'$1,234' as 1234": how the longest word is read, and beside decimal commas how a cell such as 1.000 is.
std::string reading_example(const Column& column, const Reading& reading);

// Whether all words of a column of dates could be read with day and month the other way round.
bool is_order_open(const Column& column, const Reading& reading);
// The day of a date as 2024-03-01.
std::string day_text(std::string_view word, const Reading& reading);

// What 1.234 is where the point parts thousands.
double thousand_times(double grouped);

bool is_unit(std::string_view text);

}  // namespace perpend
