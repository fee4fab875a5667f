// The verbs of the program. Each add_<verb> declares its options and examples. Parsing sets `chosen` to what is to run,
// and main runs it, so that all errors end in one place.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>

namespace perpend {
struct PrintedFigures;
}

namespace perpend::app {

using Action = std::function<void()>;

// Says why this is not an instruction set of the kernels on this machine. Empty when it is one.
std::string target_problem(const std::string& name);

// For options: a finite number from low to high. CLI11's own Range lets NaN through and reads -1 as the largest
// unsigned number, so it is not used (tools/check_printing).
CLI::Validator between(double low, double high);
CLI::Validator whole_between(std::int64_t low, std::int64_t high);

// For the name of a file or folder. An empty name would mean the current folder.
inline CLI::Validator not_empty() {
  return {[](const std::string& name) { return name.empty() ? std::string("it is empty") : std::string(); }, ""};
}

// Options that many verbs have in common are declared here, so that they have the same names and help everywhere.
// MODEL, DATA: positional. `what` describes the rows: "Labelled rows", "Rows, with or without target".
void add_model(CLI::App& verb, std::string& path);
CLI::Option* add_data(CLI::App& verb, std::string& source, const std::string& what);
void add_data_dir(CLI::App& verb, std::string& folder);
void add_threads(CLI::App& verb, int& threads);
CLI::Option* add_json(CLI::App& verb, bool& json, const std::string& help = "Print one JSON document");
void add_force(CLI::App& verb, bool& force, const std::string& what);

// Verbs on studies show the figures of `printed`, which a publication printed, beside the study's.
void add_adapt(CLI::App& program, Action& chosen);
void add_ask(CLI::App& program, Action& chosen);
void add_bench(CLI::App& program, Action& chosen);
void add_capacity(CLI::App& program, Action& chosen);
void add_compare(CLI::App& program, Action& chosen);
void add_completions(CLI::App& program, Action& chosen);
void add_data(CLI::App& program, Action& chosen);
void add_demo(CLI::App& program, Action& chosen);
void add_diversity(CLI::App& program, Action& chosen);
void add_doctor(CLI::App& program, Action& chosen);
void add_evaluate(CLI::App& program, Action& chosen);
void add_explain(CLI::App& program, Action& chosen);
void add_export(CLI::App& program, Action& chosen);
void add_inspect(CLI::App& program, Action& chosen);
void add_man(CLI::App& program, Action& chosen);  // the flag --man
void add_monitor(CLI::App& program, Action& chosen);
void add_predict(CLI::App& program, Action& chosen);
void add_report(CLI::App& program, Action& chosen, const PrintedFigures& printed);
void add_status(CLI::App& program, Action& chosen);
void add_sweep(CLI::App& program, Action& chosen, const PrintedFigures& printed);
void add_table(CLI::App& program, Action& chosen, const PrintedFigures& printed);
void add_train(CLI::App& program, Action& chosen);

}  // namespace perpend::app
