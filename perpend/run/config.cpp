#include "perpend/run/config.h"

#include <toml++/toml.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/run/option_table.h"

namespace perpend {

namespace {

constexpr std::size_t kLargestConfig = std::size_t{1} << 20;

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw IoError(path + " cannot be read: " + std::strerror(errno));
  std::string text(kLargestConfig + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (file.bad() || (text.empty() && !file.eof())) throw IoError(path + " cannot be read");
  if (text.size() > kLargestConfig) throw ConfigError(path + " is larger than 1 MiB; a configuration file is small");
  return text;
}

std::string place_of(const std::string& path, const toml::source_position& at) {
  return path + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

// The parser must never see a byte beyond ASCII.
void require_ascii(const std::string& path, const std::string& text) {
  std::size_t line = 1;
  std::size_t column = 1;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 128 || byte == 0) {
      throw ConfigError(path + ":" + std::to_string(line) + ":" + std::to_string(column) +
                        ": a byte that is not ASCII; configuration files are plain ASCII");
    }
    column = c == '\n' ? 1 : column + 1;
    line += c == '\n' ? 1 : 0;
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

}  // namespace

std::vector<ConfigEntry> read_config(const std::string& path) {
  const std::string text = read_text(path);
  require_ascii(path, text);
  std::vector<ConfigEntry> entries;
  try {
    const toml::table table = toml::parse(text, path);
    for (const auto& [key, value] : table) {
      const std::string place = place_of(path, key.source().begin);
      if (value.is_table())
        throw ConfigError(place + ": " + quote(std::string(key.str())) + " is a table; options stand at the top level");
      entries.push_back({std::string(key.str()), as_typed(value, place), place});
    }
  } catch (const toml::parse_error& error) {
    throw ConfigError(place_of(path, error.source().begin) + ": " + std::string(error.description()));
  }
  return entries;
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

}  // namespace perpend
