#include "perpend/data/dates.h"

#include <chrono>
#include <cstddef>

namespace perpend {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes characters off a text as long as they fit. After the first that does not fit, `good` stays false.
class Taker {
 public:
  explicit Taker(std::string_view text) : rest_(text) {}

  bool good() const { return good_; }
  bool done() const { return rest_.empty(); }
  char next() const { return rest_.empty() ? '\0' : rest_[0]; }

  // A whole number between low and high. Its number of digits is between least_digits and most_digits.
  int number(std::size_t least_digits, std::size_t most_digits, int low, int high) {
    int value = 0;
    std::size_t digits = 0;
    for (; digits < most_digits && is_digit(next()); ++digits) value = 10 * value + (take() - '0');
    good_ = good_ && digits >= least_digits && value >= low && value <= high;
    return value;
  }
  bool take_if(char c) {
    if (next() != c) return false;
    take();
    return true;
  }
  void must(char c) { good_ = take_if(c) && good_; }
  void fail() { good_ = false; }

 private:
  char take() {
    const char c = rest_[0];
    rest_.remove_prefix(1);
    return c;
  }

  std::string_view rest_;
  bool good_ = true;
};

std::chrono::year_month_day take_day(Taker& text, DateOrder order) {
  const bool year_first = order == DateOrder::year_first;
  int year = year_first ? text.number(4, 4, 1, 9999) : 0;
  const char mark = year_first ? text.next() : '\0';
  if (year_first) text.take_if(mark);
  int first = text.number(1, 2, 1, 31);
  const char between = text.next();
  text.take_if(between);
  const int second = text.number(1, 2, 1, 31);
  if (!year_first) {
    text.must(between);
    year = text.number(4, 4, 1, 9999);
  }
  const bool marks_fit = between == '-' || between == '/' || (between == '.' && !year_first);
  if (!marks_fit || (year_first && mark != between)) text.fail();
  const int month = order == DateOrder::day_first ? second : first;
  const int day = order == DateOrder::day_first ? first : second;
  return {std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
          std::chrono::day(static_cast<unsigned>(day))};
}

// The hour of the day, with minutes and seconds as its fraction.
double take_time(Taker& text) {
  int hour = text.number(1, 2, 0, 23);
  text.must(':');
  const int minute = text.number(2, 2, 0, 59);
  double second = 0;
  if (text.take_if(':')) {
    second = text.number(2, 2, 0, 59);
    if (text.take_if('.')) {
      double place = 1;
      for (int digits = 0; digits < 9 && is_digit(text.next()); ++digits) {
        place *= 10;
        second += text.number(1, 1, 0, 9) / place;
      }
      if (place == 1) text.fail();
    }
  }
  text.take_if(' ');
  const bool afternoon = text.next() == 'P' || text.next() == 'p';
  if (afternoon || text.next() == 'A' || text.next() == 'a') {
    text.take_if(text.next());
    if (!text.take_if('M')) text.must('m');
    if (hour < 1 || hour > 12) text.fail();
    hour = hour % 12 + (afternoon ? 12 : 0);
  }
  return hour + minute / 60.0 + second / 3600.0;
}

// The hours by which the zone is ahead of UTC.
double take_zone(Taker& text) {
  if (text.take_if('Z')) return 0;
  const bool behind = text.next() == '-';
  if (!behind && text.next() != '+') return 0;
  text.take_if(text.next());
  const int hours = text.number(2, 2, 0, 14);
  text.take_if(':');
  const int minutes = is_digit(text.next()) ? text.number(2, 2, 0, 59) : 0;
  const double ahead = hours + minutes / 60.0;
  return behind ? -ahead : ahead;
}

}  // namespace

std::optional<DateTime> parse_date(std::string_view text, DateOrder order) {
  if (text.size() < 8 || !is_digit(text[0])) return std::nullopt;
  Taker taker(text);
  const std::chrono::year_month_day date = take_day(taker, order);
  if (!taker.good() || !date.ok()) return std::nullopt;
  double hour = 0;
  double ahead = 0;
  if (!taker.done()) {
    if (!taker.take_if('T')) taker.must(' ');
    hour = take_time(taker);
    ahead = take_zone(taker);
  }
  if (!taker.good() || !taker.done()) return std::nullopt;
  const std::chrono::sys_days day(date);
  return DateTime{.days = static_cast<double>(day.time_since_epoch().count()) + (hour - ahead) / 24.0,
                  .year = static_cast<int>(date.year()),
                  .month = static_cast<int>(static_cast<unsigned>(date.month())),
                  .day = static_cast<int>(static_cast<unsigned>(date.day())),
                  .weekday = static_cast<int>(std::chrono::weekday(day).iso_encoding()),
                  .hour = hour};
}

}  // namespace perpend
