#include <fmt/format.h>

#include <algorithm>

#include "apps/perpend/command.h"
#include "apps/perpend/terminal.h"
#include "perpend/base/durable_file.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/study/paired.h"
#include "perpend/study/table_format.h"

namespace perpend::app {

namespace {

struct TableArguments {
  const PrintedFigures* printed = nullptr;
  std::string folder, against, paired, output;
  std::string format = "text";
  bool force = false;
};

TableFormat format_named(const std::string& name) {
  if (name == "markdown") return TableFormat::markdown;
  if (name == "latex") return TableFormat::latex;
  return name == "csv" ? TableFormat::csv : TableFormat::text;
}

// Says what figures in a table cannot say.
void say_what_is_missing(const StudyTable& table) {
  if (table.in == table.trials) return;
  say("{} of {} trials are finished; restarts with unfinished trials are left out\n", thousands(table.in),
      thousands(table.trials));
}

std::string paired(const StudyFolder& folder, const std::string& name, TableFormat format) {
  if (name.empty()) return "";
  const Method method = find_method(name)->id;
  const auto leads = paired_leads(folder, method);
  return format == TableFormat::text ? paired_text(leads, method) : paired_markdown(leads, method);
}

void table_verb(const TableArguments& arguments) {
  const TableFormat format = format_named(arguments.format);
  if (!arguments.paired.empty() && format != TableFormat::text && format != TableFormat::markdown) {
    throw UsageError("--paired goes with --format text or markdown");
  }
  const StudyFolder folder = read_study_folder(arguments.folder);
  // CSV has a column for every figure. The formats for people have printed figures only where these are asked for.
  const bool beside = format == TableFormat::csv || !arguments.against.empty();
  const StudyTable table = table_of(folder, beside ? arguments.printed : nullptr);
  const std::string text = format_table(table, format) + paired(folder, arguments.paired, format);
  if (format == TableFormat::csv) say_what_is_missing(table);
  if (arguments.output.empty() || arguments.output == "-") {
    format == TableFormat::csv ? write_data(text) : write_text(text);
  } else {
    write_file_durably(arguments.output, text, arguments.force);
  }
}

}  // namespace

void add_table(CLI::App& program, Action& chosen, const PrintedFigures& printed) {
  auto arguments = std::make_shared<TableArguments>();
  arguments->printed = &printed;
  auto* verb = program.add_subcommand("table", "Print the table of a sweep, finished or not");
  verb->footer(
      "  perpend table runs/first\n"
      "  perpend table runs/table1 --against paper\n"
      "  perpend table runs/table1 --paired lit             its lead over each other method, restart by restart\n"
      "  perpend table runs/table1 --format latex -o table1.tex\n"
      "  perpend table runs/first --format csv | column -s, -t\n");
  verb->add_option("folder", arguments->folder, "Folder of a sweep")->required()->type_name("DIR");
  verb->add_option("--format", arguments->format, "Format of the table [text]")
      ->type_name("text|markdown|latex|csv")
      ->check(CLI::IsMember({"text", "markdown", "latex", "csv"}));
  verb->add_option("--against", arguments->against, "Show the paper's figures beside, and mark where ours differ")
      ->type_name(printed.name)
      ->check(CLI::IsMember({printed.name}));
  std::vector<std::string> methods;
  for (const auto method : all_methods()) methods.push_back(name_of(method));
  verb->add_option("--paired", arguments->paired,
                   "Show how far this method's AUC is above that of each other method, paired by restart")
      ->type_name("METHOD")
      ->check(CLI::IsMember(methods));
  verb->add_option("-o,--output", arguments->output, "File to write [stdout]")->type_name("FILE");
  add_force(*verb, arguments->force, "the output file");
  verb->callback([arguments, &chosen] { chosen = [arguments] { table_verb(*arguments); }; });
}

}  // namespace perpend::app
