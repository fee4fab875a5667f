#include "perpend/data/fixed_cells.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>
#include <string>

#include "perpend/base/error.h"

namespace perpend {

namespace {

constexpr std::int64_t kSecondsPerDay = 86400;
constexpr std::int64_t kNanosPerSecond = 1'000'000'000;
constexpr std::int64_t kJulianDayOf1970 = 2440588;

template <class T>
T load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

template <class T>
void convert_all(const char* values, std::size_t count, double* numbers) {
  for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<double>(load<T>(values + i * sizeof(T)));
}

double half_number(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const double fraction = (bits & 1023) / 1024.0;
  double size = exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15);
  if (exponent == 31) size = fraction == 0 ? HUGE_VAL : NAN;
  return (bits >> 15) != 0 ? -size : size;
}

// The digits of the magnitude. The limbs of 32 bits are divided by 10^9 until nothing is left.
std::string decimal_digits(std::array<std::uint32_t, kMaxDecimalWidth / 4> limbs) {
  constexpr std::uint64_t kBillion = 1'000'000'000;
  std::string digits;
  while (std::any_of(limbs.begin(), limbs.end(), [](std::uint32_t limb) { return limb != 0; })) {
    std::uint64_t rest = 0;
    for (std::size_t i = limbs.size(); i-- > 0;) {
      rest = (rest << 32) | limbs[i];
      limbs[i] = static_cast<std::uint32_t>(rest / kBillion);
      rest %= kBillion;
    }
    for (int i = 0; i < 9; ++i, rest /= 10) digits += static_cast<char>('0' + rest % 10);
  }
  std::reverse(digits.begin(), digits.end());
  return digits.empty() ? "0" : digits;
}

double long_decimal(std::string_view bytes, int scale) {
  std::array<std::uint32_t, kMaxDecimalWidth / 4> limbs{};
  const bool negative = (static_cast<unsigned char>(bytes[0]) & 128) != 0;
  std::uint64_t carry = negative ? 1 : 0;  // a negative number has the magnitude: all bits flipped, plus one
  for (std::size_t i = 0; i < kMaxDecimalWidth; ++i) {
    unsigned byte = negative ? 255 : 0;
    if (i < bytes.size()) byte = static_cast<unsigned char>(bytes[bytes.size() - 1 - i]);
    carry += negative ? byte ^ 255U : byte;
    limbs[i / 4] |= static_cast<std::uint32_t>(carry & 255) << (8 * (i % 4));
    carry >>= 8;
  }
  const std::string text = (negative ? "-" : "") + decimal_digits(limbs) + "e" + std::to_string(-scale);
  double number = 0;
  fast_float::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// One division is correctly rounded if the integer is below 2^53 and a double holds the power of ten exactly. Other
// decimals take long_decimal.
double decimal_of(std::string_view bytes, int scale) {
  constexpr std::array<double, 23> kTens = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                            1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const auto sign = static_cast<char>(static_cast<signed char>(bytes[0]) < 0 ? -1 : 0);
  while (bytes.size() > 1 && bytes[0] == sign) {
    if ((static_cast<signed char>(bytes[1]) < 0) != (sign != 0)) break;
    bytes.remove_prefix(1);
  }
  if (bytes.size() > 8 || scale < 0 || scale > 22) return long_decimal(bytes, scale);
  std::uint64_t whole = sign != 0 ? ~std::uint64_t{0} : 0;
  for (const char c : bytes) whole = (whole << 8) | static_cast<unsigned char>(c);
  const auto value = static_cast<std::int64_t>(whole);
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  if (value <= -kExact || value >= kExact) return long_decimal(bytes, scale);
  return static_cast<double>(value) / kTens[static_cast<std::size_t>(scale)];
}

void read_decimals(const FixedForm& form, const char* values, std::size_t count, double* numbers) {
  std::array<char, kMaxDecimalWidth> turned{};
  for (std::size_t i = 0; i < count; ++i) {
    std::string_view value(values + i * form.width, form.width);
    if (form.type == FixedType::decimal_little) {
      std::reverse_copy(value.begin(), value.end(), turned.begin());
      value = {turned.data(), form.width};
    }
    numbers[i] = decimal_of(value, form.scale);
  }
}

// Appends texts. The room is enough for every text that is written here.
class TextWriter {
 public:
  explicit TextWriter(CellText& text) : first_(text.data()), at_(text.data()) {}

  void put(char c) { *at_++ = c; }
  void digits(std::int64_t number, int count) {
    for (int i = count; i-- > 0; number /= 10) at_[i] = static_cast<char>('0' + number % 10);
    at_ += count;
  }
  std::string_view text() const { return {first_, at_}; }
  void drop_zeros() {
    while (at_[-1] == '0') --at_;
  }

 private:
  char* first_;
  char* at_;
};

bool write_day(TextWriter& to, std::int64_t days) {
  using std::chrono::sys_days;
  constexpr std::int64_t kFirst = sys_days(std::chrono::year(1) / 1 / 1).time_since_epoch().count();
  constexpr std::int64_t kLast = sys_days(std::chrono::year(9999) / 12 / 31).time_since_epoch().count();
  if (days < kFirst || days > kLast) return false;
  const std::chrono::year_month_day date{sys_days(std::chrono::days(days))};
  to.digits(static_cast<int>(date.year()), 4);
  to.put('-');
  to.digits(static_cast<unsigned>(date.month()), 2);
  to.put('-');
  to.digits(static_cast<unsigned>(date.day()), 2);
  return true;
}

bool write_time(TextWriter& to, std::int64_t ticks, std::int64_t per_second) {
  if (ticks < 0 || ticks >= kSecondsPerDay * per_second) return false;
  const std::int64_t second = ticks / per_second;
  to.digits(second / 3600, 2);
  to.put(':');
  to.digits(second / 60 % 60, 2);
  to.put(':');
  to.digits(second % 60, 2);
  if (const std::int64_t part = ticks % per_second; part != 0) {
    to.put('.');
    to.digits(part * (kNanosPerSecond / per_second), 9);
    to.drop_zeros();
  }
  return true;
}

bool write_moment(TextWriter& to, std::int64_t days, std::int64_t ticks, std::int64_t per_second) {
  if (!write_day(to, days)) return false;
  to.put(' ');
  return write_time(to, ticks, per_second);
}

bool write_uuid(TextWriter& to, const char* value) {
  constexpr std::string_view kHex = "0123456789abcdef";
  for (std::size_t i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) to.put('-');
    const auto byte = static_cast<unsigned char>(value[i]);
    to.put(kHex[byte >> 4]);
    to.put(kHex[byte & 15]);
  }
  return true;
}

bool write_value(const FixedForm& form, const char* value, TextWriter& to) {
  switch (form.type) {
    case FixedType::date:
      return write_day(to, load<std::int32_t>(value));
    case FixedType::time:
      return write_time(to, form.width == 4 ? load<std::int32_t>(value) : load<std::int64_t>(value), form.per_second);
    case FixedType::moment: {
      const std::int64_t per_day = kSecondsPerDay * form.per_second;
      const auto ticks = load<std::int64_t>(value);
      const std::int64_t rest = ticks % per_day;
      return write_moment(to, ticks / per_day - (rest < 0 ? 1 : 0), rest < 0 ? rest + per_day : rest, form.per_second);
    }
    case FixedType::int96:
      return write_moment(to, load<std::int32_t>(value + 8) - kJulianDayOf1970, load<std::int64_t>(value),
                          kNanosPerSecond);
    case FixedType::uuid:
      return write_uuid(to, value);
    default:
      PERPEND_CHECK(false);
  }
  return false;
}

}  // namespace

double decimal_number(std::string_view bytes, int scale) { return decimal_of(bytes, scale); }

void read_numbers(const FixedForm& form, const char* values, std::size_t count, double* numbers) {
  switch (form.type) {
    case FixedType::boolean:
      for (std::size_t i = 0; i < count; ++i) numbers[i] = values[i] != 0 ? 1 : 0;
      return;
    case FixedType::int8:
      return convert_all<std::int8_t>(values, count, numbers);
    case FixedType::int16:
      return convert_all<std::int16_t>(values, count, numbers);
    case FixedType::int32:
      return convert_all<std::int32_t>(values, count, numbers);
    case FixedType::int64:
      return convert_all<std::int64_t>(values, count, numbers);
    case FixedType::uint8:
      return convert_all<std::uint8_t>(values, count, numbers);
    case FixedType::uint16:
      return convert_all<std::uint16_t>(values, count, numbers);
    case FixedType::uint32:
      return convert_all<std::uint32_t>(values, count, numbers);
    case FixedType::uint64:
      return convert_all<std::uint64_t>(values, count, numbers);
    case FixedType::float16:
      for (std::size_t i = 0; i < count; ++i) numbers[i] = half_number(load<std::uint16_t>(values + 2 * i));
      return;
    case FixedType::float32:
      return convert_all<float>(values, count, numbers);
    case FixedType::float64:
      if (count > 0) std::memcpy(numbers, values, count * sizeof(double));
      return;
    case FixedType::decimal_little:
    case FixedType::decimal_big:
      return read_decimals(form, values, count, numbers);
    default:
      PERPEND_CHECK(false);
  }
}

std::string_view read_text(const FixedForm& form, const char* value, CellText& text) {
  TextWriter to(text);
  return write_value(form, value, to) ? to.text() : std::string_view();
}

}  // namespace perpend
