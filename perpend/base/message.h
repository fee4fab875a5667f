// Words for messages: every value a user typed or stored can be shown on one line.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace perpend {

// The text with control characters written as \n, \t or \x1b, so that it stays on one line.
std::string printable(std::string_view text);

// 'text', printable and cut at 40 characters (not bytes), with ... where it was cut.
std::string quote(std::string_view text);

// 1234567 -> "1,234,567".
std::string thousands(std::size_t count);

// "3 rows", "1 row": thousands(count) and the noun, with an s unless count is 1.
std::string counted(std::size_t count, std::string_view noun);

// The name nearest to `wanted`: insertions, deletions, replacements and swaps of neighbours cost one each, letter case
// costs nothing. Empty when none is near (more than a third of the longer name differs, or all of it).
std::string nearest_name(std::string_view wanted, std::span<const std::string> names);

}  // namespace perpend
