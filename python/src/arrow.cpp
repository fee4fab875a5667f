// Tables through the Arrow C stream interface: polars, pyarrow, DuckDB and others, without any of them being installed.
#include <cmath>
#include <cstring>
#include <memory>
#include <string_view>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/column_writer.h"
#include "py_table.h"

namespace {

// The three structures of the interface, as its specification lays them out.
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema*);
  int (*get_next)(ArrowArrayStream*, ArrowArray*);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

template <class T>
std::shared_ptr<T> released_at_end() {
  return std::shared_ptr<T>(new T{}, [](T* p) {
    if (p->release != nullptr) p->release(p);
    delete p;
  });
}

}  // namespace

namespace perpend::python {

namespace {

using Chunks = std::vector<std::shared_ptr<ArrowArray>>;

bool bit(const void* bits, std::int64_t i) {
  return (static_cast<const unsigned char*>(bits)[i / 8] >> (i % 8) & 1) != 0;
}

template <class T>
T at(const void* values, std::int64_t i) {
  T value;
  std::memcpy(&value, static_cast<const char*>(values) + i * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
  return value;
}

double half_at(const void* values, std::int64_t i) {
  const auto bits = at<std::uint16_t>(values, i);
  const int exponent = bits >> 10 & 31;
  const double fraction = (bits & 1023) / 1024.0;
  double size = exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15);
  if (exponent == 31) size = fraction == 0 ? HUGE_VAL : NAN;
  return (bits >> 15) != 0 ? -size : size;
}

// A column of one chunk; i counts from the column's own start.
struct Piece {
  const ArrowSchema& type;
  const ArrowArray& array;
  std::int64_t start;

  bool known(std::int64_t i) const {
    if (*type.format == 'n') return false;
    return array.n_buffers == 0 || array.buffers[0] == nullptr || bit(array.buffers[0], start + i);
  }
  bool text() const {
    const std::string_view format = type.format;
    return format == "u" || format == "U" || format == "vu";
  }
  bool has_numbers() const {
    return std::strlen(type.format) == 1 && std::strchr("bcCsSiIlLefg", *type.format) != nullptr;
  }

  double number(std::int64_t i) const {
    const void* values = array.buffers[1];
    i += start;
    switch (*type.format) {
      case 'b':
        return bit(values, i) ? 1 : 0;
      case 'c':
        return at<std::int8_t>(values, i);
      case 'C':
        return at<std::uint8_t>(values, i);
      case 's':
        return at<std::int16_t>(values, i);
      case 'S':
        return at<std::uint16_t>(values, i);
      case 'i':
        return at<std::int32_t>(values, i);
      case 'I':
        return at<std::uint32_t>(values, i);
      case 'l':
        return static_cast<double>(at<std::int64_t>(values, i));
      case 'L':
        return static_cast<double>(at<std::uint64_t>(values, i));
      case 'e':
        return half_at(values, i);
      case 'f':
        return at<float>(values, i);
      default:
        return at<double>(values, i);
    }
  }

  std::string_view word(std::int64_t i) const {
    i += start;
    const auto slice = [&](auto first, auto last) {
      return std::string_view(static_cast<const char*>(array.buffers[2]) + first,
                              static_cast<std::size_t>(last - first));
    };
    if (*type.format == 'u')
      return slice(at<std::int32_t>(array.buffers[1], i), at<std::int32_t>(array.buffers[1], i + 1));
    if (*type.format == 'U')
      return slice(at<std::int64_t>(array.buffers[1], i), at<std::int64_t>(array.buffers[1], i + 1));
    // A view of 16 bytes: its length, then the text itself up to 12 bytes, else a prefix, a buffer's number and an
    // offset.
    const char* view = static_cast<const char*>(array.buffers[1]) + 16 * i;
    const auto size = at<std::int32_t>(view, 0);
    if (size <= 12) return {view + 4, static_cast<std::size_t>(size)};
    const auto* from = static_cast<const char*>(array.buffers[2 + at<std::int32_t>(view, 2)]);
    return {from + at<std::int32_t>(view, 3), static_cast<std::size_t>(size)};
  }
};

Piece piece_of(const ArrowSchema& schema, const ArrowArray& chunk, std::int64_t column) {
  const ArrowArray& array = *chunk.children[column];
  return {*schema.children[column], array, array.offset + chunk.offset};
}

[[noreturn]] void refuse(const std::string& name, const char* format) {
  throw nb::type_error(
      ("column " + quote(name) + " has Arrow type " + quote(format) + "; cast it to numbers, text or categories")
          .c_str());
}

void write_cell(ColumnWriter& writer, std::size_t row, const Piece& piece, std::int64_t i, bool nominal) {
  if (!piece.known(i)) return writer.set_missing(row);
  if (piece.text()) return nominal ? writer.set_word(row, piece.word(i)) : writer.set_cell(row, piece.word(i));
  const double number = piece.number(i);
  std::isnan(number) ? writer.set_missing(row) : writer.set_number(row, number);
}

void write_piece(ColumnWriter& writer, std::size_t row, const Piece& piece, std::int64_t length) {
  if (piece.type.dictionary == nullptr) {
    for (std::int64_t i = 0; i < length; ++i) write_cell(writer, row + static_cast<std::size_t>(i), piece, i, false);
    return;
  }
  const Piece levels{*piece.type.dictionary, *piece.array.dictionary, piece.array.dictionary->offset};
  for (std::int64_t i = 0; i < length; ++i) {
    const std::size_t r = row + static_cast<std::size_t>(i);
    piece.known(i) ? write_cell(writer, r, levels, static_cast<std::int64_t>(piece.number(i)), true)
                   : writer.set_missing(r);
  }
}

bool lies_in_place(const Piece& piece, std::int64_t length) {
  const std::string_view format = piece.type.format;
  if ((format != "f" && format != "g") || piece.type.dictionary != nullptr) return false;
  if (piece.array.null_count == 0) return true;
  for (std::int64_t i = 0; i < length; ++i) {
    if (!piece.known(i)) return false;
  }
  return true;
}

Column column_of(const ArrowSchema& schema, const Chunks& chunks, std::int64_t c, const std::string& name,
                 std::size_t rows) {
  const ArrowSchema& type = *schema.children[c];
  const Piece first = piece_of(schema, *chunks[0], c);
  const ArrowSchema& cells = type.dictionary != nullptr ? *type.dictionary : type;
  const Piece typed{cells, first.array, 0};
  if (!typed.text() && !typed.has_numbers() && *cells.format != 'n') refuse(name, cells.format);
  if (type.dictionary != nullptr && !first.has_numbers()) refuse(name, type.format);
  if (chunks.size() == 1 && lies_in_place(first, chunks[0]->length)) {
    std::vector<Column> one(1);
    const bool floats = *type.format == 'f';
    one[0].name = name;
    one[0].view = {.first = static_cast<const char*>(first.array.buffers[1]) + first.start * (floats ? 4 : 8),
                   .step = floats ? 4 : 8,
                   .floats = floats};
    mark_missing(one, rows);
    return std::move(one[0]);
  }
  ColumnWriter writer(name, type.dictionary != nullptr);
  writer.reserve_rows(rows);
  std::size_t row = 0;
  for (const auto& chunk : chunks) {
    write_piece(writer, row, piece_of(schema, *chunk, c), chunk->length);
    row += static_cast<std::size_t>(chunk->length);
  }
  return writer.finish(rows);
}

}  // namespace

void PyTable::add_arrow(nb::handle capsule, const std::vector<std::string>& names) {
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (stream == nullptr) throw nb::python_error();
  const auto check = [&](int code) {
    if (code == 0) return;
    const char* said = stream->get_last_error(stream);
    throw DataError(printable(table_.source) + ": the Arrow stream failed: " + printable(said == nullptr ? "" : said));
  };
  const auto schema = released_at_end<ArrowSchema>();
  check(stream->get_schema(stream, schema.get()));
  if (std::string_view(schema->format) != "+s") {
    throw nb::type_error((printable(table_.source) + " is one Arrow column; a table of columns is needed").c_str());
  }
  Chunks chunks;
  std::size_t rows = 0;
  for (;;) {
    auto chunk = released_at_end<ArrowArray>();
    check(stream->get_next(stream, chunk.get()));
    if (chunk->release == nullptr) break;
    rows += static_cast<std::size_t>(chunk->length);
    if (chunk->length > 0) chunks.push_back(std::move(chunk));
  }
  if (rows != table_.rows) throw DataError(printable(table_.source) + ": the Arrow stream has another number of rows");
  if (!names.empty() && names.size() != static_cast<std::size_t>(schema->n_children)) {
    throw nb::type_error("a name for each column");
  }
  for (std::int64_t c = 0; c < schema->n_children; ++c) {
    const auto i = static_cast<std::size_t>(c);
    const char* own = schema->children[c]->name;
    add(column_of(*schema, chunks, c, names.empty() ? std::string(own == nullptr ? "" : own) : names[i], rows));
  }
  for (auto& chunk : chunks) keep(std::move(chunk));
}

}  // namespace perpend::python
