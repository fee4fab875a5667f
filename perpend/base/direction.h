// Whether a score may fall along a column. For example, a bank wants a score that never falls when income rises.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace perpend {

enum class Direction : std::uint8_t {
  none,        // the score may rise and fall
  increasing,  // the score never falls where the column rises and all else stays
  decreasing,  // the score never rises there
};

using Directions = std::vector<Direction>;  // one per column; empty: none has one

inline bool has_direction(std::span<const Direction> directions) {
  return std::ranges::any_of(directions, [](Direction d) { return d != Direction::none; });
}

}  // namespace perpend
