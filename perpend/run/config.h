// Options from a TOML file: one key per option, by the names of option_table.h.
#pragma once

#include <string>
#include <vector>

#include "perpend/base/file_system.h"
#include "perpend/run/run.h"

namespace perpend {

// One `key = value` of a configuration file as it would be typed behind a flag, and where it stands.
struct ConfigEntry {
  std::string key;
  std::string text;
  std::string place;  // file:line:column
};

// Throws IoError when the file cannot be read; ConfigError with its place when it is no TOML, has tables, or holds a
// byte that is not ASCII.
std::vector<ConfigEntry> read_config(const std::string& path);
std::vector<ConfigEntry> parse_config(const std::string& text, const std::string& path);  // path: for messages

// The same for a file with tables and lists of tables: a leaf of the tree each, its key the way there with dots, places
// in lists counted from 0 ("options.dropout", "datasets.1.source"). A list without entries is one leaf without text.
std::vector<ConfigEntry> parse_nested_config(const std::string& text, const std::string& path);

// The text of a configuration file. Throws IoError when it cannot be read, ConfigError when it is too large to be one.
std::string read_config_text(const std::string& path, FileSystem& files = real_file_system());

// Sets them; every problem is a ConfigError that begins with the place.
void apply_config(const std::vector<ConfigEntry>& entries, RunOptions& options);

// A problem that validate() found, behind the place of the option it begins with, if one of the entries set it.
std::string with_place(const std::string& problem, const std::vector<ConfigEntry>& entries);

}  // namespace perpend
