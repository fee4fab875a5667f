#include "perpend/run/config.h"

// Lists of lists of options there are none; see check_text.
#define TOML_MAX_NESTED_VALUES 8
#include <toml++/toml.h>
#include <sstream>

#include "perpend/base/error.h"
#include "perpend/base/file_system.h"
#include "perpend/base/message.h"
#include "perpend/run/option_table.h"

namespace perpend {

namespace {

constexpr std::size_t kLargestConfig = std::size_t{1} << 20;
constexpr std::size_t kMostDots = 64;

std::string place_of(const std::string& path, const toml::source_position& at) {
  return printable(path) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

// The parser must never see a byte beyond ASCII, nor a name a.a.a... that goes so deep that taking its tables down
// again overflows the stack.
void check_text(const std::string& path, const std::string& text) {
  toml::source_position at{1, 1};
  std::size_t dots = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 128 || byte == 0) {
      throw ConfigError(place_of(path, at) + ": a byte that is not ASCII; configuration files are plain ASCII");
    }
    dots += c == '.' ? 1 : 0;
    if (dots > kMostDots) {
      throw ConfigError(place_of(path, at) + ": more than " + std::to_string(kMostDots) +
                        " dots in a line; options have plain names, and a long list may go over several lines");
    }
    ++at.column;
    if (c == '\n') {
      at = {at.line + 1, 1};
      dots = 0;
    }
  }
}

std::string as_typed(const toml::node& node, const std::string& place) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* real = node.as_floating_point()) {
    std::ostringstream text;
    text.precision(17);
    text << real->get();
    return text.str();
  }
  if (const auto* list = node.as_array()) {
    std::string text;
    for (const auto& part : *list) text += (text.empty() ? "" : ",") + as_typed(part, place);
    return text;
  }
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

void add_leaves(const toml::node& node, const std::string& key, const std::string& path,
                std::vector<ConfigEntry>& leaves) {
  const std::string place = place_of(path, node.source().begin);
  if (const auto* table = node.as_table()) {
    for (const auto& [name, value] : *table) add_leaves(value, key + "." + std::string(name.str()), path, leaves);
  } else if (const auto* list = node.as_array(); list != nullptr && !list->empty()) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      add_leaves(*list->get(i), key + "." + std::to_string(i), path, leaves);
    }
  } else {
    leaves.push_back({key, as_typed(node, place), place});
  }
}

}  // namespace

std::string read_config_text(const std::string& path, FileSystem& files) {
  File file(files, path, FileSystem::Use::read, "cannot read " + printable(path));
  std::string text = file.read(kLargestConfig + 1);
  if (text.size() > kLargestConfig) {
    throw ConfigError(printable(path) + " is larger than 1 MiB; a configuration file is small");
  }
  return text;
}

std::vector<ConfigEntry> read_config(const std::string& path) { return parse_config(read_config_text(path), path); }

std::vector<ConfigEntry> parse_config(const std::string& text, const std::string& path) {
  std::vector<ConfigEntry> entries;
  const toml::table table = parse_table(text, path);
  for (const auto& [key, value] : table) {
    const std::string place = place_of(path, key.source().begin);
    if (value.is_table())
      throw ConfigError(place + ": " + quote(std::string(key.str())) + " is a table; options stand at the top level");
    entries.push_back({std::string(key.str()), as_typed(value, place), place});
  }
  return entries;
}

std::vector<ConfigEntry> parse_nested_config(const std::string& text, const std::string& path) {
  std::vector<ConfigEntry> leaves;
  const toml::table table = parse_table(text, path);
  for (const auto& [key, value] : table) add_leaves(value, std::string(key.str()), path, leaves);
  return leaves;
}

void apply_config(const std::vector<ConfigEntry>& entries, RunOptions& options) {
  // A preset is the ground that other keys build on, wherever it stands.
  const auto set = [&](const ConfigEntry& entry) {
    try {
      if (entry.key == "preset") {
        apply_preset(entry.text, options);
      } else {
        find_option(entry.key).set(options, entry.text);
      }
    } catch (const ConfigError& error) {
      throw ConfigError(entry.place + ": " + error.what());
    }
  };
  for (const auto& entry : entries) {
    if (entry.key == "preset") set(entry);
  }
  for (const auto& entry : entries) {
    if (entry.key != "preset") set(entry);
  }
}

std::string with_place(const std::string& problem, const std::vector<ConfigEntry>& entries) {
  for (const auto& entry : entries) {
    if (problem.starts_with(entry.key + " ")) return entry.place + ": " + problem;
  }
  return problem;
}

}  // namespace perpend
