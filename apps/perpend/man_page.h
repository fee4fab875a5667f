// The manual page perpend(1) in troff's man macros, from the same tree as help and completion.
#pragma once

#include <string>

#include "apps/perpend/command_tree.h"

namespace perpend::app {

std::string man_page(const VerbInfo& program, const std::string& version);

}  // namespace perpend::app
