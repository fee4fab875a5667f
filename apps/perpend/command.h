// The verbs of the program. Each add_<verb> declares its options and examples; parsing sets `chosen` to what is to run,
// and main runs it, so that every error passes one place.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace perpend::app {

using Action = std::function<void()>;

void add_bench(CLI::App& program, Action& chosen);
void add_demo(CLI::App& program, Action& chosen);

}  // namespace perpend::app
