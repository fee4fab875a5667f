#include "apps/perpend/boundary_terminal.h"

#include <fmt/format.h>

namespace perpend::app {

namespace {

constexpr std::size_t kLines = terminal_rows(false);
constexpr std::size_t kBlanksBetween = 4;

// Two hues for the two answers, strong where there were training rows, pale where there were none (256-colour codes).
constexpr int kColours[2][2] = {{223, 208}, {153, 32}};  // [answer][seen]
constexpr char kLetters[2][2] = {{'-', '='}, {'+', '#'}};

bool seen(const ScoreGrid& grid, std::size_t column, std::size_t row) {
  return grid.x(static_cast<double>(column)) * grid.y(static_cast<double>(row)) > 0;
}

int colour_at(const ScoreGrid& grid, std::size_t member, std::size_t column, std::size_t row) {
  return kColours[grid.positive(member, column, row) ? 1 : 0][seen(grid, column, row) ? 1 : 0];
}

std::string rich_line(const ScoreGrid& grid, std::size_t member, std::size_t line) {
  std::string text;
  for (std::size_t c = 0; c < kTerminalColumns; ++c) {
    text += fmt::format("\x1b[38;5;{};48;5;{}m▀", colour_at(grid, member, c, 2 * line),
                        colour_at(grid, member, c, 2 * line + 1));
  }
  return text + "\x1b[0m";
}

std::string plain_line(const ScoreGrid& grid, std::size_t member, std::size_t line) {
  std::string text;
  for (std::size_t c = 0; c < kTerminalColumns; ++c) {
    text += kLetters[grid.positive(member, c, line) ? 1 : 0][seen(grid, c, line) ? 1 : 0];
  }
  return text;
}

std::string swatch(int answer, int is_seen, bool rich) {
  if (!rich) return std::string(2, kLetters[answer][is_seen]);
  return fmt::format("\x1b[48;5;{}m  \x1b[0m", kColours[answer][is_seen]);
}

}  // namespace

std::string draw_in_terminal(const ScoreGrid& grid, bool rich) {
  const std::size_t members = grid.scores.size();
  std::string text;
  for (std::size_t m = 0; m < members; ++m) {
    const std::string name = fmt::format("member {}", m + 1);
    text += m + 1 < members ? fmt::format("  {:<{}}", name, kTerminalColumns + kBlanksBetween - 2) : "  " + name;
  }
  for (std::size_t line = 0; line < kLines; ++line) {
    text += "\n";
    for (std::size_t m = 0; m < members; ++m) {
      text +=
          std::string(m == 0 ? 2 : kBlanksBetween, ' ') + (rich ? rich_line(grid, m, line) : plain_line(grid, m, line));
    }
  }
  return text + "\n";
}

std::string terminal_legend(bool rich) {
  return fmt::format("  rows seen: {} answers 1  {} answers 0     never seen: {} answers 1  {} answers 0\n",
                     swatch(1, 1, rich), swatch(0, 1, rich), swatch(1, 0, rich), swatch(0, 0, rich));
}

}  // namespace perpend::app
