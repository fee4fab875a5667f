// perpend works through tables in blocks of rows. So the encoding and the answers of a whole table are never in memory
// at once.
#pragma once

#include <algorithm>
#include <cstddef>

namespace perpend {

// A block has at most this many rows and this many cells, but always at least one row.
constexpr std::size_t kBlockRows = 16384;
constexpr std::size_t kBlockCells = std::size_t{1} << 21;

inline std::size_t rows_per_block(std::size_t columns) {
  return std::clamp<std::size_t>(kBlockCells / std::max<std::size_t>(columns, 1), 1, kBlockRows);
}

// Calls use(first, count) for one block after the other.
template <class Use>
void for_each_block(std::size_t rows, std::size_t columns, const Use& use) {
  const std::size_t most = rows_per_block(columns);
  for (std::size_t first = 0; first < rows; first += most) use(first, std::min(most, rows - first));
}

}  // namespace perpend
