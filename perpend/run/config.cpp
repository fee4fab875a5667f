#include "perpend/run/config.h"

// No option is a nested list; see check_text.
#define TOML_MAX_NESTED_VALUES 8
#include <toml++/toml.h>
#include <algorithm>
#include <charconv>
#include <cmath>

#include "perpend/base/error.h"
#include "perpend/base/file_system.h"
#include "perpend/base/message.h"
#include "perpend/run/option_table.h"

namespace perpend {

namespace {

constexpr std::size_t kMostDots = 64;

std::string place_of(const std::string& path, const toml::source_position& at) {
  return printable(path) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

// Counts the dots of a line that may stand between names. Dots in a comment or in a string on one line do not count.
// Where a text has strings over several lines, every dot counts, so that nothing depends on where those end.
class Dots {
 public:
  explicit Dots(const std::string& text) : all_(text.find("\"\"\"") != text.npos || text.find("'''") != text.npos) {}

  void see(char c) {
    if (c == '\n') {
      *this = Dots(all_);
    } else if (all_ || inside_ == 0) {
      count_ += c == '.' ? 1 : 0;
      if (!all_ && (c == '"' || c == '\'' || c == '#')) inside_ = c;
    } else if (escaped_) {
      escaped_ = false;
    } else if (inside_ == '"' && c == '\\') {
      escaped_ = true;
    } else if (c == inside_ && c != '#') {
      inside_ = 0;
    }
  }
  std::size_t count() const { return count_; }

 private:
  explicit Dots(bool all) : all_(all) {}

  bool all_;
  char inside_ = 0;  // the quote of a string, # of a comment, or none
  bool escaped_ = false;
  std::size_t count_ = 0;
};

// The parser must never see a byte beyond ASCII. It must also never see a name a.a.a... that is so deep that destroying
// its tables overflows the stack.
void check_text(const std::string& path, const std::string& text) {
  check_config_size(path, text);
  toml::source_position at{1, 1};
  Dots dots(text);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 128 || byte == 0) {
      throw ConfigError(place_of(path, at) +
                        ": there is a byte that is not ASCII; configuration files are plain ASCII");
    }
    dots.see(c);
    if (dots.count() > kMostDots) {
      throw ConfigError(place_of(path, at) + ": more than " + std::to_string(kMostDots) +
                        " dots in a line; options have plain names, and a long list may go over several lines");
    }
    ++at.column;
    if (c == '\n') at = {at.line + 1, 1};
  }
}

// Returns the shortest digits that give the same number. 1e6 becomes 1000000, which can be read as a whole number.
std::string as_typed(double number) {
  const double size = std::abs(number);
  const bool plain = size == 0 || (size >= 1e-4 && size < 1e17);
  char text[32];
  return {text, std::to_chars(std::begin(text), std::end(text), number,
                              plain ? std::chars_format::fixed : std::chars_format::general)
                    .ptr};
}

std::string as_typed(const toml::node& node, const std::string& place) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* real = node.as_floating_point()) return as_typed(real->get());
  throw ConfigError(place + ": a value must be a number, a word, true, false or a list of them");
}

toml::table parse_table(const std::string& text, const std::string& path) {
  check_text(path, text);
  try {
    return toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    throw ConfigError(place_of(path, error.source().begin) + ": " + printable(error.description()));
  }
}

ConfigValue value_of(const toml::node& node, const std::string& key, const std::string& place,
                     const std::string& path) {
  ConfigValue value{.kind = ConfigValue::Kind::text, .key = key, .text = {}, .parts = {}, .place = place};
  if (const auto* table = node.as_table()) {
    value.kind = ConfigValue::Kind::table;
    for (const auto& [name, part] : *table) {
      value.parts.push_back(value_of(part, std::string(name.str()), place_of(path, name.source().begin), path));
    }
  } else if (const auto* list = node.as_array()) {
    value.kind = ConfigValue::Kind::list;
    for (const auto& part : *list) value.parts.push_back(value_of(part, "", place_of(path, part.source().begin), path));
  } else {
    value.text = as_typed(node, place);
  }
  return value;
}

OptionValue option_value(const ConfigValue& value) {
  if (value.kind == ConfigValue::Kind::text) return value.text;
  std::vector<std::string> texts;
  for (const auto& part : value.parts) {
    if (part.kind != ConfigValue::Kind::text) throw ConfigError(value.key + " must be one value or a list of values");
    texts.push_back(part.text);
  }
  return texts;
}

void set_option(const ConfigValue& value, RunOptions& options) {
  try {
    if (value.key == "preset") {
      if (value.kind != ConfigValue::Kind::text) throw ConfigError("preset must be one value");
      apply_preset(value.text, options);
    } else {
      const OptionInfo& option = find_option(value.key);
      if (value.kind == ConfigValue::Kind::table) throw ConfigError(value.key + " is a table; it must be a value");
      option.set(options, option_value(value));
    }
  } catch (const ConfigError& error) {
    throw ConfigError(value.place + ": " + error.what());
  }
}

}  // namespace

std::string read_config_text(const std::string& path, FileSystem::Use use, FileSystem& files) {
  File file(files, path, use, "cannot read " + printable(path));
  std::string text = file.read(kLargestConfig + 1);
  check_config_size(path, text);
  return text;
}

void check_config_size(const std::string& path, const std::string& text) {
  if (text.size() <= kLargestConfig) return;
  throw ConfigError(printable(path) + ": it is larger than 1 MiB; a configuration file is small");
}

const ConfigValue* ConfigValue::find(const std::string& name) const {
  const auto found = std::ranges::find(parts, name, &ConfigValue::key);
  return kind == Kind::table && found != parts.end() ? &*found : nullptr;
}

ConfigValue parse_config_tree(const std::string& text, const std::string& path) {
  return value_of(parse_table(text, path), "", printable(path), path);
}

std::vector<ConfigValue> read_config(const std::string& path) {
  return parse_config(read_config_text(path, FileSystem::Use::read_once), path);
}

std::vector<ConfigValue> parse_config(const std::string& text, const std::string& path) {
  ConfigValue file = parse_config_tree(text, path);
  for (const auto& value : file.parts) {
    if (value.kind == ConfigValue::Kind::table) {
      throw ConfigError(value.place + ": " + quote(value.key) + " is a table; options belong at the top level");
    }
  }
  return std::move(file.parts);
}

void apply_config(const std::vector<ConfigValue>& values, RunOptions& options) {
  // A preset is set first, wherever it stands, and other keys build on it.
  for (const auto& value : values) {
    if (value.key == "preset") set_option(value, options);
  }
  for (const auto& value : values) {
    if (value.key != "preset") set_option(value, options);
  }
}

std::string with_place(const std::string& problem, const std::vector<ConfigValue>& entries) {
  const std::string plain = spelled(problem, plain_spelling);  // as files name options
  for (const auto& entry : entries) {
    if (plain.starts_with(entry.key + " ")) return entry.place + ": " + plain;
  }
  return problem;
}

}  // namespace perpend
