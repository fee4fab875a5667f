#include <fmt/format.h>

#include "apps/perpend/command.h"
#include "apps/perpend/data_folder.h"
#include "apps/perpend/results.h"
#include "apps/perpend/terminal.h"
#include "perpend/api/ask.h"
#include "perpend/base/durable_file.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/source.h"

namespace perpend::app {

namespace {

struct AskArguments {
  std::string model, data, output, rest, data_dir;
  std::size_t count = 32;
  int threads = 0;
  bool json = false;
  bool force = false;
};

void ask_verb(const AskArguments& arguments) {
  check_writable(arguments.output, arguments.force);
  if (!arguments.rest.empty()) {
    if (arguments.rest == arguments.output) throw UsageError("--output and --rest name the same file; give two names");
    check_writable(arguments.rest, arguments.force);
  }
  const TrainedModel model = load_model(arguments.model);
  const Table table = read_source(arguments.data, data_folder(arguments.data_dir).string());
  const AskedRows asked = ask(model, table, arguments.count, arguments.threads);
  write_file_durably(arguments.output, csv_text(table_to_label(model, table, asked)), arguments.force);
  if (!arguments.rest.empty()) {
    write_file_durably(arguments.rest, csv_text(table_of_rest(table, asked)), arguments.force);
  }
  for (const auto& warning : asked.warnings) warn(warning);
  if (arguments.json) {
    Json rows = Json::array();
    for (const std::size_t r : asked.rows) rows.push_back(r + 1);
    Json json = {{"model", arguments.model}, {"output", arguments.output}, {"rows", std::move(rows)}};
    if (!arguments.rest.empty()) json["rest"] = arguments.rest;
    write_json(json);
    return;
  }
  print(
      "{} of {} are chosen. Write their labels into column {}, then run:\n"
      "perpend adapt {} {} -o THERE.safetensors\n",
      thousands(asked.rows.size()), counted(table.rows, "row"), printable(quote(model.schema.target)),
      shell_word(arguments.model), shell_word(arguments.output));
}

}  // namespace

void add_ask(CLI::App& program, Action& chosen) {
  auto arguments = std::make_shared<AskArguments>();
  auto* verb = program.add_subcommand("ask", "Choose the rows of a new place that are most worth a label");
  verb->footer(
      "  perpend ask loans.safetensors new.csv -n 32 -o rows.csv   then write the labels into its last column\n"
      "  perpend adapt loans.safetensors rows.csv -o loans_there.safetensors\n"
      "  perpend ask loans.safetensors new.csv -o rows.csv --rest others.csv   keep the other rows, to measure on "
      "them\n\n"
      "perpend draws the rows at random. The more the members differ from the ensemble on a row, the more probable it "
      "is to\n"
      "be drawn. ROWS has the chosen rows as they are in DATA. Their row numbers come first, and an empty column for "
      "the\n"
      "labels comes last; if DATA has that column, its cells are kept. Every run draws the same rows.\n");
  add_model(*verb, arguments->model);
  add_data(*verb, arguments->data, "Rows of the new place")->required();
  verb->add_option("-n,--rows", arguments->count, "Number of rows to choose [32]")
      ->type_name("N")
      ->check(whole_between(1, 1'000'000));
  verb->add_option("-o,--output", arguments->output, "CSV file to write")->required()->type_name("ROWS");
  verb->add_option("--rest", arguments->rest, "CSV file for the rows of DATA that are not chosen")
      ->type_name("REST")
      ->check(not_empty());
  add_data_dir(*verb, arguments->data_dir);
  add_threads(*verb, arguments->threads);
  add_json(*verb, arguments->json);
  add_force(*verb, arguments->force, "the files of rows");
  verb->callback([arguments, &chosen] { chosen = [arguments] { ask_verb(*arguments); }; });
}

}  // namespace perpend::app
