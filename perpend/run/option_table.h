// Every option of a run, once: its name, its meaning, how it is read and written.
//
// The command line's flags, configuration files, the model's metadata and docs/options.md are all made from this table,
// so an option is added here and nowhere else. Names are snake_case; a flag is the same word in kebab-case.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "perpend/run/run.h"

namespace perpend {

struct OptionInfo {
  std::string name;
  std::string group;       // for help and docs
  std::string value_name;  // N, X, COL, ...; empty for a yes/no option
  std::string help;        // one line
  std::vector<std::string> choices;
  // Text as a user types it: numbers, words, lists with commas, true and false. Throws ConfigError "NAME is ...; it
  // must be".
  std::function<void(RunOptions&, const std::string&)> set;
  // JSON: a number, a string, true, false, null or a list.
  std::function<std::string(const RunOptions&)> json;

  bool yes_no() const { return value_name.empty(); }
};

const std::vector<OptionInfo>& option_table();

// Throws ConfigError for an unknown name, with the nearest one.
const OptionInfo& find_option(const std::string& name);

// One JSON object on one line, keys in the table's order. threads is left out: it changes no result.
std::string options_to_json(const RunOptions& options);
// Sets what the object has; other options keep their values. Throws ModelFileError when it is no such object.
void options_from_json(const std::string& text, RunOptions& options);

// --preset published.
void apply_preset(const std::string& name, RunOptions& options);

// docs/options.md.
std::string options_markdown();

}  // namespace perpend
