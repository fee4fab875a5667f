// Tells the rare levels that a schema pools (encode.h) from levels that training never saw.
//
// A model keeps one mark per pooled level: 24 bits of the sha256 of its name. Names would make large files, and would
// reveal what is rare in the training table. A new level may have the same mark as a pooled one, and is then not
// counted as new. The chance is one in 17 million per pooled level.
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

// A schema keeps at most this many marks, which take 120 kB of a model file. Columns beyond the limit keep none.
constexpr std::size_t kMostPooledMarks = 20'000;

// The marks of the levels, ascending, each once.
std::vector<std::uint32_t> marks_of(std::span<const std::string> levels);

// The marks as text, six hexadecimal digits each.
std::string text_of_marks(std::span<const std::uint32_t> marks);
// Reads the marks in such a text. Throws ModelFileError if text_of_marks could not have written it.
std::vector<std::uint32_t> marks_in(std::string_view text);

// Cells of a column whose levels are not in the schema.
class PooledCells {
 public:
  PooledCells(const Column& column, std::span<const std::uint32_t> marks);
  bool is_pooled(std::size_t row);

 private:
  const Column* column_;
  std::span<const std::uint32_t> marks_;
  std::vector<bool> words_;                   // one per word of the column
  std::unordered_map<double, bool> numbers_;  // the numbers asked for so far
};

}  // namespace perpend
