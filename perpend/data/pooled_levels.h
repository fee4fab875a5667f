// Rare levels that a schema pools (encode.h), told apart from levels that training never saw.
//
// A model keeps a mark of each: 24 bits of the sha256 of its name. Names would make large files, and would give away
// what is rare in the training table. A level that training never saw has the mark of a pooled one with a chance of one
// in 17 million per pooled level, and is then not counted as new.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "perpend/data/table.h"

namespace perpend {

// A schema keeps the marks of so many levels in all, 120 kB of a model file. Columns beyond them keep none.
constexpr std::size_t kMostPooledMarks = 20'000;

// Ascending, each once.
std::vector<std::uint32_t> marks_of(std::span<const std::string> levels);

// Six hexadecimal digits for each.
std::string text_of_marks(std::span<const std::uint32_t> marks);
// Throws ModelFileError when text_of_marks could not have written the text.
std::vector<std::uint32_t> marks_in(std::string_view text);

// Cells of a column whose level is none of the schema's.
class PooledCells {
 public:
  PooledCells(const Column& column, std::span<const std::uint32_t> marks);
  bool is_pooled(std::size_t row);

 private:
  const Column* column_;
  std::span<const std::uint32_t> marks_;
  std::vector<bool> words_;                   // of the column
  std::unordered_map<double, bool> numbers_;  // that were asked for
};

}  // namespace perpend
