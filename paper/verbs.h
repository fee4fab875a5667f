// The verbs that the paper adds to the program, for apps/perpend/main.cpp.
#pragma once

#include "apps/perpend/command.h"

namespace perpend::paper {

void add_reproduce(CLI::App& program, app::Action& chosen);

}  // namespace perpend::paper
