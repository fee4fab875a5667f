#include "perpend/data/parquet_footer.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <optional>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/columnar.h"
#include "perpend/data/thrift_compact.h"

namespace perpend {

namespace {

using Physical = ParquetColumn::Physical;

constexpr std::string_view kParquetMark = "PAR1";
constexpr std::string_view kEncryptedMark = "PARE";
constexpr std::size_t kTailBytes = 8;  // the size of the footer, and PAR1

// What a column means, if its physical type does not say it all. The names come from Parquet's ConvertedType (old) and
// LogicalType (new), which say the same.
enum class Meaning { none, text, decimal, date, time, moment, uint32, uint64, null, uuid, float16, refused };

struct SchemaElement {
  std::string name;
  int physical = -1;
  int length = 0;
  int repetition = 0;
  int children = 0;
  int scale = 0;
  Meaning meaning = Meaning::none;
  std::int64_t per_second = 0;
  std::string refused;  // the name of a meaning that perpend does not read
};

struct RawFooter {
  std::vector<SchemaElement> schema;
  std::vector<ParquetRowGroup> groups;
  std::int64_t rows = -1;
  bool encrypted = false;
};

void set_converted(SchemaElement& element, int converted) {
  constexpr std::array<Meaning, 22> kMeanings = {
      Meaning::text, Meaning::refused, Meaning::refused, Meaning::refused, Meaning::text,   Meaning::decimal,
      Meaning::date, Meaning::time,    Meaning::time,    Meaning::moment,  Meaning::moment, Meaning::none,
      Meaning::none, Meaning::uint32,  Meaning::uint64,  Meaning::none,    Meaning::none,   Meaning::none,
      Meaning::none, Meaning::text,    Meaning::refused, Meaning::refused};
  constexpr std::array<std::string_view, 22> kRefused = {
      "", "MAP", "MAP_KEY_VALUE", "LIST",    "", "", "", "", "", "", "", "", "", "", "", "", "", "",
      "", "",    "BSON",          "INTERVAL"};
  if (converted < 0 || converted >= static_cast<int>(kMeanings.size())) return;
  element.meaning = kMeanings[static_cast<std::size_t>(converted)];
  element.refused = kRefused[static_cast<std::size_t>(converted)];
  const bool millis = converted == 7 || converted == 9;
  element.per_second = millis ? 1000 : 1'000'000;
}

// {1: isAdjustedToUTC, 2: unit, a union of 1 MILLIS, 2 MICROS, 3 NANOS}
void read_time_type(ThriftReader& reader, SchemaElement& element) {
  element.per_second = 0;
  reader.structure([&](int id) {
    if (id != 2) return false;
    reader.structure([&](int unit) {
      constexpr std::array<std::int64_t, 4> kPerSecond = {0, 1000, 1'000'000, 1'000'000'000};
      if (unit >= 1 && unit <= 3) element.per_second = kPerSecond[static_cast<std::size_t>(unit)];
      return false;
    });
    return true;
  });
}

void read_integer_type(ThriftReader& reader, SchemaElement& element) {
  std::int64_t bits = 0;
  bool is_signed = true;
  reader.structure([&](int id) {
    if (id == 1) bits = reader.integer();
    if (id == 2) is_signed = reader.boolean();
    return id == 1 || id == 2;
  });
  if (!is_signed) element.meaning = bits == 64 ? Meaning::uint64 : Meaning::uint32;
}

void read_logical_type(ThriftReader& reader, SchemaElement& element) {
  reader.structure([&](int id) {
    element.meaning = Meaning::none;
    switch (id) {
      case 1:   // STRING
      case 4:   // ENUM
      case 12:  // JSON
        element.meaning = Meaning::text;
        return false;
      case 5:
        element.meaning = Meaning::decimal;
        reader.structure([&](int field) {
          if (field == 1) element.scale = reader.integer32();
          return field == 1;
        });
        return true;
      case 6:
        element.meaning = Meaning::date;
        return false;
      case 7:
      case 8:
        element.meaning = id == 7 ? Meaning::time : Meaning::moment;
        read_time_type(reader, element);
        return true;
      case 10:
        read_integer_type(reader, element);
        return true;
      case 11:
        element.meaning = Meaning::null;
        return false;
      case 14:
        element.meaning = Meaning::uuid;
        return false;
      case 15:
        element.meaning = Meaning::float16;
        return false;
      default:
        constexpr std::array<std::string_view, 19> kNames = {"", "", "MAP",     "LIST",     "",         "", "",
                                                             "", "", "",        "",         "",         "", "BSON",
                                                             "", "", "VARIANT", "GEOMETRY", "GEOGRAPHY"};
        element.meaning = Meaning::refused;
        element.refused = id < static_cast<int>(kNames.size()) ? kNames[static_cast<std::size_t>(id)] : "";
        return false;
    }
  });
}

SchemaElement read_element(ThriftReader& reader) {
  SchemaElement element;
  int converted = -1;
  std::optional<SchemaElement> logical;
  reader.structure([&](int id) {
    switch (id) {
      case 1:
        element.physical = reader.integer32();
        return true;
      case 2:
        element.length = reader.integer32();
        return true;
      case 3:
        element.repetition = reader.integer32();
        return true;
      case 4:
        element.name = reader.binary();
        return true;
      case 5:
        element.children = reader.integer32();
        return true;
      case 6:
        converted = reader.integer32();
        return true;
      case 7:
        element.scale = reader.integer32();
        return true;
      case 10:
        logical = SchemaElement{};
        read_logical_type(reader, *logical);
        return true;
      default:
        return false;
    }
  });
  set_converted(element, converted);
  if (logical) {
    element.meaning = logical->meaning;
    element.per_second = logical->per_second;
    element.refused = logical->refused;
    if (logical->meaning == Meaning::decimal) element.scale = logical->scale;
  }
  return element;
}

void read_chunk_facts(ThriftReader& reader, ParquetChunk& chunk) {
  reader.structure([&](int id) {
    switch (id) {
      case 1:
        chunk.physical = reader.integer32();
        return true;
      case 4:
        chunk.codec = reader.integer32();
        return true;
      case 5:
        chunk.values = reader.integer();
        return true;
      case 7:
        chunk.bytes = reader.integer();
        return true;
      case 9:
        chunk.offset = reader.integer();
        return true;
      case 11:
        chunk.dictionary = reader.integer();
        return true;
      default:
        return false;
    }
  });
}

ParquetRowGroup read_group(ThriftReader& reader) {
  ParquetRowGroup group;
  reader.structure([&](int id) {
    if (id == 1) {
      reader.list([&] {
        ParquetChunk& chunk = group.chunks.emplace_back();
        reader.structure([&](int field) {
          chunk.elsewhere = chunk.elsewhere || field == 1;
          chunk.encrypted = chunk.encrypted || field == 8 || field == 9;
          if (field == 3) read_chunk_facts(reader, chunk);
          return field == 3;
        });
      });
    }
    if (id == 3) group.rows = reader.integer();
    return id == 1 || id == 3;
  });
  return group;
}

RawFooter parse_footer(std::string_view bytes, const std::string& file) {
  RawFooter footer;
  ThriftReader reader(bytes, file + ": the footer of the Parquet file");
  reader.fields([&](int id) {
    switch (id) {
      case 2:
        reader.list([&] { footer.schema.push_back(read_element(reader)); });
        return true;
      case 3:
        footer.rows = reader.integer();
        return true;
      case 4:
        reader.list([&] { footer.groups.push_back(read_group(reader)); });
        return true;
      default:
        footer.encrypted = footer.encrypted || id == 8;
        return false;
    }
  });
  return footer;
}

std::string footer_bytes(const RandomBytes& source) {
  const std::string file = printable(source.name);
  if (source.size == 0) throw DataError(file + " is empty");
  std::array<char, kTailBytes> tail{};
  const auto mark = [&] { return std::string_view(tail.data() + 4, 4); };
  if (source.size < kTailBytes + 4) throw DataError(file + ": not a Parquet file (too short)");
  source.read(source.size - kTailBytes, tail.data(), kTailBytes);
  if (mark() == kEncryptedMark) throw DataError(file + " is an encrypted Parquet file; write it without encryption");
  if (mark() != kParquetMark) {
    std::array<char, 4> first{};
    source.read(0, first.data(), first.size());
    const bool begun = std::string_view(first.data(), 4) == kParquetMark;
    throw DataError(file + (begun ? ": the Parquet file is cut off or damaged (wrong last bytes)"
                                  : ": not a Parquet file (wrong last bytes)"));
  }
  std::uint32_t size = 0;
  std::memcpy(&size, tail.data(), 4);
  if (size > source.size - kTailBytes - 4) {
    throw DataError(fmt::format("{}: the footer claims {} bytes, but the Parquet file has {}", file, thousands(size),
                                thousands(source.size)));
  }
  std::string bytes(size, '\0');
  source.read(source.size - kTailBytes - size, bytes.data(), size);
  return bytes;
}

std::string physical_name(int physical) {
  constexpr std::array<std::string_view, 8> kNames = {"BOOLEAN", "INT32",  "INT64",      "INT96",
                                                      "FLOAT",   "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"};
  const bool known = physical >= 0 && physical < static_cast<int>(kNames.size());
  return known ? std::string(kNames[static_cast<std::size_t>(physical)]) : std::to_string(physical);
}

// How a fixed value of this physical type is read. Nothing if perpend does not read this combination.
std::optional<FixedForm> fixed_form(const SchemaElement& element, Physical physical) {
  const auto length = static_cast<std::size_t>(std::max(element.length, 0));
  const auto decimal = [&](FixedType type, std::size_t width) -> std::optional<FixedForm> {
    if (width == 0 || width > kMaxDecimalWidth || element.scale < 0 || element.scale > kMaxDecimalScale) return {};
    return FixedForm{.type = type, .width = width, .scale = element.scale};
  };
  const auto ticks = [&](FixedType type, std::size_t width) -> std::optional<FixedForm> {
    if (element.per_second == 0) return {};
    return FixedForm{.type = type, .width = width, .per_second = element.per_second};
  };
  const auto plain = [](FixedType type, std::size_t width) { return FixedForm{.type = type, .width = width}; };
  const Meaning meaning = element.meaning;
  switch (physical) {
    case Physical::boolean:
      return plain(FixedType::boolean, 1);
    case Physical::int32:
      if (meaning == Meaning::none || meaning == Meaning::null) return plain(FixedType::int32, 4);
      if (meaning == Meaning::uint32) return plain(FixedType::uint32, 4);
      if (meaning == Meaning::decimal) return decimal(FixedType::decimal_little, 4);
      if (meaning == Meaning::date) return plain(FixedType::date, 4);
      if (meaning == Meaning::time) return ticks(FixedType::time, 4);
      return {};
    case Physical::int64:
      if (meaning == Meaning::none || meaning == Meaning::null) return plain(FixedType::int64, 8);
      if (meaning == Meaning::uint64) return plain(FixedType::uint64, 8);
      if (meaning == Meaning::decimal) return decimal(FixedType::decimal_little, 8);
      if (meaning == Meaning::time) return ticks(FixedType::time, 8);
      if (meaning == Meaning::moment) return ticks(FixedType::moment, 8);
      return {};
    case Physical::int96:
      return plain(FixedType::int96, 12);
    case Physical::float32:
      return plain(FixedType::float32, 4);
    case Physical::float64:
      return plain(FixedType::float64, 8);
    case Physical::fixed_bytes:
      if (meaning == Meaning::decimal) return decimal(FixedType::decimal_big, length);
      if (meaning == Meaning::float16 && length == 2) return plain(FixedType::float16, 2);
      if (meaning == Meaning::uuid && length == 16) return plain(FixedType::uuid, 16);
      return {};
    case Physical::bytes:
      return {};
  }
  return {};
}

[[noreturn]] void refuse_type(const std::string& file, const SchemaElement& element) {
  const std::string type = !element.refused.empty() ? element.refused : physical_name(element.physical);
  throw DataError(fmt::format("{}: column {} has the Parquet type {}, which is not read; write it as numbers or text",
                              file, quote(element.name), type));
}

ParquetColumn column_of(const std::string& file, const SchemaElement& element, std::size_t place) {
  if (element.physical < 0 || element.physical > 7 || element.meaning == Meaning::refused) refuse_type(file, element);
  ParquetColumn column{.name = element.name,
                       .optional = element.repetition == 1,
                       .physical = static_cast<Physical>(element.physical),
                       .place = place};
  if (column.physical == Physical::bytes) {
    column.form = element.meaning == Meaning::decimal ? ParquetColumn::Form::decimal_bytes : ParquetColumn::Form::text;
    column.fixed.scale = element.scale;
    if (element.scale < 0 || element.scale > kMaxDecimalScale) refuse_type(file, element);
    return column;
  }
  const auto form = fixed_form(element, column.physical);
  if (!form) refuse_type(file, element);
  column.fixed = *form;
  return column;
}

void refuse_nested(const std::string& file, const std::vector<SchemaElement>& schema) {
  std::vector<std::string> nested;
  for (std::size_t i = 1; i < schema.size();) {
    if (schema[i].children > 0 || schema[i].repetition == 2) nested.push_back(schema[i].name);
    // All elements below it are part of it.
    std::int64_t open = 1;
    for (; open > 0 && i < schema.size(); ++i) open += std::int64_t{std::max(schema[i].children, 0)} - 1;
  }
  if (nested.empty()) return;
  const bool one = nested.size() == 1;
  throw DataError(fmt::format(
      "{}: column{} {} {} nested (a list, map or struct); leave {} out, or make plain columns "
      "of {}",
      file, one ? "" : "s", quote_all(nested), one ? "is" : "are", one ? "it" : "them", one ? "it" : "them"));
}

std::vector<ParquetColumn> columns_of_schema(const std::string& file, const std::vector<SchemaElement>& schema) {
  const auto damaged = [&] { return DataError(file + ": the footer of the Parquet file is damaged"); };
  if (schema.empty()) throw damaged();
  refuse_nested(file, schema);
  if (schema[0].children < 0 || schema.size() - 1 != static_cast<std::size_t>(schema[0].children)) throw damaged();
  std::vector<ParquetColumn> columns;
  for (std::size_t i = 1; i < schema.size(); ++i) {
    if (!is_row_label(schema[i].name)) columns.push_back(column_of(file, schema[i], i - 1));
  }
  return columns;
}

// Makes `offset` that of the chunk's first page, which is the dictionary if there is one. Some writers give the offset
// 0 if there is no dictionary.
void check_chunk(const std::string& place, ParquetChunk& chunk, const ParquetColumn& column, std::int64_t rows,
                 std::uint64_t file_bytes) {
  if (chunk.encrypted) throw DataError(place + " is encrypted; write it without encryption");
  if (chunk.elsewhere) throw DataError(place + " is in another file; write the table to one file");
  if (chunk.physical != static_cast<int>(column.physical) || chunk.values != rows) {
    throw DataError(place + ": the footer of the Parquet file contradicts itself");
  }
  if (chunk.dictionary > 0 && chunk.dictionary < chunk.offset) chunk.offset = chunk.dictionary;
  if (chunk.offset < 0 || chunk.bytes < 0 || static_cast<std::uint64_t>(chunk.offset) > file_bytes ||
      static_cast<std::uint64_t>(chunk.bytes) > file_bytes - static_cast<std::uint64_t>(chunk.offset)) {
    throw DataError(place + " lies outside the file; the Parquet file is damaged");
  }
  parquet_codec(chunk.codec, place);
}

}  // namespace

ParquetFooter read_parquet_footer(const RandomBytes& file) {
  const std::string name = printable(file.name);
  RawFooter raw = parse_footer(footer_bytes(file), name);
  if (raw.encrypted) throw DataError(name + " is an encrypted Parquet file; write it without encryption");
  ParquetFooter footer{.rows = 0, .columns = columns_of_schema(name, raw.schema), .groups = std::move(raw.groups)};
  std::vector<std::string> names;
  for (const ParquetColumn& column : footer.columns) names.push_back(column.name);
  check_column_names(file.name, names);
  std::uint64_t rows = 0;
  for (ParquetRowGroup& group : footer.groups) {
    if (group.rows < 0 || group.chunks.size() != raw.schema.size() - 1 ||
        __builtin_add_overflow(rows, static_cast<std::uint64_t>(group.rows), &rows)) {
      throw DataError(name + ": the footer of the Parquet file is damaged");
    }
    for (const ParquetColumn& column : footer.columns) {
      check_chunk(name + ": column " + quote(column.name), group.chunks[column.place], column, group.rows, file.size);
    }
  }
  if (raw.rows < 0 || rows != static_cast<std::uint64_t>(raw.rows)) {
    throw DataError(name + ": the row groups of the Parquet file have another number of rows than its footer says");
  }
  check_table_size(file.name, file.size, rows, footer.columns.size());
  footer.rows = static_cast<std::size_t>(rows);
  return footer;
}

Codec parquet_codec(int number, const std::string& place) {
  constexpr std::array<std::string_view, 8> kNames = {"none",   "snappy", "gzip", "LZO",
                                                      "brotli", "LZ4",    "zstd", "lz4_raw"};
  const bool known = number >= 0 && number < static_cast<int>(kNames.size());
  const std::string name = known ? std::string(kNames[static_cast<std::size_t>(number)]) : std::to_string(number);
  std::optional<Codec> codec;
  if (number == 0) codec = Codec::none;
  if (number == 1) codec = Codec::snappy;
  if (number == 2) codec = Codec::gzip;
  if (number == 6) codec = Codec::zstd;
  if (number == 7) codec = Codec::lz4_raw;
  if (!codec) {
    throw DataError(
        fmt::format("{} is packed by codec {}, which is not read; write it with snappy, gzip or zstd", place, name));
  }
  if (!has_codec(*codec)) {
    throw DataError(
        fmt::format("{} is packed by {}, which this build of perpend does not have; write it with gzip, or "
                    "build perpend with lib{}",
                    place, name, name_of(*codec)));
  }
  return *codec;
}

}  // namespace perpend
