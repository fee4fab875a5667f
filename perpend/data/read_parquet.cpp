#include "perpend/data/read_parquet.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <span>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/column_writer.h"
#include "perpend/data/columnar.h"
#include "perpend/data/parquet_encodings.h"
#include "perpend/data/parquet_footer.h"
#include "perpend/data/text_window.h"
#include "perpend/data/thrift_compact.h"

namespace perpend {

namespace {

using ColumnForm = ParquetColumn::Form;
using Physical = ParquetColumn::Physical;

// The numbers are those of the format's specification.
enum class PageType { data = 0, index = 1, dictionary = 2, data_2 = 3 };
enum class Encoding {
  plain = 0,
  plain_dictionary = 2,
  rle = 3,
  bit_packed = 4,
  delta_binary_packed = 5,
  delta_length_byte_array = 6,
  delta_byte_array = 7,
  rle_dictionary = 8,
  byte_stream_split = 9
};

std::string encoding_name(int encoding) {
  constexpr std::array<std::string_view, 10> kNames = {"PLAIN",
                                                       "1",
                                                       "PLAIN_DICTIONARY",
                                                       "RLE",
                                                       "BIT_PACKED",
                                                       "DELTA_BINARY_PACKED",
                                                       "DELTA_LENGTH_BYTE_ARRAY",
                                                       "DELTA_BYTE_ARRAY",
                                                       "RLE_DICTIONARY",
                                                       "BYTE_STREAM_SPLIT"};
  const bool known = encoding >= 0 && encoding < static_cast<int>(kNames.size());
  return known ? std::string(kNames[static_cast<std::size_t>(encoding)]) : std::to_string(encoding);
}

struct PageHeader {
  int type = -1;
  std::int64_t unpacked = -1;
  std::int64_t packed = -1;
  std::optional<std::int32_t> crc;
  std::int64_t values = -1;
  int encoding = -1;
  int level_encoding = static_cast<int>(Encoding::rle);
  std::int64_t level_bytes = 0;   // version 2
  std::int64_t repeat_bytes = 0;  // version 2
  bool is_packed = true;          // version 2
};

PageHeader parse_page_header(ThriftReader& reader) {
  PageHeader page;
  const auto data_header = [&](bool version_2) {
    reader.structure([&](int id) {
      if (id == 1) page.values = reader.integer();
      if (id == (version_2 ? 4 : 2)) page.encoding = reader.integer32();
      if (!version_2 && id == 3) page.level_encoding = reader.integer32();
      if (version_2 && id == 5) page.level_bytes = reader.integer();
      if (version_2 && id == 6) page.repeat_bytes = reader.integer();
      if (version_2 && id == 7) page.is_packed = reader.boolean();
      return id == 1 || (version_2 ? id >= 4 && id <= 7 : id == 2 || id == 3);
    });
  };
  reader.fields([&](int id) {
    switch (id) {
      case 1:
        page.type = reader.integer32();
        return true;
      case 2:
        page.unpacked = reader.integer32();
        return true;
      case 3:
        page.packed = reader.integer32();
        return true;
      case 4:
        page.crc = reader.integer32();
        return true;
      case 5:
      case 8:
        data_header(id == 8);
        return true;
      case 7:
        reader.structure([&](int field) {
          if (field == 1) page.values = reader.integer();
          if (field == 2) page.encoding = reader.integer32();
          return field == 1 || field == 2;
        });
        return true;
      default:
        return false;
    }
  });
  return page;
}

// Reads one column: one chunk per row group, one page after the other.
class ColumnChunks {
 public:
  ColumnChunks(const RandomBytes& file, const ParquetColumn& column, std::size_t rows)
      : file_(file),
        column_(column),
        place_(printable(file.name) + ": column " + quote(column.name)),
        writer_(column.name) {
    writer_.expect_rows(rows);
  }

  void read(const ParquetChunk& chunk) {
    dictionary_.clear();
    codec_ = parquet_codec(chunk.codec, place_);
    const std::span<char> bytes = chunk_.room(static_cast<std::size_t>(chunk.bytes));
    file_.read(static_cast<std::uint64_t>(chunk.offset), bytes.data(), bytes.size());
    rest_ = {bytes.data(), bytes.size()};
    const std::size_t end = row_ + static_cast<std::size_t>(chunk.values);
    while (row_ < end) read_page(end - row_);
  }

  Column finish(std::size_t rows) { return writer_.finish(rows); }

 private:
  struct Dictionary {
    std::size_t size = 0;
    std::vector<double> numbers;            // for a numeric column
    std::vector<std::string_view> texts;    // for texts
    const char* values = nullptr;           // for dates and the like
    std::vector<ColumnWriter::Cell> cells;  // for the last two; kUnread until a row has the entry

    void clear() { *this = {}; }
  };
  static constexpr std::int32_t kUnread = kMissingCell - 1;

  bool is_numeric() const {
    return column_.form == ColumnForm::decimal_bytes ||
           (column_.form == ColumnForm::fixed && column_.fixed.is_number());
  }

  void read_page(std::size_t rows_left) {
    ThriftReader reader(rest_, place_ + ": a page header");
    const PageHeader page = parse_page_header(reader);
    rest_.remove_prefix(reader.position());
    if (page.packed < 0 || page.unpacked < 0 || static_cast<std::uint64_t>(page.packed) > rest_.size()) {
      fail("a page ends behind its column");
    }
    const std::string_view packed = rest_.substr(0, static_cast<std::size_t>(page.packed));
    rest_.remove_prefix(packed.size());
    if (page.crc && static_cast<std::uint32_t>(*page.crc) != crc_of(packed)) {
      fail("a page is damaged (its checksum is another)");
    }
    switch (static_cast<PageType>(page.type)) {
      case PageType::index:
        return;
      case PageType::dictionary:
        return read_dictionary(page, packed);
      case PageType::data:
      case PageType::data_2:
        break;
      default:
        fail(fmt::format("a page has type {}, which is not known", page.type));
    }
    if (page.values == 0) return;
    if (page.values < 0 || static_cast<std::uint64_t>(page.values) > rows_left) {
      fail("a page has another number of values than its row group has rows");
    }
    rows_ = static_cast<std::size_t>(page.values);
    writer_.reserve_rows(row_ + rows_);
    const std::string_view values =
        page.type == static_cast<int>(PageType::data) ? open_page(page, packed) : open_page_2(page, packed);
    if (known_ > 0) read_values(page.encoding, values);
    spread();
    row_ += rows_;
  }

  // Both functions leave the levels in levels_ and known_, and return the bytes of the values.
  std::string_view open_page(const PageHeader& page, std::string_view packed) {
    std::string_view bytes = unpacked(codec_, packed, page.unpacked, page_);
    if (!column_.optional) {
      all_known();
      return bytes;
    }
    if (page.level_encoding != static_cast<int>(Encoding::rle)) {
      fail("levels in the encoding " + encoding_name(page.level_encoding) + " are not read");
    }
    const std::string_view levels = take_sized(bytes);
    read_levels(levels);
    return bytes;
  }

  std::string_view open_page_2(const PageHeader& page, std::string_view packed) {
    if (page.repeat_bytes != 0 || page.level_bytes < 0 ||
        static_cast<std::uint64_t>(page.level_bytes) > packed.size() || page.level_bytes > page.unpacked) {
      fail("the levels of a page are damaged");
    }
    const auto level_bytes = static_cast<std::size_t>(page.level_bytes);
    column_.optional ? read_levels(packed.substr(0, level_bytes)) : all_known();
    return unpacked(page.is_packed ? codec_ : Codec::none, packed.substr(level_bytes), page.unpacked - page.level_bytes,
                    page_);
  }

  std::string_view unpacked(Codec codec, std::string_view packed, std::int64_t size, ScratchBytes& buffer) {
    const auto bytes = static_cast<std::size_t>(size);
    if (codec == Codec::none && packed.size() == bytes) return packed;  // the chunk has its own slack
    if (bytes == 0) return {};
    if (!may_unpack(packed.size(), bytes)) {
      fail(fmt::format("a page of {} bytes claims to unpack to {}", thousands(packed.size()), thousands(bytes)));
    }
    const std::span<char> to = buffer.room(bytes);
    if (!unpack(codec, packed, to)) fail(fmt::format("a page is damaged (it does not unpack by {})", name_of(codec)));
    return {to.data(), to.size()};
  }

  void all_known() {
    levels_.clear();
    known_ = rows_;
  }

  // A level is 1 where the cell has a value.
  void read_levels(std::string_view bytes) {
    levels_.resize(rows_);
    if (!decode_runs(bytes, 1, rows_, levels_.data())) fail("the levels of a page are damaged");
    known_ = 0;
    for (const std::uint8_t level : levels_) known_ += level;
    if (known_ == rows_) levels_.clear();
  }

  // Takes bytes that stand behind their length of four bytes.
  std::string_view take_sized(std::string_view& bytes) {
    std::uint32_t size = 0;
    if (bytes.size() >= 4) std::memcpy(&size, bytes.data(), 4);
    if (bytes.size() < 4 || size > bytes.size() - 4) fail("the levels of a page are damaged");
    const std::string_view taken = bytes.substr(4, size);
    bytes.remove_prefix(4 + std::size_t{size});
    return taken;
  }

  void read_dictionary(const PageHeader& page, std::string_view packed) {
    dictionary_.clear();
    const bool plain = page.encoding == static_cast<int>(Encoding::plain) ||
                       page.encoding == static_cast<int>(Encoding::plain_dictionary);
    if (!plain || column_.physical == Physical::boolean || page.values < 0) fail("the dictionary is damaged");
    const std::string_view bytes = unpacked(codec_, packed, page.unpacked, dictionary_page_);
    dictionary_.size = static_cast<std::size_t>(page.values);
    constexpr int kPlain = static_cast<int>(Encoding::plain);
    if (is_numeric()) {
      // Memory is allocated only when the bytes are known to be there.
      const std::size_t least = column_.form == ColumnForm::fixed ? column_.fixed.width : 4;
      if (dictionary_.size > bytes.size() / least) fail("the dictionary is damaged");
      dictionary_.numbers.resize(dictionary_.size);
      read_plain_numbers(kPlain, bytes, dictionary_.size, dictionary_.numbers.data());
      return;
    }
    if (column_.form == ColumnForm::text) {
      read_texts(kPlain, bytes, dictionary_.size, dictionary_.texts);
    } else {
      dictionary_.values = fixed_values(kPlain, bytes, dictionary_.size);
    }
    dictionary_.cells.assign(dictionary_.size, {0, kUnread});
  }

  // Reads the known values of a page, one behind the other from row_ on. spread() moves them to their rows.
  void read_values(int encoding, std::string_view bytes) {
    if (encoding == static_cast<int>(Encoding::plain_dictionary) ||
        encoding == static_cast<int>(Encoding::rle_dictionary)) {
      read_indices(bytes);
      return is_numeric() ? take_dictionary_numbers() : take_dictionary_cells();
    }
    if (is_numeric()) return read_plain_numbers(encoding, bytes, known_, writer_.numbers().data() + row_);
    const std::span<double> numbers = writer_.numbers().subspan(row_, known_);
    const std::span<std::int32_t> marks = writer_.marks().subspan(row_, known_);
    const char* values = nullptr;
    if (column_.form == ColumnForm::text) {
      read_texts(encoding, bytes, known_, texts_);
    } else {
      values = fixed_values(encoding, bytes, known_);
    }
    for (std::size_t i = 0; i < known_; ++i) {
      const ColumnWriter::Cell cell =
          column_.form == ColumnForm::text ? text_cell(texts_[i]) : fixed_cell(values + i * column_.fixed.width);
      numbers[i] = cell.number;
      marks[i] = cell.mark;
    }
  }

  void read_indices(std::string_view bytes) {
    indices_.resize(known_);
    if (bytes.empty()) fail("a page has no indices into the dictionary");
    const auto width = static_cast<unsigned char>(bytes[0]);
    if (!decode_runs(bytes.substr(1), width, known_, indices_.data())) damaged(static_cast<int>(Encoding::rle));
    const std::uint32_t most = *std::max_element(indices_.begin(), indices_.end());
    if (most >= dictionary_.size) {
      fail(dictionary_.size == 0 ? "a page needs a dictionary, and there is none"
                                 : "an index is beyond the end of the dictionary");
    }
  }

  void take_dictionary_numbers() {
    double* to = writer_.numbers().data() + row_;
    const double* from = dictionary_.numbers.data();
    for (std::size_t i = 0; i < known_; ++i) to[i] = from[indices_[i]];
  }

  // An entry becomes a cell when the first row has it, so that words stand in their order of appearance.
  void take_dictionary_cells() {
    double* numbers = writer_.numbers().data() + row_;
    std::int32_t* marks = writer_.marks().data() + row_;
    ColumnWriter::Cell* cells = dictionary_.cells.data();
    for (std::size_t i = 0; i < known_; ++i) {
      ColumnWriter::Cell& cell = cells[indices_[i]];
      if (cell.mark == kUnread) {
        cell = column_.form == ColumnForm::text ? text_cell(dictionary_.texts[indices_[i]])
                                                : fixed_cell(dictionary_.values + indices_[i] * column_.fixed.width);
      }
      numbers[i] = cell.number;
      marks[i] = cell.mark;
    }
  }

  ColumnWriter::Cell text_cell(std::string_view text) {
    if (const std::int32_t mark = writer_.known_mark(text); mark >= 0) return {0, mark};
    if (!is_text(text)) fail("a cell is not text in UTF-8");
    if (text.size() > kMaxRecordBytes) fail("a cell has more than 16 MiB");
    return writer_.cell_of(text);
  }

  ColumnWriter::Cell fixed_cell(const char* value) {
    CellText room;
    const std::string_view text = read_text(column_.fixed, value, room);
    if (text.empty()) fail("a date is not between the years 1 and 9999, or a time is none of the day");
    return {0, writer_.mark_of(text)};
  }

  void read_plain_numbers(int encoding, std::string_view bytes, std::size_t count, double* numbers) {
    if (column_.form == ColumnForm::fixed) {
      return read_numbers(column_.fixed, fixed_values(encoding, bytes, count), count, numbers);
    }
    read_texts(encoding, bytes, count, texts_);
    for (std::size_t i = 0; i < count; ++i) {
      if (texts_[i].empty() || texts_[i].size() > kMaxDecimalWidth) fail("a decimal is empty or too long");
      numbers[i] = decimal_number(texts_[i], column_.fixed.scale);
    }
  }

  // Values of a fixed width, one behind the other.
  const char* fixed_values(int encoding, std::string_view bytes, std::size_t count) {
    const std::size_t width = column_.fixed.width;
    if (column_.physical == Physical::boolean) return boolean_values(encoding, bytes, count);
    switch (static_cast<Encoding>(encoding)) {
      case Encoding::plain:
        if (count > bytes.size() / width) damaged(encoding);
        return bytes.data();
      case Encoding::byte_stream_split: {
        if (count > bytes.size() / width) damaged(encoding);
        char* to = fixed_.room(count * width).data();
        if (!decode_streams(bytes, width, count, to)) damaged(encoding);
        return to;
      }
      case Encoding::delta_binary_packed:
        if (column_.physical == Physical::int32) return delta_values<std::int32_t>(bytes, count);
        if (column_.physical == Physical::int64) return delta_values<std::int64_t>(bytes, count);
        break;
      case Encoding::delta_byte_array:
        if (column_.physical == Physical::fixed_bytes) {
          read_texts(encoding, bytes, count, texts_);
          char* to = fixed_.room(count * width).data();
          for (std::size_t i = 0; i < count; ++i) {
            if (texts_[i].size() != width) damaged(encoding);
            texts_[i].copy(to + i * width, width);
          }
          return to;
        }
        break;
      default:
        break;
    }
    refuse(encoding);
  }

  template <class T>
  const char* delta_values(std::string_view bytes, std::size_t count) {
    auto* to = reinterpret_cast<T*>(fixed_.room(count * sizeof(T)).data());
    if (!decode_deltas(bytes, count, to)) damaged(static_cast<int>(Encoding::delta_binary_packed));
    return reinterpret_cast<const char*>(to);
  }

  const char* boolean_values(int encoding, std::string_view bytes, std::size_t count) {
    auto* to = reinterpret_cast<std::uint8_t*>(fixed_.room(count).data());
    bool good = false;
    if (encoding == static_cast<int>(Encoding::plain)) {
      good = decode_bits(bytes, count, to);
    } else if (encoding == static_cast<int>(Encoding::rle)) {
      good = decode_runs(take_sized(bytes), 1, count, to);
    } else {
      refuse(encoding);
    }
    if (!good) damaged(encoding);
    return reinterpret_cast<const char*>(to);
  }

  void read_texts(int encoding, std::string_view bytes, std::size_t count, std::vector<std::string_view>& texts) {
    bool good = false;
    switch (static_cast<Encoding>(encoding)) {
      case Encoding::plain:
        good = decode_plain_texts(bytes, count, texts);
        break;
      case Encoding::delta_length_byte_array:
        good = decode_length_texts(bytes, count, texts);
        break;
      case Encoding::delta_byte_array:
        good = decode_prefix_texts(bytes, count, texts, joined_,
                                   kFreeUnpackBytes + kMaxUnpackRatio * std::uint64_t{bytes.size()});
        break;
      default:
        refuse(encoding);
    }
    if (!good) damaged(encoding);
  }

  // It goes from the last row to the first, so that no value is overwritten before it is moved.
  void spread() {
    double* numbers = writer_.numbers().data() + row_;
    if (!levels_.empty()) {
      std::int32_t* marks = writer_.marks().data() + row_;
      std::size_t from = known_;
      for (std::size_t i = rows_; i-- > 0;) {
        const bool known = levels_[i] != 0;
        if (known) --from;
        numbers[i] = known ? numbers[from] : 0;
        marks[i] = known ? marks[from] : kMissingCell;
      }
    }
    if (is_numeric() && column_.fixed.has_nan()) mark_nan(numbers);
  }

  void mark_nan(double* numbers) {
    bool any = false;
    for (std::size_t i = 0; i < rows_; ++i) any |= numbers[i] != numbers[i];
    if (!any) return;
    std::int32_t* marks = writer_.marks().data() + row_;
    for (std::size_t i = 0; i < rows_; ++i) {
      if (numbers[i] == numbers[i]) continue;
      numbers[i] = 0;
      marks[i] = kMissingCell;
    }
  }

  static std::uint32_t crc_of(std::string_view bytes) {
    return static_cast<std::uint32_t>(
        crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<z_size_t>(bytes.size())));
  }

  [[noreturn]] void damaged(int encoding) const {
    fail("a page is damaged (its values are not " + encoding_name(encoding) + ")");
  }
  [[noreturn]] void refuse(int encoding) const {
    fail("a page has the encoding " + encoding_name(encoding) + ", which is not read for this type");
  }
  [[noreturn]] void fail(const std::string& what) const { throw DataError(place_ + ": " + what); }

  const RandomBytes& file_;
  const ParquetColumn& column_;
  std::string place_;
  ColumnWriter writer_;
  std::size_t row_ = 0;    // first row of the page
  std::size_t rows_ = 0;   // number of rows of the page
  std::size_t known_ = 0;  // number of those with a value

  Codec codec_ = Codec::none;
  std::string_view rest_;  // rest of the chunk
  Dictionary dictionary_;
  std::vector<std::uint8_t> levels_;  // one per row of the page; empty if all values are known
  std::vector<std::uint32_t> indices_;
  std::vector<std::string_view> texts_;
  std::string joined_;
  ScratchBytes chunk_, page_, dictionary_page_, fixed_;
};

}  // namespace

Table read_parquet(const RandomBytes& file, const Threads& threads) {
  const ParquetFooter footer = read_parquet_footer(file);
  Table table{.source = file.name, .rows = footer.rows, .columns = {}, .lines = {}};
  table.columns.resize(footer.columns.size());
  for_each_column(table.columns.size(), threads, [&](std::size_t c) {
    ColumnChunks chunks(file, footer.columns[c], footer.rows);
    for (const ParquetRowGroup& group : footer.groups) chunks.read(group.chunks[footer.columns[c].place]);
    table.columns[c] = chunks.finish(footer.rows);
  });
  return table;
}

Table read_parquet(const std::string& path, const Threads& threads) {
  return read_parquet(open_random_bytes(path), threads);
}

}  // namespace perpend
