// The verbs of the program. Each add_<verb> declares its options and examples; parsing sets `chosen` to what is to run,
// and main runs it, so that every error passes one place.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace perpend::app {

using Action = std::function<void()>;

// Why this is no instruction set of the kernels on this machine; empty when it is one.
std::string target_problem(const std::string& name);

// For the name of a file or folder: an empty one would be the folder where the user stands.
inline CLI::Validator not_empty() {
  return {[](const std::string& name) { return name.empty() ? std::string("it is empty") : std::string(); }, ""};
}

void add_adapt(CLI::App& program, Action& chosen);
void add_bench(CLI::App& program, Action& chosen);
void add_compare(CLI::App& program, Action& chosen);
void add_completions(CLI::App& program, Action& chosen);
void add_data(CLI::App& program, Action& chosen);
void add_demo(CLI::App& program, Action& chosen);
void add_doctor(CLI::App& program, Action& chosen);
void add_evaluate(CLI::App& program, Action& chosen);
void add_explain(CLI::App& program, Action& chosen);
void add_export(CLI::App& program, Action& chosen);
void add_inspect(CLI::App& program, Action& chosen);
void add_man(CLI::App& program, Action& chosen);  // the flag --man
void add_predict(CLI::App& program, Action& chosen);
void add_report(CLI::App& program, Action& chosen);
void add_reproduce(CLI::App& program, Action& chosen);
void add_status(CLI::App& program, Action& chosen);
void add_sweep(CLI::App& program, Action& chosen);
void add_table(CLI::App& program, Action& chosen);
void add_train(CLI::App& program, Action& chosen);

}  // namespace perpend::app
