// Finds the character that separates the cells of a CSV file.
//
// Candidates are the comma, the semicolon, the tab and |, in this order. A candidate fits if it divides the header into
// more than one cell and each of the next rows into as many. Separators inside quotes do not count. The first candidate
// that fits is the separator. So it is the comma wherever the comma fits. If no candidate fits, because a row is
// damaged or there is only one column, it is the candidate that divides the header into the most cells, and of several
// the first.
//
// The rule uses the first 64 KiB and at most 20 of their rows, in whatever pieces the bytes arrive. So a table that is
// read in blocks has the same separator as a table that is read at once.
#pragma once

#include <cstddef>
#include <string_view>

namespace perpend {

constexpr std::size_t kSeparatorBytes = std::size_t{64} << 10;

// opening: the first kSeparatorBytes of the text, or all of a shorter one.
char find_separator(std::string_view opening);

}  // namespace perpend
