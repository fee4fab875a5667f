// Which character separates the cells of a CSV file.
//
// Candidates are the comma, the semicolon, the tab and |, in this order. A candidate fits if it parts the header into
// more than one cell and each of the next rows into as many. Separators inside quotes do not count. The first candidate
// that fits is the separator, so a comma is it wherever it can be. If none fits, because a row is damaged or there is
// one column only, it is the candidate that parts the header into the most cells, and of several the first.
//
// The rule sees the first 64 KiB and at most 20 rows of them, however the bytes come in. So a table that is read in
// blocks has the separator of the table that is read at once.
#pragma once

#include <cstddef>
#include <string_view>

namespace perpend {

constexpr std::size_t kSeparatorBytes = std::size_t{64} << 10;

// opening: the first kSeparatorBytes of the text, or all of a shorter one.
char find_separator(std::string_view opening);

}  // namespace perpend
