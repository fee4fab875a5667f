// The demo's picture on a terminal: what each member answers over the plane.
#pragma once

#include <cstddef>
#include <string>

#include "perpend/records/score_grid.h"

namespace perpend::app {

// The grid of scores that is drawn. Rich: two pixels per character, in colour. Otherwise plain ASCII.
constexpr std::size_t kTerminalColumns = 32;
constexpr std::size_t terminal_rows(bool rich) { return rich ? 32 : 16; }

// Returns lines of text with the members' answers side by side, and a legend.
std::string draw_in_terminal(const ScoreGrid& grid, bool rich);
std::string terminal_legend(bool rich);

}  // namespace perpend::app
