// The options of a run as flags, from the option table.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "perpend/run/option_table.h"

namespace perpend::app {

// Declares one flag per option, --config and --preset on a verb. What was typed is kept until options() is called.
class RunFlags {
 public:
  // without: options that the verb sets itself. A configuration file must not have them.
  explicit RunFlags(CLI::App& verb, const std::vector<std::string>& without = {});
  // Returns the options: defaults, then the preset, then the configuration file, then flags. Throws one ConfigError
  // with all problems.
  RunOptions options() const;

  // Returns how the paper encodes DATA, for --preset published and one of its public sets by name. Otherwise nothing.
  // Throws ConfigError when other options of columns are given, because this encoding would ignore them.
  std::optional<Schema> published_schema(const std::string& data, const Table& table, const RunOptions& options) const;

 private:
  std::vector<std::string> without_;
  struct Typed {
    std::map<std::string, std::string> values;
    std::string config;
    std::string preset;
  };
  std::shared_ptr<Typed> typed_ = std::make_shared<Typed>();
};

}  // namespace perpend::app
