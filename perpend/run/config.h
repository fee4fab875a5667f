// Options from a TOML file: one key per option, by the names of option_table.h.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "perpend/base/file_system.h"
#include "perpend/run/run.h"

namespace perpend {

// One entry of a configuration file, as it stands there: one value, a list or a table. Its kind is always clear,
// whatever its name is.
struct ConfigValue {
  enum class Kind { text, list, table };
  Kind kind = Kind::text;
  std::string key;                 // its name in the table that it stands in; empty in a list
  std::string text;                // of one value, as it would be typed behind a flag
  std::vector<ConfigValue> parts;  // of a list in its order, of a table by name
  std::string place;               // file:line:column, of its name where it has one

  const ConfigValue* find(const std::string& name) const;  // a part of a table; null when there is none
};

// Returns the whole file, which is a table. Throws ConfigError with the place when it is not TOML, holds a byte that is
// not ASCII, or is too large. path: for messages.
ConfigValue parse_config_tree(const std::string& text, const std::string& path);

// Returns the options of a file that has nothing else. A table in it is a ConfigError with its place. read_config
// throws IoError when the file cannot be read.
std::vector<ConfigValue> read_config(const std::string& path);
std::vector<ConfigValue> parse_config(const std::string& text, const std::string& path);

// The most bytes that a configuration file may have. A file that perpend writes and reads again must not have more.
// Throws ConfigError.
constexpr std::size_t kLargestConfig = std::size_t{1} << 20;
void check_config_size(const std::string& path, const std::string& text);

// Returns the text of a configuration file. Throws IoError when it cannot be read, and ConfigError when it is too large
// to be one. A file that somebody named may be a pipe (read_once). One that was found in a folder may not (read).
std::string read_config_text(const std::string& path, FileSystem::Use use, FileSystem& files = real_file_system());

// Sets the options. Every problem is a ConfigError that begins with the place.
void apply_config(const std::vector<ConfigValue>& entries, RunOptions& options);

// Puts a place before a problem that validate() found: that of the option that the problem begins with, if one of the
// entries set it.
std::string with_place(const std::string& problem, const std::vector<ConfigValue>& entries);

}  // namespace perpend
