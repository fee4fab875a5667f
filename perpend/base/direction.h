// Whether a score may fall along a column. For example, a bank wants a score that never falls when income rises.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace perpend {

enum class Direction : std::uint8_t {
  none,        // the score may rise and fall
  increasing,  // the score never falls when the column rises and all else stays
  decreasing,  // the score never rises then
};

using Directions = std::vector<Direction>;  // one per column; empty if no column has one

inline bool has_direction(std::span<const Direction> directions) {
  return std::ranges::any_of(directions, [](Direction d) { return d != Direction::none; });
}

}  // namespace perpend
