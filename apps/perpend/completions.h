// Shell completion: verbs, flags, the choices of enumerated options; file names wherever else a value is due.
#pragma once

#include <string>

#include "apps/perpend/command_tree.h"

namespace perpend::app {

std::string bash_completion(const VerbInfo& program);
std::string zsh_completion(const VerbInfo& program);
std::string fish_completion(const VerbInfo& program);

}  // namespace perpend::app
