// Grows a column cell by cell, without an allocation per cell. For readers only.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "perpend/data/table.h"

namespace perpend {

// The mark of a number of grouped form, until finish() moves it into Column::grouped.
constexpr std::int32_t kGroupedCell = -3;

class ColumnWriter {
 public:
  explicit ColumnWriter(std::string name, bool nominal = false);

  // So many rows will come: memory for them is taken at once, and reserve_rows moves nothing.
  void expect_rows(std::size_t rows) { column_.numbers.reserve(rows); }
  // Room for `rows` rows; every cell beyond those written counts as the number 0.
  void reserve_rows(std::size_t rows);
  void set_number(std::size_t row, double number) { column_.numbers[row] = number; }
  void set_grouped(std::size_t row);  // of a number (Column::is_grouped)
  void set_missing(std::size_t row) { mark(row, kMissingCell); }
  void set_word(std::size_t row, std::string_view word) { mark(row, index_of(word)); }
  void set_known_word(std::size_t row, std::int32_t known) { mark(row, known); }  // by its known_mark()
  // Adds a cell whose kind is not known yet. An empty cell is missing; other text is a number if it reads as one, else
  // a word.
  void set_cell(std::size_t row, std::string_view cell);

  // For readers that write many cells at once. What set_cell would write, as a value. The mark may be one that only
  // finish() understands.
  struct Cell {
    double number;
    std::int32_t mark;
  };
  Cell cell_of(std::string_view cell);
  std::int32_t mark_of(std::string_view word) { return index_of(word); }
  // The mark of a word that a cell has had before, else -1. It saves looking at the word again.
  std::int32_t known_mark(std::string_view word) const;
  // All rows that there is room for. marks() makes the marks of a column that had only numbers.
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
  std::vector<std::int32_t> slots_;  // hash table of indices into words, -1 where free; size a power of two
  std::int32_t last_ = -1;           // neighbouring rows often hold the same word
  bool has_grouped_marks_ = false;   // cell_of gave kGroupedCell
};

}  // namespace perpend
