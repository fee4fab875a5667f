// Turns values of a fixed width, which Parquet and Arrow store one behind the other, into cells of a table.
//
//     numbers, booleans (1 and 0) and decimals     become numbers
//     dates, times of day, moments, UUIDs          become the text that a CSV file would have: 2024-03-01, 12:30:15,
//                                                  2024-03-01 12:30:15.5, and so on; moments are in UTC
//
// So a date of these files is read like a date of a CSV file (dates.h), and a model sees no difference.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace perpend {

enum class FixedType {
  boolean,  // one byte
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  float32,
  float64,
  decimal_little,  // two's complement of any width, the lowest byte first
  decimal_big,     // the same, the highest byte first
  date,            // days since 1970; 4 bytes
  time,            // ticks since midnight; 4 or 8 bytes
  moment,          // ticks since 1970 in UTC; 8 bytes
  int96,           // nanoseconds since midnight (8 bytes) and the Julian day (4 bytes)
  uuid             // 16 bytes
};

struct FixedForm {
  FixedType type = FixedType::float64;
  std::size_t width = 8;           // bytes of a value
  int scale = 0;                   // decimals: digits behind the point
  std::int64_t per_second = 1000;  // ticks of times and moments

  bool is_number() const { return type <= FixedType::decimal_big; }
  bool has_nan() const { return type >= FixedType::float16 && type <= FixedType::float64; }
};

constexpr std::size_t kMaxDecimalWidth = 32;
constexpr int kMaxDecimalScale = 80;

// Reads `count` values as numbers. A NaN of the file stays NaN.
void read_numbers(const FixedForm& form, const char* values, std::size_t count, double* numbers);

// Reads a decimal of any width up to kMaxDecimalWidth, the highest byte first. It is correctly rounded, like the same
// digits in a CSV file.
double decimal_number(std::string_view bytes, int scale);

// Writes a value that is not a number into `text`. The result is empty if the year is not between 1 and 9999, or if a
// time is not a time of day.
using CellText = std::array<char, 40>;
std::string_view read_text(const FixedForm& form, const char* value, CellText& text);

}  // namespace perpend
