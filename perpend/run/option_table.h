// Every option of a run, once: its name, its meaning, how it is read and written.
//
// The command line's flags, configuration files, the model's metadata and docs/options.md are all made from this table,
// so an option is added here and nowhere else. Names are snake_case; a flag is the same word in kebab-case.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "perpend/run/run.h"

namespace perpend {

// What a front end gives an option: one text as a user types it (a number, a word, true, false), or a list of texts. A
// list stays a list from every front end: no text of a list is split again, so each may be any name.
//
// One text for an option that is a list is read as a line of CSV, as typed behind a flag: a,b is two names, and so is
// "a,b",c. A doubled quote inside quotes is a quote.
using OptionValue = std::variant<std::string, std::vector<std::string>>;

struct OptionInfo {
  std::string name;
  std::string group;       // for help and docs
  std::string value_name;  // N, X, COL, ...; empty for a yes/no option
  std::string help;        // one line
  std::vector<std::string> choices;
  // Throws ConfigError "NAME is ...; it must be".
  std::function<void(RunOptions&, const OptionValue&)> set;
  // JSON: a number, a string, true, false, null or a list.
  std::function<std::string(const RunOptions&)> json;

  bool yes_no() const { return value_name.empty(); }
  bool is_list() const;  // of column names or of numbers
  bool is_text() const;  // text, or a list of texts
};

const std::vector<OptionInfo>& option_table();

// Names as a flag has them: a line of CSV, empty for none. Throws ConfigError "NAME is ...; it must be".
std::vector<std::string> parse_names(const std::string& name, const std::string& text);

// nullptr for an unknown name.
const OptionInfo* option_named(std::string_view name);
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
