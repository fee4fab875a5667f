// The program perpend: reads the command line, runs one verb, and turns every error into one line and an exit code.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <csignal>
#include <exception>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>

#include "apps/perpend/command.h"
#include "apps/perpend/command_tree.h"
#include "apps/perpend/flag_spelling.h"
#include "apps/perpend/interrupt.h"
#include "apps/perpend/terminal.h"
#include "paper/printed.h"
#include "paper/verbs.h"
#include "perpend/api/machine.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/comm/comm.h"

namespace perpend::app {

namespace {

constexpr std::size_t kNames = 28;         // columns for the names of options
constexpr std::size_t kDescriptions = 92;  // columns for their descriptions

// Long descriptions in lines of at most kDescriptions bytes, if no word is longer. CLI11 indents the lines.
std::string wrapped(std::string text) {
  for (std::size_t start = 0; text.size() - start > kDescriptions;) {
    const std::size_t space = text.rfind(' ', start + kDescriptions);
    if (space == text.npos || space < start) break;
    text[space] = '\n';
    start = space + 1;
  }
  return text;
}

// Shows what the verb is, then examples (CLI11's footer), then options, because people read examples first.
class ExamplesFirst : public CLI::Formatter {
 public:
  ExamplesFirst() { column_width(kNames); }
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string shown = option->get_default_str().empty() ? "" : " (" + option->get_default_str() + ")";
    const std::string value = value_name(*option);
    return value.empty() || option->get_positional() ? "" : " " + value + shown;
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    return wrapped(Formatter::make_option_desc(option));
  }
  std::string make_help(const CLI::App* app, std::string /*name*/, CLI::AppFormatMode mode) const override {
    if (mode == CLI::AppFormatMode::Sub) return make_expanded(app);
    return app->get_description() + "\n\nExamples:\n" + app->get_footer() + "\n" + make_usage(app, full_name(*app)) +
           make_positionals(app) + make_groups(app, mode) + make_subcommands(app, mode);
  }
};

int complain(const std::string& message, int code) {
  std::string line = message;
  while (!line.empty() && line.back() == '\n') line.pop_back();
  std::replace(line.begin(), line.end(), '\n', ' ');
  say("perpend: {}\n", printable(line));
  return code;
}

void declare(CLI::App& program, Action& chosen) {
  program.description(
      "perpend trains ensembles of neural networks that agree on the data and extrapolate differently.");
  program.footer(
      "  perpend demo                                              a first look in seconds\n"
      "  perpend train loans.csv --target default -o loans.safetensors\n"
      "  perpend predict loans.safetensors new.csv -o predictions.csv\n"
      "  perpend evaluate loans.safetensors newer.csv              all metrics of the ensemble and its members\n"
      "  perpend explain loans.safetensors loans.csv --row 17      which columns each member looked at\n"
      "  perpend monitor loans.safetensors october.csv             whether new rows differ, and whether it matters\n"
      "  perpend adapt loans.safetensors few.csv -o there.safetensors\n"
      "  perpend compare loans.csv --target default                which method is best for this table, and by how "
      "much\n"
      "  perpend capacity loans.csv --target default               how many independent explanations it holds\n"
      "  perpend report loans.safetensors loans.csv -o loans.html   one offline page to look at\n"
      "  perpend data list                                         data sets to try it on\n"
      "  perpend bench                                             how fast it is, against this machine's peak\n"
      "  perpend doctor                                            what this machine has, and what to fix\n"
      "  perpend train --help                                      the options and examples of one verb\n");
  program.formatter(std::make_shared<ExamplesFirst>());
  program.set_version_flag("--version", "perpend " PERPEND_VERSION, "Show the version and exit");
  program.set_help_flag("-h,--help", "Show this help and exit");
  program
      .add_option_function<std::string>(
          "--cpu", kernels::use_target,
          "Instruction set to use, one of those that perpend doctor lists; all give the same bytes [the best]")
      ->type_name("NAME")
      ->check(CLI::Validator(target_problem, ""));
  program.require_subcommand(0, 1);
  add_demo(program, chosen);
  add_train(program, chosen);
  add_predict(program, chosen);
  add_evaluate(program, chosen);
  add_diversity(program, chosen);
  add_explain(program, chosen);
  add_monitor(program, chosen);
  add_adapt(program, chosen);
  add_ask(program, chosen);
  add_compare(program, chosen);
  add_capacity(program, chosen);
  add_sweep(program, chosen, paper::printed_figures());
  add_status(program, chosen);
  add_table(program, chosen, paper::printed_figures());
  add_inspect(program, chosen);
  add_export(program, chosen);
  add_report(program, chosen, paper::printed_figures());
  paper::add_reproduce(program, chosen);
  add_data(program, chosen);
  add_bench(program, chosen);
  add_doctor(program, chosen);
  add_completions(program, chosen);
  add_man(program, chosen);
}

// "there is no --lamda; did you mean --lambda?", for the first word that is not known. Empty when there is none.
std::string unknown_word(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const auto* option : verb.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (const auto* sub : verb.get_subcommands({})) names.push_back(sub->get_name());
  for (const auto& word : verb.remaining(true)) {
    const std::string typed = word.substr(0, word.find('='));
    if (!typed.starts_with("-") && names.empty()) continue;
    const std::string near = nearest_name(typed, names);
    return fmt::format("there is no {}{}", quote(typed), near.empty() ? "" : "; did you mean " + near + "?");
  }
  return "";
}

// Help and version are answers. Everything else that CLI11 throws is a usage error.
int answer(const CLI::App& program, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) {
    std::ostringstream shown;
    program.exit(error, shown, shown);
    write_text(shown.str());
    return 0;
  }
  std::string verb = "perpend";
  const CLI::App* innermost = &program;
  while (!innermost->get_subcommands().empty()) {
    innermost = innermost->get_subcommands().front();
    verb += " " + innermost->get_name();
  }
  const std::string unknown = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ? unknown_word(*innermost) : "";
  return complain(fmt::format("{}; see {} --help", unknown.empty() ? error.what() : unknown, verb),
                  static_cast<int>(ErrorKind::usage));
}

int run(int argc, char** argv) {
  CLI::App program;
  Action chosen;
  declare(program, chosen);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = answer(program, error);
    flush_results();
    return code;
  }
  if (!chosen) throw UsageError("no verb is given; try perpend demo, or perpend --help for the list");
  watch_for_interrupts();
  // Then exceeding a limit on file sizes is an error of the write, as with a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  chosen();
  flush_results();
  return 0;
}

int out_of_memory() {
  return complain("out of memory; use fewer rows, members or hidden units", static_cast<int>(ErrorKind::io));
}

// Calls run, and turns every error into one line and a code.
int run_and_explain(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const Error& error) {
    return complain(error.spelled(flag_spelling), error.exit_code());
  } catch (const Interrupted& leaving) {
    return complain("interrupted" + leaving.remark, interrupt_code());
  } catch (const ReaderLeft&) {
    return 128 + SIGPIPE;  // what a shell shows for a program that the signal ended
  } catch (const std::system_error& error) {
    return complain(fmt::format("input or output failed: {}", error.what()), static_cast<int>(ErrorKind::io));
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const std::length_error&) {  // larger than any memory
    return out_of_memory();
  } catch (const std::exception& error) {
    return complain(fmt::format("internal error: {}; please report it with the command you ran", error.what()), 1);
  }
}

// Errors in threads that we do not own end here. One example is a worker thread of oneTBB that the system refuses to
// start. Several may fail at once, and only the first one reports.
[[noreturn]] void leave_in_one_line() {
  static std::atomic_flag speaks;
  while (speaks.test_and_set()) ::pause();
  try {
    if (const auto error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::exception&) {
    write_message_at_once(
        "perpend: a thread could not be made; lower --threads, or raise the limits of memory and processes\n");
    ::_exit(static_cast<int>(ErrorKind::io));
  } catch (...) {
  }
  write_message_at_once(
      "perpend: internal error: the program stopped unexpectedly; please report it with the command you ran\n");
  ::_exit(static_cast<int>(ErrorKind::bug));
}

}  // namespace

}  // namespace perpend::app

int main(int argc, char** argv) {
  perpend::app::prepare_streams();
  std::set_terminate(perpend::app::leave_in_one_line);
  const int code = perpend::app::run_and_explain(argc, argv);
  perpend::end_ranks(code);
  return code;
}
