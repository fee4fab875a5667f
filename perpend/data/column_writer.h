// Grows a column cell by cell, without an allocation per cell. Only readers use it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "perpend/data/table.h"

namespace perpend {

// The mark of a number of grouped form (Column::is_grouped). finish() moves it into Column::grouped.
constexpr std::int32_t kGroupedCell = -3;

class ColumnWriter {
 public:
  explicit ColumnWriter(std::string name, bool nominal = false);

  // Takes memory for `rows` rows at once, so that reserve_rows moves nothing.
  void expect_rows(std::size_t rows) { column_.numbers.reserve(rows); }
  // Makes room for `rows` rows. Every cell that nobody has written counts as the number 0.
  void reserve_rows(std::size_t rows);
  void set_number(std::size_t row, double number) { column_.numbers[row] = number; }
  void set_grouped(std::size_t row);  // the cell is a number of grouped form
  void set_missing(std::size_t row) { mark(row, kMissingCell); }
  void set_word(std::size_t row, std::string_view word) { mark(row, index_of(word)); }
  void set_known_word(std::size_t row, std::int32_t known) { mark(row, known); }  // known: its known_mark()
  // Adds a cell whose kind is not known yet. An empty cell is missing; other text is a number if it reads as one, else
  // a word.
  void set_cell(std::size_t row, std::string_view cell);

  // The cell that set_cell would write, for readers that write many cells at once. Only finish() understands all of its
  // marks.
  struct Cell {
    double number;
    std::int32_t mark;
  };
  Cell cell_of(std::string_view cell);
  std::int32_t mark_of(std::string_view word) { return index_of(word); }
  // The mark of a word that an earlier cell had, else -1. With it the word need not be parsed again.
  std::int32_t known_mark(std::string_view word) const;
  // Both span all rows that there is room for. marks() creates the marks if the column had only numbers.
  std::span<double> numbers() { return column_.numbers; }
  std::span<std::int32_t> marks();

  const std::string& name() const { return column_.name; }
  Column finish(std::size_t rows);  // leaves an empty column of the same name behind

 private:
  void mark(std::size_t row, std::int32_t mark);
  void move_grouped_marks();
  std::int32_t index_of(std::string_view word);
  void rehash();

  Column column_;
  std::vector<std::int32_t> slots_;  // hash table of indices into words, -1 if free; its size is a power of two
  std::int32_t last_ = -1;           // the last word, because neighbouring rows often hold the same one
  bool has_grouped_marks_ = false;   // cell_of gave kGroupedCell
};

}  // namespace perpend
