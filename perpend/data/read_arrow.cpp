#include "perpend/data/read_arrow.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>

#include "perpend/base/checked_size.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/arrow_cells.h"
#include "perpend/data/arrow_types.h"
#include "perpend/data/codecs.h"
#include "perpend/data/column_writer.h"
#include "perpend/data/columnar.h"
#include "perpend/data/flatbuffer.h"
#include "perpend/data/text_window.h"

namespace perpend {

namespace {

constexpr std::string_view kArrowMark = "ARROW1";
constexpr std::size_t kArrowTail = 10;  // the size of the footer, and the mark
constexpr std::size_t kBlockStruct = 24;
constexpr std::uint32_t kContinues = 0xFFFFFFFF;

// A batch has one array per column.
using ArrowBatch = std::vector<ArrowArray>;

struct Block {
  std::uint64_t offset;
  std::uint64_t head;  // size of the message
  std::uint64_t body;
};

// The entries of a dictionary: a number, a text, or neither.
struct ArrowDictionary {
  struct Entry {
    bool known = false;
    double number = 0;
    std::string text = {};
  };
  bool is_number = false;
  std::vector<Entry> entries;
};

class ArrowFile {
 public:
  explicit ArrowFile(const RandomBytes& file) : file_(file), name_(printable(file.name)) { read_footer(); }

  Table read(const Threads& threads) {
    Table table{.source = file_.name, .rows = rows_};
    std::vector<const ArrowField*> wanted;
    std::vector<std::size_t> places;
    for (std::size_t c = 0; c < fields_.size(); ++c) {
      if (!fields_[c].wanted) continue;
      wanted.push_back(&fields_[c]);
      places.push_back(c);
    }
    table.columns.resize(wanted.size());
    for_each_column(wanted.size(), threads,
                    [&](std::size_t c) { table.columns[c] = read_column(*wanted[c], places[c]); });
    return table;
  }

 private:
  void read_footer() {
    if (file_.size == 0) throw DataError(name_ + " is empty");
    std::array<char, kArrowTail> tail{};
    std::array<char, kArrowMark.size()> first{};
    if (file_.size < kArrowTail + 8) throw DataError(name_ + ": not an Arrow file (too short)");
    file_.read(0, first.data(), first.size());
    if (std::string_view(first.data(), first.size()) != kArrowMark) {
      throw DataError(name_ + ": not an Arrow file (wrong first bytes)" +
                      (std::string_view(first.data(), 4) == "FEA1" ? "; it is a Feather file of version 1" : ""));
    }
    file_.read(file_.size - kArrowTail, tail.data(), tail.size());
    if (std::string_view(tail.data() + 4, kArrowMark.size()) != kArrowMark) {
      throw DataError(name_ + ": the Arrow file is cut off or damaged (wrong last bytes)");
    }
    std::uint32_t size = 0;
    std::memcpy(&size, tail.data(), sizeof(size));
    if (size > file_.size - kArrowTail - 8) damaged_footer();
    std::string bytes(size, '\0');
    file_.read(file_.size - kArrowTail - size, bytes.data(), bytes.size());
    const FlatBytes flat(bytes, name_ + ": the footer of the Arrow file");
    const FlatTable footer = FlatTable::root(flat);
    const auto schema = footer.table(1);
    if (!schema) damaged_footer();
    read_schema(*schema);
    const FlatVector batches = footer.vector(3, kBlockStruct);
    // Every array of every batch has its own description of 16 bytes.
    const auto described = checked_size(batches.size, fields_.size());
    if (!described || *described > file_.size / 16) damaged_footer();
    std::uint64_t rows = 0;
    for (std::size_t i = 0; i < batches.size; ++i) {
      batches_.push_back(read_batch(block_of(batches, i)));
      rows += batches_.back().rows;
      check_limit(rows);
    }
    std::vector<std::string> names;
    for (const ArrowField& field : fields_) {
      if (field.wanted) names.push_back(field.name);
    }
    check_column_names(file_.name, names);
    check_table_size(file_.name, file_.size, rows, names.size());
    rows_ = static_cast<std::size_t>(rows);
    const FlatVector dictionaries = footer.vector(2, kBlockStruct);
    for (std::size_t i = 0; i < dictionaries.size; ++i) read_dictionary(block_of(dictionaries, i));
  }

  void check_limit(std::uint64_t rows) const {
    if (rows > std::uint64_t{1} << 32) check_table_size(file_.name, file_.size, rows, 1);
  }

  void read_schema(const FlatTable& schema) {
    if (schema.number<std::int16_t>(0, 0) != 0) throw DataError(name_ + " is big-endian, which is not read");
    const FlatVector fields = schema.vector(1, 4);
    for (std::size_t i = 0; i < fields.size; ++i) fields_.push_back(field_of(name_, schema.element(fields, i)));
  }

  Block block_of(const FlatVector& blocks, std::size_t i) const {
    const auto offset = blocks.number<std::int64_t>(i, 0);
    const auto head = blocks.number<std::int32_t>(i, 8);
    const auto body = blocks.number<std::int64_t>(i, 16);
    if (offset < 0 || head < 8 || body < 0) damaged_footer();
    const Block block{static_cast<std::uint64_t>(offset), static_cast<std::uint64_t>(head),
                      static_cast<std::uint64_t>(body)};
    if (block.offset > file_.size || block.head > file_.size - block.offset ||
        block.body > file_.size - block.offset - block.head) {
      throw DataError(name_ + ": a record batch lies outside the file; the Arrow file is damaged");
    }
    return block;
  }

  // The flatbuffer of a message stands behind a mark and its size. In old files it stands behind its size alone.
  std::string message_bytes(const Block& block) const {
    std::string bytes(block.head, '\0');
    file_.read(block.offset, bytes.data(), bytes.size());
    return bytes.substr(element_at<std::uint32_t>(bytes, 0) == kContinues ? 8 : 4);
  }

  struct Batch {
    std::size_t rows = 0;
    ArrowBatch arrays;
  };

  Batch read_batch(const Block& block) const {
    const std::string bytes = message_bytes(block);
    const FlatBytes flat(bytes, name_ + ": a record batch");
    const FlatTable message = FlatTable::root(flat);
    const auto header = message.table(2);
    flat.check(header && message.number<std::uint8_t>(1, 0) == 3);
    std::vector<const ArrowType*> types;
    for (const ArrowField& field : fields_) types.push_back(&field.stored());
    return batch_of(flat, *header, block, types);
  }

  Batch batch_of(const FlatBytes& flat, const FlatTable& facts, const Block& block,
                 const std::vector<const ArrowType*>& types) const {
    const auto rows = facts.number<std::int64_t>(0, 0);
    const FlatVector nodes = facts.vector(1, 16);
    const FlatVector buffers = facts.vector(2, 16);
    const FlatVector more = facts.vector(4, 8);
    flat.check(rows >= 0 && nodes.size == types.size());
    Batch batch{.rows = static_cast<std::size_t>(rows), .arrays = ArrowBatch(types.size())};
    std::size_t next = 0;
    std::size_t next_more = 0;
    for (std::size_t c = 0; c < types.size(); ++c) {
      ArrowArray& array = batch.arrays[c];
      flat.check(nodes.number<std::int64_t>(c) == rows);
      array.rows = batch.rows;
      if (const auto compression = facts.table(3)) {
        array.packed = true;
        array.codec = codec_of(compression->number<std::int8_t>(0, 0));
      }
      std::size_t count = types[c]->buffers();
      if (types[c]->kind == ArrowType::Kind::text_view) {
        flat.check(next_more < more.size);
        const auto extra = more.number<std::int64_t>(next_more++);
        flat.check(extra >= 0 && static_cast<std::uint64_t>(extra) <= buffers.size);
        count += static_cast<std::size_t>(extra);
      }
      flat.check(count <= buffers.size - next);
      for (; count > 0; --count, ++next) {
        const auto offset = buffers.number<std::int64_t>(next, 0);
        const auto size = buffers.number<std::int64_t>(next, 8);
        flat.check(offset >= 0 && size >= 0 && static_cast<std::uint64_t>(offset) <= block.body &&
                   static_cast<std::uint64_t>(size) <= block.body - static_cast<std::uint64_t>(offset));
        array.buffers.push_back(
            {block.offset + block.head + static_cast<std::uint64_t>(offset), static_cast<std::uint64_t>(size)});
      }
    }
    return batch;
  }

  Codec codec_of(int number) const {
    if (number != 0 && number != 1)
      throw DataError(fmt::format("{} is packed by codec {}, which is not known", name_, number));
    const Codec codec = number == 0 ? Codec::lz4_frame : Codec::zstd;
    if (!has_codec(codec)) {
      throw DataError(
          fmt::format("{} is packed by {}, which this build of perpend does not have; write it uncompressed, "
                      "or build perpend with lib{}",
                      name_, name_of(codec), name_of(codec)));
    }
    return codec;
  }

  void read_dictionary(const Block& block) {
    const std::string bytes = message_bytes(block);
    const FlatBytes flat(bytes, name_ + ": a dictionary");
    const FlatTable message = FlatTable::root(flat);
    const auto header = message.table(2);
    flat.check(header && message.number<std::uint8_t>(1, 0) == 2);
    const auto id = header->number<std::int64_t>(0, 0);
    const auto field =
        std::ranges::find_if(fields_, [&](const ArrowField& f) { return f.has_dictionary && f.dictionary == id; });
    if (field == fields_.end()) return;
    const auto data = header->table(1);
    flat.check(data.has_value());
    const Batch batch = batch_of(flat, *data, block, {&field->type});
    add_entries(dictionaries_[id], *field, batch.arrays[0]);
  }

  // Many blocks may name the same bytes, so the entries of all blocks are counted.
  void add_entries(ArrowDictionary& dictionary, const ArrowField& field, const ArrowArray& array) {
    dictionary_bytes_ += array.rows * sizeof(ArrowDictionary::Entry);
    check_dictionaries(field);
    ArrayCells cells;
    cells.open(file_, field.type, array, field.place);
    dictionary.is_number = field.type.is_number();
    std::vector<double> numbers(dictionary.is_number ? array.rows : 0);
    if (dictionary.is_number) cells.numbers(numbers.data());
    for (std::size_t i = 0; i < array.rows; ++i) {
      ArrowDictionary::Entry& entry = dictionary.entries.emplace_back();
      entry.known = cells.known(i);
      if (!entry.known) continue;
      if (dictionary.is_number) {
        entry.number = numbers[i];
      } else {
        entry.text = checked_text(cells, cells.text(i));
        dictionary_bytes_ += entry.text.size();
      }
    }
    check_dictionaries(field);
  }

  void check_dictionaries(const ArrowField& field) const {
    if (!may_unpack(file_.size, dictionary_bytes_)) {
      throw DataError(field.place + ": the dictionaries of the file are larger than its size allows");
    }
  }

  static std::string_view checked_text(const ArrayCells& cells, std::string_view text) {
    if (!is_text(text)) cells.fail("a cell is not text in UTF-8");
    if (text.size() > kMaxRecordBytes) cells.fail("a cell has more than 16 MiB");
    return text;
  }

  Column read_column(const ArrowField& field, std::size_t place) const {
    ColumnWriter writer(field.name, field.has_dictionary);
    writer.expect_rows(rows_);
    ArrayCells cells;
    std::size_t row = 0;
    for (const Batch& batch : batches_) {
      const ArrowArray& array = batch.arrays[place];
      writer.reserve_rows(row + array.rows);
      cells.open(file_, field.stored(), array, field.place);
      if (field.has_dictionary) {
        write_entries(writer, row, array.rows, field, cells);
      } else if (field.type.is_number()) {
        write_numbers(writer, row, array.rows, cells);
      } else {
        write_texts(writer, row, array.rows, field, cells);
      }
      row += array.rows;
    }
    return writer.finish(rows_);
  }

  static void write_numbers(ColumnWriter& writer, std::size_t row, std::size_t rows, const ArrayCells& cells) {
    double* numbers = writer.numbers().data() + row;
    cells.numbers(numbers);
    bool gaps = !cells.all_known();
    for (std::size_t i = 0; i < rows; ++i) gaps |= numbers[i] != numbers[i];
    if (!gaps) return;
    std::int32_t* marks = writer.marks().data() + row;
    for (std::size_t i = 0; i < rows; ++i) {
      if (cells.known(i) && numbers[i] == numbers[i]) continue;
      numbers[i] = 0;
      marks[i] = kMissingCell;
    }
  }

  static void write_texts(ColumnWriter& writer, std::size_t row, std::size_t rows, const ArrowField& field,
                          ArrayCells& cells) {
    for (std::size_t i = 0; i < rows; ++i) {
      if (!cells.known(i)) {
        writer.set_missing(row + i);
        continue;
      }
      const std::string_view text = cells.text(i);
      const std::int32_t known = writer.known_mark(text);
      if (known >= 0) {
        writer.set_known_word(row + i, known);
      } else if (!field.type.is_text()) {
        writer.set_word(row + i, text);
      } else {
        writer.set_cell(row + i, checked_text(cells, text));
      }
    }
  }

  void write_entries(ColumnWriter& writer, std::size_t row, std::size_t rows, const ArrowField& field,
                     const ArrayCells& cells) const {
    const auto found = dictionaries_.find(field.dictionary);
    const std::size_t size = found == dictionaries_.end() ? 0 : found->second.entries.size();
    std::vector<double> indices(rows);
    cells.numbers(indices.data());
    for (std::size_t i = 0; i < rows; ++i) {
      if (!cells.known(i)) {
        writer.set_missing(row + i);
        continue;
      }
      if (!(indices[i] >= 0 && indices[i] < static_cast<double>(size))) {
        cells.fail("an index is beyond the end of the dictionary");
      }
      const ArrowDictionary::Entry& entry = found->second.entries[static_cast<std::size_t>(indices[i])];
      if (found->second.is_number && entry.known && entry.number == entry.number) {
        writer.set_number(row + i, entry.number);
      } else if (!entry.known || found->second.is_number || entry.text.empty()) {
        writer.set_missing(row + i);
      } else {
        writer.set_word(row + i, entry.text);
      }
    }
  }

  [[noreturn]] void damaged_footer() const { throw DataError(name_ + ": the footer of the Arrow file is damaged"); }

  const RandomBytes& file_;
  std::string name_;
  std::size_t rows_ = 0;
  std::vector<ArrowField> fields_;
  std::vector<Batch> batches_;
  std::map<std::int64_t, ArrowDictionary> dictionaries_;
  std::uint64_t dictionary_bytes_ = 0;
};

}  // namespace

Table read_arrow(const RandomBytes& file, const Threads& threads) { return ArrowFile(file).read(threads); }

Table read_arrow(const std::string& path, const Threads& threads) {
  return read_arrow(open_random_bytes(path), threads);
}

}  // namespace perpend
