// Reads CSV by RFC 4180, with exact places in every error and bounded memory.
//
// Cells are separated by commas and may have double quotes (doubled inside). Lines end with LF or CRLF, and line breaks
// may stand inside quotes. The first line names the columns. The reader skips a byte order mark, unpacks gz, and reads
// stdin for "-". It goes beyond the RFC in two ways: spaces and tabs around a cell are not part of it unless quoted,
// and empty lines at the end of the file are ignored. The reader never pads, renames or drops anything: a row of
// another length, a name given twice, a stray quote, text that is not UTF-8 and a line over 16 MiB are DataErrors that
// name the line.
//
// The reader finds other separators by itself (separator.h): semicolons, tabs and |.
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

// Yields a table in blocks of rows, so that a file may be larger than memory:
//     CsvReader reader(open_bytes("big.csv"));
//     for (Table block; reader.next(block, 8192);) ...
class CsvReader {
 public:
  explicit CsvReader(ByteSource source);  // reads the header

  // Reads the next rows, at most max_rows. Returns false and leaves the block alone after the last row. A file without
  // rows is a DataError.
  bool next(Table& block, std::size_t max_rows);

  // These read row by row instead, for large files of which few columns matter. select() names the columns, as indices
  // into names(). next_row() returns their cells in that order, as text without quotes that lives until the next call.
  // It checks the other cells and skips them. It returns false after the last row, and a file without rows is a
  // DataError. Use a reader either by blocks or row by row, not both.
  void select(std::span<const std::size_t> columns);
  bool next_row(std::span<std::string_view> cells);
  std::string row_place() const;  // the place of the last row: "big.csv:4182"

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
  const char* end_ = nullptr;   // end of the window; end_[-1] is a newline
  std::size_t line_ = 1;        // line of at_
  std::size_t empty_line_ = 0;  // the first of a run of empty lines, 0 if there is none
  std::string scratch_;         // a quoted cell without its doubled quotes
  std::vector<std::string> names_;
  std::vector<ColumnWriter> writers_;
  RowLines lines_;
  std::size_t rows_ = 0;      // rows in the current block
  std::size_t reserved_ = 0;  // rows for which the writers have room
  std::size_t rows_before_ = 0;

  static constexpr std::size_t kNotSelected = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> slots_;    // per column: its place in a row's cells, or kNotSelected
  std::vector<std::string> doubled_;  // per place: a cell that had doubled quotes
  std::size_t row_line_ = 0;
};

Table read_csv(const std::string& path);
Table read_csv(ByteSource source);

}  // namespace perpend
