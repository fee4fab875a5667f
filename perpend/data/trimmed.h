// A text without the blanks around it.
#pragma once

#include <algorithm>
#include <string_view>

namespace perpend {

constexpr std::string_view kSpaces = " \t\r";

inline std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
  return text.substr(0, text.find_last_not_of(kSpaces) + 1);
}

}  // namespace perpend
