#include "perpend/base/option_mention.h"

#include <algorithm>
#include <charconv>

#include "perpend/base/error.h"
#include "perpend/base/message.h"

namespace perpend {

namespace {

constexpr char kBegin = '\x0e';
constexpr char kBeforeValue = '\x1f';
constexpr char kEnd = '\x0f';
constexpr std::size_t kLongestMessage = 4000;

bool is_name(std::string_view text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == text.npos;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\x7f'; }

// A value may contain marks. So inside a mention its control bytes and % are written as %XX.
std::string encoded(std::string_view value) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text;
  for (const char c : value) {
    if (!is_control(c) && c != '%') {
      text += c;
    } else {
      text += {'%', kHex[static_cast<unsigned char>(c) / 16], kHex[static_cast<unsigned char>(c) % 16]};
    }
  }
  return text;
}

// Returns nothing if encoded() cannot have written the text.
std::optional<std::string> decoded(std::string_view text) {
  std::string value;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_control(text[i])) return std::nullopt;
    if (text[i] != '%') {
      value += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    unsigned char byte = 0;
    const char* end = text.data() + i + 3;
    if (std::from_chars(text.data() + i + 1, end, byte, 16).ptr != end) return std::nullopt;
    value += static_cast<char>(byte);
    i += 2;
  }
  return value;
}

// Parses the text between two marks. Returns nothing if it is not a mention.
std::optional<OptionMention> parsed(std::string_view inside) {
  const std::size_t name_end = std::min(inside.find(kBeforeValue), inside.size());
  const std::string_view name = inside.substr(0, name_end);
  if (!is_name(name)) return std::nullopt;
  if (name_end == inside.size()) return OptionMention{std::string(name), std::nullopt};
  auto value = decoded(inside.substr(name_end + 1));
  if (!value) return std::nullopt;
  return OptionMention{std::string(name), std::move(value)};
}

std::string with_mentions_spelled(std::string_view message, const Spelling& spelling) {
  std::string out;
  while (true) {
    const std::size_t begin = std::min(message.find(kBegin), message.size());
    out += message.substr(0, begin);
    if (begin == message.size()) return out;
    message.remove_prefix(begin + 1);
    const std::size_t end = message.find(kEnd);
    const auto mention = end == message.npos ? std::nullopt : parsed(message.substr(0, end));
    if (mention) {
      out += spelling(*mention);
      message.remove_prefix(end + 1);
    } else {
      out += kBegin;
    }
  }
}

std::string shortened(const std::string& message) {
  if (message.size() <= kLongestMessage) return message;
  const std::size_t half = kLongestMessage / 2;
  return message.substr(0, half) + " ... " + message.substr(message.size() - half);
}

}  // namespace

std::string option_mention(std::string_view name) {
  PERPEND_CHECK(is_name(name));
  return kBegin + std::string(name) + kEnd;
}

std::string option_mention(std::string_view name, std::string_view value) {
  PERPEND_CHECK(is_name(name));
  return kBegin + std::string(name) + kBeforeValue + encoded(value) + kEnd;
}

std::string plain_spelling(const OptionMention& mention) {
  return mention.value ? mention.name + "=" + *mention.value : mention.name;
}

// The text is cut before it is made printable, so that no escape is cut in two. A code point that is cut appears as
// bytes.
std::string spelled(std::string_view message, const Spelling& spelling) {
  return printable(shortened(with_mentions_spelled(message, spelling)));
}

}  // namespace perpend
