#include "perpend/base/message.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace perpend {

namespace {

constexpr std::size_t kShownCharacters = 40;
constexpr std::size_t kShownBytes = 4 * kShownCharacters;
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

struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 0;  // 0 if the bytes here are not UTF-8
};

// The first code point of a text that is not empty. Overlong forms, surrogates and values above U+10FFFF are not UTF-8.
CodePoint first_code_point(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  char32_t value = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    value = value << 6 | (byte(i) & 0x3F);
  }
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < kLeast[bytes] || (value >= 0xD800 && value < 0xE000) || value > 0x10FFFF) return {};
  return {value, bytes};
}

// Whether a code point controls a terminal or misleads its reader.
bool is_hidden(char32_t c) {
  constexpr std::pair<char32_t, char32_t> kRanges[] = {
      {0x00, 0x1F},     {0x7F, 0x9F},       // C0, DEL, C1
      {0x61C, 0x61C},   {0x200E, 0x200F},   // direction marks
      {0x200B, 0x200B}, {0x2028, 0x202E},   // zero-width space; separators; embeddings and overrides of direction
      {0x2060, 0x206F}, {0xFEFF, 0xFEFF},   // word joiner, isolates, deprecated format characters; byte order mark
      {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F}  // interlinear annotation; tags
  };
  return std::ranges::any_of(kRanges, [&](const auto& range) { return c >= range.first && c <= range.second; });
}

enum class Style { line, lines, json };

std::string hex(char32_t value, std::size_t digits) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text(digits, '0');
  for (std::size_t i = digits; i > 0; --i, value /= 16) text[i - 1] = kHex[value % 16];
  return text;
}

std::string escape_of(char32_t c, Style style) {
  if (style != Style::json) {
    if (c == '\n') return "\\n";
    if (c == '\r') return "\\r";
    if (c == '\t') return "\\t";
    if (c < 0x80) return "\\x" + hex(c, 2);
  }
  if (c < 0x10000) return "\\u" + hex(c, 4);
  if (style != Style::json) return "\\U" + hex(c, 8);
  return "\\u" + hex(0xD800 + ((c - 0x10000) >> 10), 4) + "\\u" + hex(0xDC00 + ((c - 0x10000) & 0x3FF), 4);
}

std::string escaped(std::string_view text, Style style) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    const bool stays = c.bytes > 0 && (!is_hidden(c.value) || (c.value == '\n' && style != Style::line));
    if (stays) {
      out += text.substr(0, c.bytes);
    } else if (c.bytes > 0) {
      out += escape_of(c.value, style);
    } else {
      out += style == Style::json ? "\\ufffd" : "\\x" + hex(static_cast<unsigned char>(text[0]), 2);
    }
    text.remove_prefix(std::max<std::size_t>(c.bytes, 1));
  }
  return out;
}

std::string octal(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return {static_cast<char>('0' + byte / 64), static_cast<char>('0' + byte / 8 % 8), static_cast<char>('0' + byte % 8)};
}

}  // namespace

std::string printable(std::string_view text) { return escaped(text, Style::line); }
std::string printable_lines(std::string_view text) { return escaped(text, Style::lines); }
std::string printable_json(std::string_view text) { return escaped(text, Style::json); }

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = first_code_point(text).bytes;
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::string quote(std::string_view text) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    characters += starts_character(text[i]) ? 1 : 0;
    if (characters > kShownCharacters || i == kShownBytes) return "'" + printable(text.substr(0, i)) + "...'";
  }
  return "'" + printable(text) + "'";
}

std::string quote_all(std::span<const std::string> names) {
  constexpr std::size_t kShown = 10;
  const std::size_t shown = std::min(names.size(), kShown);
  const std::size_t more = names.size() - shown;
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool ends = i + 1 == shown && more == 0;
    text += (i == 0 ? "" : ends ? " and " : ", ") + quote(names[i]);
  }
  return text + (more > 0 ? " and " + thousands(more) + " more" : "");
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:,+@%-";
  if (!text.empty() && text.find_first_not_of(kPlain) == text.npos) return std::string(text);
  const bool shown_as_it_is = printable(text) == text;
  std::string word = shown_as_it_is ? "'" : "$'";
  for (const char c : text) {
    if (shown_as_it_is) {
      word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    } else {
      word += c < ' ' || c > '~' || c == '\'' || c == '\\' ? "\\" + octal(c) : std::string(1, c);
    }
  }
  return word + "'";
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
