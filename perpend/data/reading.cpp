#include "perpend/data/reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>
#include <vector>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/dates.h"
#include "perpend/data/table.h"

namespace perpend {

namespace {

using Form = Reading::Form;

constexpr std::size_t kMinRead = 20;
constexpr double kReadShare = 0.95;

constexpr std::array<std::string_view, 27> kUnits = {"%",   "$",   "€",   "£",   "¥",   "₹",   "₽", "₩",   "₺",
                                                     "₪",   "₫",   "₴",   "USD", "EUR", "GBP", "CHF", "JPY", "CNY",
                                                     "INR", "CAD", "AUD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK"};
constexpr std::array<std::string_view, 4> kBlanks = {" ", "\u00A0", "\u2009",
                                                     "\u202F"};  // the last three occur in print
constexpr std::array<std::string_view, 2> kApostrophes = {"'", "\u2019"};
constexpr std::array<std::string_view, 2> kMinus = {"-", "\u2212"};
constexpr std::array<std::string_view, 1> kPlus = {"+"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Removes the first of `texts` with which `rest` begins, and returns it. Returns an empty text if there is none.
std::string_view take(std::string_view& rest, std::span<const std::string_view> texts) {
  for (const std::string_view text : texts) {
    if (!rest.starts_with(text)) continue;
    rest.remove_prefix(text.size());
    return text;
  }
  return {};
}

void skip_blanks(std::string_view& rest) {
  while (!take(rest, kBlanks).empty()) {
  }
}

std::string_view take_digits(std::string_view& rest) {
  const auto end = std::ranges::find_if_not(rest, is_digit) - rest.begin();
  const std::string_view digits = rest.substr(0, static_cast<std::size_t>(end));
  rest.remove_prefix(digits.size());
  return digits;
}

// Removes the separator of two groups from the front of `rest`, if three digits follow it.
std::string_view take_group_mark(std::string_view& rest, std::string_view comma_or_point) {
  std::string_view after = rest;
  std::string_view mark = take(after, std::span(&comma_or_point, 1));
  if (mark.empty()) mark = take(after, kBlanks);
  if (mark.empty()) mark = take(after, kApostrophes);
  std::string_view digits = after;
  if (mark.empty() || take_digits(digits).size() < 3) return {};
  rest = after;
  return mark;
}

// The digits at the front of `rest` in the form 1234.5. Empty if they are not written as reading.h says.
std::string take_number(std::string_view& rest, bool comma_decimals) {
  std::string number(take_digits(rest));
  if (number.empty() || (number.size() > 1 && number[0] == '0')) return {};
  const bool may_be_grouped = number.size() <= 3 && number != "0";
  const std::string_view mark = may_be_grouped ? take_group_mark(rest, comma_decimals ? "." : ",") : "";
  for (std::string_view next = mark; !next.empty(); next = take(rest, std::span(&mark, 1))) {
    const std::string_view group = take_digits(rest);
    if (group.size() != 3) return {};
    number += group;
  }
  const std::string_view point = comma_decimals ? "," : ".";
  if (take(rest, std::span(&point, 1)).empty()) return number;
  const std::string_view decimals = take_digits(rest);
  return decimals.empty() ? std::string() : number.append(".").append(decimals);
}

struct Written {
  double number;
  std::string_view unit;
};

std::optional<Written> parse(std::string_view word, bool comma_decimals) {
  skip_blanks(word);
  const auto take_sign = [&](bool& negative) {
    negative = !take(word, kMinus).empty();
    const bool sign = negative || !take(word, kPlus).empty();
    skip_blanks(word);
    return sign;
  };
  bool negative = false;
  const bool sign = take_sign(negative);
  std::string_view unit = take(word, kUnits);
  skip_blanks(word);
  if (!sign) take_sign(negative);
  const std::string number = take_number(word, comma_decimals);
  skip_blanks(word);
  if (unit.empty()) unit = take(word, kUnits);
  skip_blanks(word);
  if (number.empty() || !word.empty()) return std::nullopt;
  const auto value = as_number(number);
  if (!value) return std::nullopt;
  return Written{negative ? -*value : *value, unit};
}

// A reading and how many of the words it reads.
struct Candidate {
  Reading reading;
  std::size_t read = 0;
};

// The unit is that of the first word that has one.
Candidate candidate(std::span<const std::string_view> words, Form form) {
  Candidate found{.reading = {.form = form}};
  std::vector<std::string_view> units;
  for (const std::string_view word : words) {
    const auto written = parse(word, form == Form::decimal_comma);
    if (!written) continue;
    units.push_back(written->unit);
    if (found.reading.unit.empty()) found.reading.unit = written->unit;
  }
  const auto fits = [&](std::string_view unit) { return unit.empty() || unit == found.reading.unit; };
  found.read = static_cast<std::size_t>(std::ranges::count_if(units, fits));
  return found;
}

std::vector<std::string_view> known_words(const Column& column) {
  std::vector<std::string_view> words;
  std::ranges::copy_if(column.words, std::back_inserter(words),
                       [](const auto& word) { return !is_missing_word(word); });
  return words;
}

bool reads_enough(std::size_t read, std::size_t words) {
  const bool nearly = read >= kMinRead && static_cast<double>(read) >= kReadShare * static_cast<double>(words);
  return read == words || nearly;
}

std::optional<DateTime> date_of(std::string_view word, Form form) {
  return parse_date(word, form == Form::year_first  ? DateOrder::year_first
                          : form == Form::day_first ? DateOrder::day_first
                                                    : DateOrder::month_first);
}

double part_of(const DateTime& date, Reading::Part part) {
  switch (part) {
    case Reading::Part::time:
      return date.days;
    case Reading::Part::month:
      return date.month;
    case Reading::Part::weekday:
      return date.weekday;
    case Reading::Part::hour:
      return date.hour;
  }
  return date.days;
}

std::size_t count_dates(std::span<const std::string_view> words, Form form) {
  return static_cast<std::size_t>(
      std::ranges::count_if(words, [&](std::string_view word) { return date_of(word, form).has_value(); }));
}

bool has_numbers(const Column& column) {
  for (std::size_t row = 0; row < column.marks.size(); ++row) {
    if (column.is_number(row)) return true;
  }
  return false;
}

Reading find_dates(const Column& column, std::span<const std::string_view> words) {
  if (has_numbers(column)) return {};
  const bool slashes = words[0].find('/') != std::string_view::npos;
  Reading best;
  std::size_t most = 0;
  for (const Form form : {Form::year_first, slashes ? Form::month_first : Form::day_first,
                          slashes ? Form::day_first : Form::month_first}) {
    const std::size_t read = count_dates(words, form);
    if (read > most) best.form = form;
    most = std::max(most, read);
  }
  return most > 0 && reads_enough(most, words.size()) ? best : Reading{};
}

// Whether a cell has decimals that begin with a point and are not a group of three digits.
bool has_decimals(const Column& column) {
  for (std::size_t row = 0; row < column.marks.size(); ++row) {
    if (!column.is_number(row) || column.is_grouped(row)) continue;
    if (std::trunc(column.number(row)) != column.number(row)) return true;
  }
  return false;
}

// The first cell such as 1.234.
std::optional<std::size_t> first_grouped(const Column& column) {
  const auto found = std::ranges::find(column.grouped, true);
  if (found == column.grouped.end()) return std::nullopt;
  return static_cast<std::size_t>(found - column.grouped.begin());
}

std::string grouped_text(const Column& column, std::size_t row) { return fmt::format("{:.3f}", column.number(row)); }

// Throws if comma and point both read all words, and cells such as 1.234 contradict the choice.
void refuse_if_unclear(const Table& table, const Column& column, std::span<const std::string_view> words) {
  const auto grouped = first_grouped(column);
  if (!grouped) return;
  const auto doubtful = std::ranges::find_if(words, [&](std::string_view word) {
    const auto point = parse(word, false);
    const auto comma = parse(word, true);
    return point && comma && point->number != comma->number && (table.separator == ';' || word.find(',') != word.npos);
  });
  if (doubtful == words.end()) return;
  throw DataError(
      fmt::format("{}: column {} has {} beside {}, and no cell says whether a comma or a point begins the decimals; "
                  "write its numbers without marks of thousands",
                  table.place(*grouped), quote(column.name), quote(grouped_text(column, *grouped)), quote(*doubtful)));
}

}  // namespace

bool is_order_open(const Column& column, const Reading& reading) {
  const std::vector<std::string_view> words = known_words(column);
  if (reading.form == Form::year_first) return false;
  const Form other = reading.form == Form::day_first ? Form::month_first : Form::day_first;
  return count_dates(words, other) == words.size();
}

std::string day_text(std::string_view word, const Reading& reading) {
  const auto date = date_of(word, reading.form);
  PERPEND_CHECK(date);
  return fmt::format("{:04}-{:02}-{:02}", date->year, date->month, date->day);
}

std::string_view ending_of(Reading::Part part) {
  switch (part) {
    case Reading::Part::time:
      return "";
    case Reading::Part::month:
      return ".month";
    case Reading::Part::weekday:
      return ".weekday";
    case Reading::Part::hour:
      return ".hour";
  }
  return "";
}

double thousand_times(double grouped) { return std::round(1000 * grouped); }

bool is_unit(std::string_view text) { return std::ranges::find(kUnits, text) != kUnits.end(); }

std::optional<double> read_number(std::string_view word, const Reading& reading) {
  if (reading.is_plain()) return std::nullopt;
  if (reading.is_date()) {
    const auto date = date_of(word, reading.form);
    if (!date) return std::nullopt;
    return part_of(*date, reading.part);
  }
  const auto written = parse(word, reading.form == Form::decimal_comma);
  if (!written || (!written->unit.empty() && written->unit != reading.unit)) return std::nullopt;
  return written->number;
}

std::string reading_example(const Column& column, const Reading& reading) {
  const std::string* example = nullptr;
  for (const std::string& word : column.words) {
    const bool longer = example == nullptr || word.size() > example->size();
    if (longer && read_number(word, reading)) example = &word;
  }
  PERPEND_CHECK(example != nullptr);
  if (reading.is_date()) return quote(*example) + " as " + day_text(*example, reading);
  std::string text = quote(*example) + " as " + number_name(*read_number(*example, reading));
  const auto grouped = reading.form == Form::decimal_comma ? first_grouped(column) : std::nullopt;
  if (grouped) {
    text +=
        " and " + quote(grouped_text(column, *grouped)) + " as " + number_name(thousand_times(column.number(*grouped)));
  }
  return text;
}

Reading find_reading(const Table& table, const Column& column) {
  const std::vector<std::string_view> words = known_words(column);
  if (words.empty()) return {};
  if (const Reading dates = find_dates(column, words); dates.is_date()) return dates;
  const Candidate point = candidate(words, Form::decimal_point);
  const Candidate comma = candidate(words, Form::decimal_comma);
  const bool decimals = has_decimals(column);
  const bool by_comma = !decimals && (comma.read > point.read || (comma.read == point.read && table.separator == ';'));
  const Candidate& best = by_comma ? comma : point;
  if (!reads_enough(best.read, words.size())) return {};
  if (!decimals && comma.read == point.read) refuse_if_unclear(table, column, words);
  return best.reading;
}

}  // namespace perpend
