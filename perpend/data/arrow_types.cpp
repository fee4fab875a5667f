#include "perpend/data/arrow_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/columnar.h"

namespace perpend {

namespace {

std::string_view arrow_type_name(int type) {
  constexpr std::array<std::string_view, 27> kNames = {"none",          "Null",      "Int",           "FloatingPoint",
                                                       "Binary",        "Utf8",      "Bool",          "Decimal",
                                                       "Date",          "Time",      "Timestamp",     "Interval",
                                                       "List",          "Struct",    "Union",         "FixedSizeBinary",
                                                       "FixedSizeList", "Map",       "Duration",      "LargeBinary",
                                                       "LargeUtf8",     "LargeList", "RunEndEncoded", "BinaryView",
                                                       "Utf8View",      "ListView",  "LargeListView"};
  return type >= 0 && type < static_cast<int>(kNames.size()) ? kNames[static_cast<std::size_t>(type)] : "unknown";
}

std::optional<ArrowType> fixed_type(FixedType type, std::size_t width, int scale = 0, std::int64_t per_second = 1000) {
  return ArrowType{ArrowType::Kind::fixed, {.type = type, .width = width, .scale = scale, .per_second = per_second}};
}

std::optional<ArrowType> integer_type(int bits, bool is_signed) {
  switch (bits) {
    case 8:
      return fixed_type(is_signed ? FixedType::int8 : FixedType::uint8, 1);
    case 16:
      return fixed_type(is_signed ? FixedType::int16 : FixedType::uint16, 2);
    case 32:
      return fixed_type(is_signed ? FixedType::int32 : FixedType::uint32, 4);
    case 64:
      return fixed_type(is_signed ? FixedType::int64 : FixedType::uint64, 8);
    default:
      return std::nullopt;
  }
}

std::optional<std::int64_t> ticks_per_second(int unit) {
  constexpr std::array<std::int64_t, 4> kTicks = {1, 1000, 1'000'000, 1'000'000'000};
  if (unit < 0 || unit > 3) return std::nullopt;
  return kTicks[static_cast<std::size_t>(unit)];
}

// `type` is a number of the union Type in Arrow's Schema.fbs. Returns nothing for types that perpend does not read.
std::optional<ArrowType> arrow_type(int type, const FlatTable& facts) {
  switch (type) {
    case 1:
      return ArrowType{ArrowType::Kind::null};
    case 2:
      return integer_type(facts.number<std::int32_t>(0, 0), facts.number<std::uint8_t>(1, 0) != 0);
    case 3: {
      const int precision = facts.number<std::int16_t>(0, 0);
      if (precision == 0) return fixed_type(FixedType::float16, 2);
      if (precision == 1) return fixed_type(FixedType::float32, 4);
      if (precision == 2) return fixed_type(FixedType::float64, 8);
      return std::nullopt;
    }
    case 5:
      return ArrowType{ArrowType::Kind::text};
    case 6:
      return ArrowType{ArrowType::Kind::boolean, {.type = FixedType::boolean, .width = 1}};
    case 7: {
      const int scale = facts.number<std::int32_t>(1, 0);
      const int bits = facts.number<std::int32_t>(2, 128);
      const bool known = bits == 32 || bits == 64 || bits == 128 || bits == 256;
      if (!known || scale < -kMaxDecimalScale || scale > kMaxDecimalScale) return std::nullopt;
      return fixed_type(FixedType::decimal_little, static_cast<std::size_t>(bits / 8), scale);
    }
    case 8:
      if (facts.number<std::int16_t>(0, 1) == 0) return fixed_type(FixedType::date, 4);
      return fixed_type(FixedType::moment, 8);
    case 9: {
      const auto ticks = ticks_per_second(facts.number<std::int16_t>(0, 1));
      const int bits = facts.number<std::int32_t>(1, 32);
      if (!ticks || (bits != 32 && bits != 64)) return std::nullopt;
      return fixed_type(FixedType::time, static_cast<std::size_t>(bits / 8), 0, *ticks);
    }
    case 10: {
      const auto ticks = ticks_per_second(facts.number<std::int16_t>(0, 0));
      if (!ticks) return std::nullopt;
      return fixed_type(FixedType::moment, 8, 0, *ticks);
    }
    case 20:
      return ArrowType{ArrowType::Kind::large_text};
    case 24:
      return ArrowType{ArrowType::Kind::text_view};
    default:
      return std::nullopt;
  }
}

bool is_nested(int type) {
  constexpr std::array kNested = {12, 13, 14, 16, 17, 21, 25, 26};
  return std::ranges::find(kNested, type) != kNested.end();
}
}  // namespace

ArrowField field_of(const std::string& file, const FlatTable& facts) {
  ArrowField field;
  field.name = facts.text(0);
  field.place = file + ": column " + quote(field.name);
  field.wanted = !is_row_label(field.name);
  const int type = facts.number<std::uint8_t>(2, 0);
  if (is_nested(type) || facts.vector(5, 4).size > 0) {
    throw DataError(
        fmt::format("{} is nested (a list, map or struct); leave it out, or make plain columns of it", field.place));
  }
  const auto own = facts.table(3);
  const auto known = own ? arrow_type(type, *own) : std::nullopt;
  if (!known) {
    throw DataError(fmt::format("{} has the Arrow type {}, which is not read; write it as numbers or text", field.place,
                                arrow_type_name(type)));
  }
  field.type = *known;
  if (const auto dictionary = facts.table(4)) {
    field.has_dictionary = true;
    field.dictionary = dictionary->number<std::int64_t>(0, 0);
    const auto index = dictionary->table(1);
    const auto index_type = index ? arrow_type(2, *index) : integer_type(32, true);
    if (!index_type) throw DataError(field.place + ": the indices into its dictionary are damaged");
    field.index = *index_type;
  }
  return field;
}

}  // namespace perpend
