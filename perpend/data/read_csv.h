// CSV by RFC 4180, with exact places in every error and bounded memory.
//
// Commas, double quotes (doubled inside), LF or CRLF, line breaks inside quotes; a byte order mark is skipped, gz is
// unpacked, "-" is stdin. The first line names the columns. Beyond the RFC: spaces and tabs around a cell are not part
// of it unless quoted; empty lines at the end of the file are ignored. Nothing is padded, renamed or dropped: a row of
// another length, a name given twice, a stray quote, text that is not UTF-8, a line over 16 MiB are DataErrors that
// name the line.
//
// Other separators are found by themselves (separator.h), so that semicolons, tabs and | are read as well.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/data/bytes.h"
#include "perpend/data/column_writer.h"
#include "perpend/data/table.h"
#include "perpend/data/text_window.h"

namespace perpend {

constexpr std::size_t kMaxColumns = 100000;

// Yields a table in blocks of rows, so that a file larger than memory can pass through:
//     CsvReader reader(open_bytes("big.csv"));
//     for (Table block; reader.next(block, 8192);) ...
class CsvReader {
 public:
  explicit CsvReader(ByteSource source);  // reads the header

  // The next rows, at most max_rows; false (and block untouched) after the last. A file without rows is a DataError.
  bool next(Table& block, std::size_t max_rows);

  // Row by row instead, for large files of which few columns matter: select() names the columns, as indices into
  // names(), and next_row() hands out their cells in that order, as text without quotes that lives until the next call.
  // The other cells are checked and passed over. False after the last row; none at all is a DataError, as for next(). A
  // reader is used one way or the other, not both.
  void select(std::span<const std::size_t> columns);
  bool next_row(std::span<std::string_view> cells);
  std::string row_place() const;  // of the row handed out last: "big.csv:4182"

  const std::vector<std::string>& names() const { return names_; }
  char separator() const { return separator_; }

 private:
  bool have_text();
  bool skip_empty_line();
  void read_header();
  void check_names() const;
  void read_row();
  void read_cell(std::size_t column);
  [[noreturn]] void no_rows() const;
  std::string_view take_cell(std::size_t column);
  std::string_view take_quoted(std::size_t column);
  std::string_view take_unquoted(std::size_t column);
  bool is_space(char c) const { return c == ' ' || (c == '\t' && separator_ != '\t'); }
  void grow();
  Table finish_block();
  [[noreturn]] void wrong_length(std::size_t read);
  [[noreturn]] void fail(std::size_t line, const std::string& what) const;

  TextWindow window_;
  char separator_;
  const char* at_ = nullptr;    // next byte to parse
  const char* end_ = nullptr;   // of the window; end_[-1] is a newline
  std::size_t line_ = 1;        // of at_
  std::size_t empty_line_ = 0;  // the first of a run of empty lines, 0 when there is none
  std::string scratch_;         // a quoted cell without its doubled quotes
  std::vector<std::string> names_;
  std::vector<ColumnWriter> writers_;
  RowLines lines_;
  std::size_t rows_ = 0;      // in the block under way
  std::size_t reserved_ = 0;  // rows the writers have room for
  std::size_t rows_before_ = 0;

  static constexpr std::size_t kNotSelected = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> slots_;    // per column: its place in a row's cells, or kNotSelected
  std::vector<std::string> doubled_;  // per place: a cell that had doubled quotes
  std::size_t row_line_ = 0;
};

Table read_csv(const std::string& path);
Table read_csv(ByteSource source);

}  // namespace perpend
