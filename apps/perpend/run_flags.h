// The options of a run as flags, from the option table.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <string>

#include "perpend/run/run.h"

namespace perpend::app {

// Declares a flag per option, --config and --preset on a verb; what was typed is kept until options() is asked for.
class RunFlags {
 public:
  explicit RunFlags(CLI::App& verb);
  // Defaults, then the preset, then the configuration file, then flags. Throws ConfigError, all problems at once.
  RunOptions options() const;

 private:
  struct Typed {
    std::map<std::string, std::string> values;
    std::string config;
    std::string preset;
  };
  std::shared_ptr<Typed> typed_ = std::make_shared<Typed>();
};

}  // namespace perpend::app
