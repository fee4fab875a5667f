#include "perpend/base/message.h"

#include <algorithm>
#include <array>
#include <vector>

namespace perpend {

namespace {

constexpr std::size_t kShownCharacters = 40;
constexpr std::size_t kComparedBytes = 100;  // keeps the distance of two hostile names cheap

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::size_t distance(std::string_view a, std::string_view b) {
  std::array<std::vector<std::size_t>, 3> rows;  // the last two rows are needed for swaps
  for (auto& row : rows) row.resize(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto& now = rows[i % 3];
    const auto& last = rows[(i + 2) % 3];
    const auto& before = rows[(i + 1) % 3];
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) now[j] = std::min(now[j], before[j - 2] + 1);
    }
  }
  return rows[a.size() % 3][b.size()];
}

}  // namespace

std::string printable(std::string_view text) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      out += {'\\', 'x', kHex[byte / 16], kHex[byte % 16]};
    } else {
      out += c;
    }
  }
  return out;
}

std::string quote(std::string_view text) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (starts_character(text[i]) && ++characters > kShownCharacters)
      return "'" + printable(text.substr(0, i)) + "...'";
  }
  return "'" + printable(text) + "'";
}

std::string thousands(std::size_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string counted(std::size_t count, std::string_view noun) {
  return thousands(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string nearest_name(std::string_view wanted, std::span<const std::string> names) {
  std::string best;
  std::size_t best_distance = kComparedBytes;
  for (const std::string& name : names) {
    const std::size_t longer = std::max(wanted.size(), name.size());
    if (longer > kComparedBytes) continue;
    const std::size_t d = distance(wanted, name);
    if (3 * d <= std::max<std::size_t>(longer, 3) && d < longer && d < best_distance) {
      best = name;
      best_distance = d;
    }
  }
  return best;
}

}  // namespace perpend
