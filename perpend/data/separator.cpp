#include "perpend/data/separator.h"

#include <algorithm>
#include <array>
#include <vector>

namespace perpend {

namespace {

constexpr std::array kCandidates = {',', ';', '\t', '|'};
constexpr std::size_t kRows = 20;

using CellCounts = std::array<std::size_t, kCandidates.size()>;  // in one line, per candidate

// Counts the cells of the header and of the next rows. A line that the opening cuts off counts only if it is the
// header. Empty lines are not rows.
std::vector<CellCounts> count_cells(std::string_view opening) {
  constexpr CellCounts kOneCell = {1, 1, 1, 1};
  std::vector<CellCounts> lines;
  CellCounts line = kOneCell;
  bool quoted = false;
  bool empty = true;
  for (const char c : opening) {
    if (c == '\n' && !quoted) {
      if (!empty) lines.push_back(line);
      if (lines.size() > kRows) return lines;
      line = kOneCell;
      empty = true;
      continue;
    }
    if (c == '"') quoted = !quoted;
    if (c != '\r') empty = false;
    const auto* candidate = std::ranges::find(kCandidates, c);
    if (candidate != kCandidates.end() && !quoted) ++line[static_cast<std::size_t>(candidate - kCandidates.begin())];
  }
  if (lines.empty() || (!empty && opening.size() < kSeparatorBytes)) lines.push_back(line);
  return lines;
}

}  // namespace

char find_separator(std::string_view opening) {
  const std::vector<CellCounts> lines = count_cells(opening);
  const CellCounts& header = lines[0];
  for (std::size_t i = 0; i < kCandidates.size(); ++i) {
    const bool equal = std::ranges::all_of(lines, [&](const CellCounts& line) { return line[i] == header[i]; });
    if (header[i] > 1 && equal) return kCandidates[i];
  }
  return kCandidates[static_cast<std::size_t>(std::ranges::max_element(header) - header.begin())];
}

}  // namespace perpend
