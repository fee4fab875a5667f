// Options from a TOML file: one key per option, by the names of option_table.h.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "perpend/base/file_system.h"
#include "perpend/run/run.h"

namespace perpend {

// What stands in a configuration file, as it stands there: one value, a list or a table. None of them can be taken for
// another, whatever its name is.
struct ConfigValue {
  enum class Kind { text, list, table };
  Kind kind = Kind::text;
  std::string key;                 // its name in the table that it stands in; empty in a list
  std::string text;                // of one value, as it would be typed behind a flag
  std::vector<ConfigValue> parts;  // of a list in its order, of a table by name
  std::string place;               // file:line:column, of its name where it has one

  const ConfigValue* find(const std::string& name) const;  // a part of a table; null when there is none
};

// The whole file, which is a table. Throws ConfigError with the place when it is no TOML, holds a byte that is not
// ASCII, or is too large. path: for messages.
ConfigValue parse_config_tree(const std::string& text, const std::string& path);

// The options of a file that has nothing else; a table is a ConfigError with its place. read_config throws IoError when
// the file cannot be read.
std::vector<ConfigValue> read_config(const std::string& path);
std::vector<ConfigValue> parse_config(const std::string& text, const std::string& path);

// The most that a configuration file may have: what is written to be read again must have no more. Throws ConfigError.
constexpr std::size_t kLargestConfig = std::size_t{1} << 20;
void check_config_size(const std::string& path, const std::string& text);

// The text of a configuration file. Throws IoError when it cannot be read, ConfigError when it is too large to be one.
// A file that somebody named may be a pipe (read_once); one that was found in a folder may not (read).
std::string read_config_text(const std::string& path, FileSystem::Use use, FileSystem& files = real_file_system());

// Sets them; every problem is a ConfigError that begins with the place.
void apply_config(const std::vector<ConfigValue>& entries, RunOptions& options);

// A problem that validate() found, behind the place of the option it begins with, if one of the entries set it.
std::string with_place(const std::string& problem, const std::vector<ConfigValue>& entries);

}  // namespace perpend
