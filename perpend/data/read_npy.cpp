#include "perpend/data/read_npy.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/column_writer.h"
#include "perpend/data/read_csv.h"

namespace perpend {

namespace {

static_assert(std::endian::native == std::endian::little, "the arrays read here are little-endian");

constexpr std::size_t kMaxHeaderBytes = std::size_t{1} << 20;
constexpr std::size_t kElementsPerRead = 1 << 15;

struct NpyHeader {
  std::string dtype;
  bool fortran = false;
  std::vector<std::uint64_t> shape;
  std::string shape_text;  // as the file writes it
  std::uint64_t data_offset = 0;
};

struct NpyArray {
  std::size_t rows = 0;
  std::vector<Column> columns;
};

[[noreturn]] void fail(const ByteSource& source, const std::string& what) {
  throw DataError(fmt::format("{}: {}", printable(source.name), what));
}

void read_exactly(ByteSource& source, char* to, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const std::size_t got = source.read(to + done, size - done);
    if (got == 0) fail(source, fmt::format("npy file ends {} bytes too early", thousands(size - done)));
    done += got;
  }
}

// The header is a Python dictionary: {'descr': '<f8', 'fortran_order': False, 'shape': (208, 60), }
class HeaderParser {
 public:
  HeaderParser(const ByteSource& source, std::string_view text) : source_(source), rest_(text) {}

  NpyHeader parse() {
    NpyHeader header;
    int keys = 0;
    expect('{');
    while (!accept('}')) {
      const std::string key = take_string();
      expect(':');
      if (key == "descr") {
        header.dtype = take_dtype();
      } else if (key == "fortran_order") {
        header.fortran = take_bool();
      } else if (key == "shape") {
        take_shape(header);
      } else {
        bad();
      }
      ++keys;
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    if (keys != 3 || header.dtype.empty() || header.shape_text.empty()) bad();
    return header;
  }

 private:
  void skip_spaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n"), rest_.size())); }

  bool accept(char c) {
    skip_spaces();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!accept(c)) bad();
  }

  std::string take_string() {
    skip_spaces();
    if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) bad();
    const std::size_t end = rest_.find(rest_[0], 1);
    if (end == std::string_view::npos) bad();
    std::string text(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return text;
  }

  std::string take_dtype() {
    skip_spaces();
    if (rest_.starts_with('[')) fail(source_, "dtype is structured; save a plain float32 or float64 array");
    return take_string();
  }

  bool take_bool() {
    skip_spaces();
    const bool value = rest_.starts_with("True");
    if (!value && !rest_.starts_with("False")) bad();
    rest_.remove_prefix(value ? 4 : 5);
    return value;
  }

  void take_shape(NpyHeader& header) {
    skip_spaces();
    const std::string_view begin = rest_;
    expect('(');
    while (!accept(')')) {
      header.shape.push_back(take_size());
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    header.shape_text = printable(begin.substr(0, begin.size() - rest_.size()));
  }

  std::uint64_t take_size() {
    skip_spaces();
    std::uint64_t size = 0;
    std::size_t digits = 0;
    for (; digits < rest_.size() && rest_[digits] >= '0' && rest_[digits] <= '9'; ++digits) {
      size = 10 * size + static_cast<std::uint64_t>(rest_[digits] - '0');
    }
    if (digits == 0 || digits > 18) bad();
    rest_.remove_prefix(digits);
    return size;
  }

  [[noreturn]] void bad() const { fail(source_, "the npy header is damaged near " + quote(rest_)); }

  const ByteSource& source_;
  std::string_view rest_;
};

NpyHeader read_header(ByteSource& source) {
  std::array<unsigned char, 12> start{};
  if (source.size && *source.size == 0) throw DataError(fmt::format("{} is empty", printable(source.name)));
  if (!source.size) fail(source, "npy arrays must be plain files, not pipes or packed files");
  if (*source.size < 10) fail(source, "not an npy file (too short)");
  read_exactly(source, reinterpret_cast<char*>(start.data()), 10);
  if (std::memcmp(start.data(), "\x93NUMPY", 6) != 0) fail(source, "not an npy file (wrong first bytes)");
  const unsigned version = start[6];
  if (version < 1 || version > 3) fail(source, fmt::format("npy version {}.{} is not known", version, start[7]));
  std::size_t length = start[8] + std::size_t{256} * start[9];
  if (version > 1) {
    read_exactly(source, reinterpret_cast<char*>(start.data()) + 10, 2);
    length += (std::size_t{start[10]} << 16) + (std::size_t{start[11]} << 24);
  }
  if (length > kMaxHeaderBytes) fail(source, fmt::format("the npy header claims {} bytes", thousands(length)));
  std::string text(length, '\0');
  read_exactly(source, text.data(), length);
  NpyHeader header = HeaderParser(source, text).parse();
  header.data_offset = (version > 1 ? 12 : 10) + length;
  return header;
}

using Convert = double (*)(const char*);
template <class T>
double convert(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return static_cast<double>(value);
}
// The value is read as a byte, because a bool may only hold 0 or 1.
double convert_bool(const char* bytes) { return *bytes != 0 ? 1 : 0; }

struct Element {
  std::string_view dtype;
  std::size_t size;
  Convert convert;
};

const Element& element_of(const ByteSource& source, const NpyHeader& header) {
  static constexpr std::array<Element, 11> kElements = {{{"b1", 1, convert_bool},
                                                         {"i1", 1, convert<std::int8_t>},
                                                         {"i2", 2, convert<std::int16_t>},
                                                         {"i4", 4, convert<std::int32_t>},
                                                         {"i8", 8, convert<std::int64_t>},
                                                         {"u1", 1, convert<std::uint8_t>},
                                                         {"u2", 2, convert<std::uint16_t>},
                                                         {"u4", 4, convert<std::uint32_t>},
                                                         {"u8", 8, convert<std::uint64_t>},
                                                         {"f4", 4, convert<float>},
                                                         {"f8", 8, convert<double>}}};
  const std::string_view dtype = header.dtype;
  if (dtype.starts_with('>')) {
    fail(source,
         fmt::format("dtype {} is big-endian; save it with .astype('<{}')", quote(dtype), printable(dtype.substr(1))));
  }
  for (const Element& element : kElements) {
    const bool ordered = dtype.starts_with('<') || (element.size == 1 && dtype.starts_with('|'));
    if (ordered && dtype.substr(1) == element.dtype) return element;
  }
  const bool object = dtype.find('O') != std::string_view::npos;
  fail(source, fmt::format("dtype {} {}; save numbers, for example with .astype('float32')", quote(dtype),
                           object ? "holds Python objects" : "is not a plain number type"));
}

void check_size(const ByteSource& source, const NpyHeader& header, const Element& element) {
  const std::uint64_t found = *source.size - header.data_offset;
  std::uint64_t expected = element.size;
  bool overflow = false;
  for (const std::uint64_t axis : header.shape) overflow |= __builtin_mul_overflow(expected, axis, &expected);
  if (overflow || expected != found) {
    fail(source, fmt::format("shape {} of dtype {} needs {} bytes, but the file has {}", header.shape_text,
                             quote(header.dtype), overflow ? "more than 2^64" : thousands(expected), thousands(found)));
  }
  if (expected == 0) fail(source, fmt::format("shape {} has no rows or no columns", header.shape_text));
}

void check_axes(const ByteSource& source, const NpyHeader& header) {
  if (header.shape.empty() || header.shape.size() > 2) {
    fail(source,
         fmt::format("shape {} has {} axes; rows and columns are needed", header.shape_text, header.shape.size()));
  }
}

void check_columns(const ByteSource& source, const NpyHeader& header) {
  if (header.shape.size() == 2 && header.shape[1] > kMaxColumns) {
    fail(source, fmt::format("shape {} has more than {} columns", header.shape_text, thousands(kMaxColumns)));
  }
}

void set_element(ColumnWriter& writer, std::size_t row, double value) {
  if (std::isnan(value)) {
    writer.set_missing(row);
  } else {
    writer.set_number(row, value);
  }
}

NpyArray read_array(ByteSource& source, const char* prefix) {
  const NpyHeader header = read_header(source);
  const Element& element = element_of(source, header);
  check_axes(source, header);
  check_size(source, header, element);
  check_columns(source, header);
  const std::size_t rows = header.shape[0];
  const std::size_t columns = header.shape.size() == 2 ? header.shape[1] : 1;
  std::vector<ColumnWriter> writers;
  for (std::size_t c = 0; c < columns; ++c) {
    writers.emplace_back(prefix + std::to_string(c));
    writers.back().reserve_rows(rows);
  }
  std::vector<char> bytes(kElementsPerRead * element.size);
  std::size_t row = 0;
  std::size_t column = 0;
  for (std::size_t left = rows * columns; left > 0;) {
    const std::size_t count = std::min(left, kElementsPerRead);
    read_exactly(source, bytes.data(), count * element.size);
    for (std::size_t i = 0; i < count; ++i) {
      set_element(writers[column], row, element.convert(bytes.data() + i * element.size));
      std::size_t& fast = header.fortran ? row : column;
      std::size_t& slow = header.fortran ? column : row;
      if (++fast == (header.fortran ? rows : columns)) {
        fast = 0;
        ++slow;
      }
    }
    left -= count;
  }
  NpyArray array{.rows = rows, .columns = {}};
  for (ColumnWriter& writer : writers) array.columns.push_back(writer.finish(rows));
  return array;
}

// The place in C order of entry i of an array in Fortran order, whose first axis runs fastest.
std::size_t row_major(const std::vector<std::size_t>& shape, std::size_t i) {
  std::vector<std::size_t> at;
  for (const std::size_t axis : shape) {
    at.push_back(i % axis);
    i /= axis;
  }
  std::size_t place = 0;
  for (std::size_t a = 0; a < shape.size(); ++a) place = place * shape[a] + at[a];
  return place;
}

Table table_of(NpyArray inputs, std::string source) {
  return {.source = std::move(source),
          .rows = inputs.rows,
          .columns = std::move(inputs.columns),
          .lines = {},
          .first_row = 0};
}

}  // namespace

Table read_npy(ByteSource inputs) { return table_of(read_array(inputs, "x"), inputs.name); }

Table read_npy(ByteSource inputs, ByteSource labels) {
  NpyArray x = read_array(inputs, "x");
  NpyArray y = read_array(labels, "target");
  if (y.columns.size() != 1) {
    fail(labels, fmt::format("labels have {} columns where one is needed", y.columns.size()));
  }
  if (x.rows != y.rows) {
    throw DataError(fmt::format("{} has {} and {} has {}; they must be the same", printable(inputs.name),
                                counted(x.rows, "row"), printable(labels.name), counted(y.rows, "row")));
  }
  y.columns[0].name = "target";
  x.columns.push_back(std::move(y.columns[0]));
  return table_of(std::move(x), inputs.name + "," + labels.name);
}

NpyNumbers read_npy_numbers(const std::string& path) {
  ByteSource source = open_bytes(path);
  const NpyHeader header = read_header(source);
  const Element& element = element_of(source, header);
  check_size(source, header, element);
  NpyNumbers numbers{.shape = {header.shape.begin(), header.shape.end()}, .values = {}};
  std::size_t count = 1;
  for (const std::size_t axis : numbers.shape) count *= axis;
  numbers.values.resize(count);
  std::vector<char> bytes(kElementsPerRead * element.size);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = i % kElementsPerRead;
    if (at == 0) read_exactly(source, bytes.data(), std::min(kElementsPerRead, count - i) * element.size);
    const auto value = static_cast<float>(element.convert(bytes.data() + at * element.size));
    if (!std::isfinite(value)) fail(source, fmt::format("number {} is not finite", thousands(i)));
    numbers.values[header.fortran ? row_major(numbers.shape, i) : i] = value;
  }
  return numbers;
}

Table read_npy(const std::string& inputs_path) { return read_npy(open_bytes(inputs_path)); }

Table read_npy(const std::string& inputs_path, const std::string& labels_path) {
  return read_npy(open_bytes(inputs_path), open_bytes(labels_path));
}

}  // namespace perpend
