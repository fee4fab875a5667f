// Every option of a run, once: its name, its meaning, how it is read and written, and how Python spells it.
//
// The command line's flags, configuration files, the model's metadata, docs/options.md and the parameters of Python's
// estimators with their docstrings are all made from this table. So an option is added here and nowhere else. Names are
// snake_case, and a flag is the same word in kebab-case. For example, the option `members` is `--members 5` on the
// command line, `members = 5` in a TOML file, `"members":5` in a model file and `n_estimators=5` in Python.
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

// The parameter of Python's estimators that sets an option. Its name is scikit-learn's word where scikit-learn has one.
struct PythonParameter {
  std::string name = {};           // empty: no parameter (the target is y of fit, the method is the estimator's class)
  std::string type = {};           // an annotation, such as int | None
  std::string default_value = {};  // JSON; empty: the option's own default
  std::string help = {};           // empty: the option's own help
};

struct OptionInfo {
  std::string name;
  std::string group;       // for help and docs
  std::string value_name;  // N, X, COL, ...; empty for a yes/no option
  std::string help;        // whole sentences that hold in every language
  std::vector<std::string> choices;
  // Throws ConfigError "NAME is ...; it must be".
  std::function<void(RunOptions&, const OptionValue&)> set;
  // Returns JSON: a number, a string, true, false, null or a list.
  std::function<std::string(const RunOptions&)> json;
  PythonParameter python = {};
  // At its default the option is left out of a model's metadata. So models without it keep their bytes, and a perpend
  // that does not know the option can read them.
  bool written_if_given = false;

  bool yes_no() const { return value_name.empty(); }
  bool belongs_to(Method method) const;  // the method, or a penalty that it can train with, uses it
  bool is_list() const;                  // of column names or of numbers
  bool is_text() const;                  // text, or a list of texts
};

const std::vector<OptionInfo>& option_table();

// Returns names as a flag has them: a line of CSV, empty for none. Throws ConfigError "NAME is ...; it must be".
std::vector<std::string> parse_names(const std::string& name, const std::string& text);

// Throws ConfigError "NAME is 'litt'; it must be one of ...; did you mean lit?".
[[noreturn]] void refuse_word(const std::string& name, const std::string& word, const std::vector<std::string>& words);

// Returns nullptr for an unknown name.
const OptionInfo* option_named(std::string_view name);
// Throws ConfigError for an unknown name, and suggests the nearest one.
const OptionInfo& find_option(const std::string& name);

// Returns one JSON object on one line, with keys in the table's order. threads is left out, because it changes no
// result. An option with written_if_given is left out at its default.
std::string options_to_json(const RunOptions& options);
// Sets what the object has. Other options keep their values. Throws ModelFileError when the text is not such an object.
void options_from_json(const std::string& text, RunOptions& options);

// Returns a default as a user types it, or "on" and "off". Empty where the option has none.
std::string default_text(const OptionInfo& option);

// Returns the table as Python reads it: a JSON list with one object per option that the method has. Keys: option, name,
// type, default, help, group, choices. The name of an option without a parameter is null.
std::string option_table_json(Method method);

// Sets the options of --preset published.
void apply_preset(const std::string& name, RunOptions& options);

// Returns the text of docs/options.md.
std::string options_markdown();

}  // namespace perpend
