// Values of a fixed width, as Parquet and Arrow lay them out one behind the other, as cells of a table.
//
//     numbers, booleans (1 and 0) and decimals     numbers
//     dates, times of day, moments, UUIDs          the text that a CSV file would have: 2024-03-01, 12:30:15,
//                                                  2024-03-01 12:30:15.5, and so on; moments are in UTC
//
// So a date of these files becomes what a date of a CSV file becomes (dates.h), and models do not tell them apart.
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

// The numbers of `count` values; NaN where the file has one.
void read_numbers(const FixedForm& form, const char* values, std::size_t count, double* numbers);

// A decimal of any width up to kMaxDecimalWidth, the highest byte first: correctly rounded, as the same digits in a CSV
// file are.
double decimal_number(std::string_view bytes, int scale);

// A value that is no number, written into `text`. Empty where the year is not between 1 and 9999, or a time is none of
// the day.
using CellText = std::array<char, 40>;
std::string_view read_text(const FixedForm& form, const char* value, CellText& text);

}  // namespace perpend
