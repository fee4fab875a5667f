#include <fmt/format.h>

#include "apps/perpend/command.h"
#include "apps/perpend/terminal.h"
#include "perpend/base/durable_file.h"
#include "perpend/base/message.h"
#include "perpend/study/table_format.h"

namespace perpend::app {

namespace {

struct TableArguments {
  std::string folder, against, output;
  std::string format = "text";
  bool force = false;
};

TableFormat format_named(const std::string& name) {
  if (name == "markdown") return TableFormat::markdown;
  if (name == "latex") return TableFormat::latex;
  return name == "csv" ? TableFormat::csv : TableFormat::text;
}

// What a table of figures alone cannot say.
void say_what_is_missing(const StudyTable& table) {
  if (table.in == table.trials) return;
  fmt::print(stderr, "{} of {} trials are in; restarts whose grid is not complete are left out\n", thousands(table.in),
             thousands(table.trials));
}

void table_verb(const TableArguments& arguments) {
  const StudyTable table = table_of(read_study_folder(arguments.folder));
  const TableFormat format = format_named(arguments.format);
  const std::string text = format_table(table, format, !arguments.against.empty());
  if (format == TableFormat::csv) say_what_is_missing(table);
  if (arguments.output.empty() || arguments.output == "-") {
    write_results(text);
  } else {
    write_file_durably(arguments.output, text, arguments.force);
  }
}

}  // namespace

void add_table(CLI::App& program, Action& chosen) {
  auto arguments = std::make_shared<TableArguments>();
  auto* verb = program.add_subcommand("table", "The paper's table from a sweep, finished or not");
  verb->footer(
      "  perpend table runs/first\n"
      "  perpend table runs/table1 --against paper\n"
      "  perpend table runs/table1 --format latex -o table1.tex\n"
      "  perpend table runs/first --format csv | column -s, -t\n");
  verb->add_option("folder", arguments->folder, "Folder of a sweep")->required()->type_name("DIR");
  verb->add_option("--format", arguments->format, "How it is written [text]")
      ->type_name("text|markdown|latex|csv")
      ->check(CLI::IsMember({"text", "markdown", "latex", "csv"}));
  verb->add_option("--against", arguments->against, "The paper's figures beside, marked where ours differ")
      ->type_name("paper")
      ->check(CLI::IsMember({"paper"}));
  verb->add_option("-o,--output", arguments->output, "File to write (stdout)")->type_name("FILE");
  verb->add_flag("--force", arguments->force, "Overwrite the output file");
  verb->callback([arguments, &chosen] { chosen = [arguments] { table_verb(*arguments); }; });
}

}  // namespace perpend::app
