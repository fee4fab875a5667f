// Parses dates and times in the forms that tables contain.
//
//     year first     2024-03-01, 2024/03/01          with a time behind a blank or T: 12:30, 12:30:15, 12:30:15.5,
//     day first      01.03.2024, 1/3/2024, 1-3-2024  also 1:30 PM, and with a zone behind it: Z, +02:00, -0530
//     month first    03/01/2024, 3-1-2024
//
// Years have four digits. A day that the calendar does not have is not a date.
#pragma once

#include <optional>
#include <string_view>

namespace perpend {

enum class DateOrder { year_first, day_first, month_first };

struct DateTime {
  double days = 0;  // days since 1970-01-01 in UTC; a time without a zone counts as UTC
  // These are as the text gives them, in its own zone:
  int year = 0;
  int month = 0;    // 1 to 12
  int day = 0;      // 1 to 31
  int weekday = 0;  // 1 (Monday) to 7
  double hour = 0;  // 12.5 is half past twelve
};

std::optional<DateTime> parse_date(std::string_view text, DateOrder order);

}  // namespace perpend
