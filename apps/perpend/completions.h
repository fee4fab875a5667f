// Shell completion: verbs, flags and the choices of enumerated options. Wherever else a value is needed, file names.
#pragma once

#include <string>

#include "apps/perpend/command_tree.h"

namespace perpend::app {

std::string bash_completion(const VerbInfo& program);
std::string zsh_completion(const VerbInfo& program);
std::string fish_completion(const VerbInfo& program);

}  // namespace perpend::app
