// The program's verbs and flags as plain values, read from the CLI11 tree. So help, shell completion and the manual
// page come from one declaration.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace perpend::app {

struct FlagInfo {
  std::vector<std::string> names;    // "-o", "--output"; the name alone for a positional argument
  std::string value;                 // what it takes: FILE, N, or its choices, in small letters: a|b|c; empty: nothing
  std::vector<std::string> choices;  // those of value
  std::string help;
  bool required = false;
  bool hidden = false;  // --no-... beside a yes/no flag: completed, but not listed
};

struct VerbInfo {
  std::vector<std::string> words;  // {"data", "make"}; empty for the program itself
  std::string help = {};
  std::string examples = {};
  std::vector<FlagInfo> flags = {};
  std::vector<FlagInfo> positionals = {};
  std::vector<VerbInfo> verbs = {};

  std::string name() const;  // "data make"
};

VerbInfo describe(const CLI::App& program);

// Returns the verb and all below it, depth first.
std::vector<const VerbInfo*> all_verbs(const VerbInfo& program);

// Returns the name of an option's value as declared: option_text(), or else type_name(). Ranges and other checks belong
// to error messages.
std::string value_name(const CLI::Option& option);

// "perpend data make".
std::string full_name(const CLI::App& app);

}  // namespace perpend::app
