#include <fmt/format.h>

#include <cmath>

#include "apps/perpend/command.h"
#include "apps/perpend/data_folder.h"
#include "apps/perpend/results.h"
#include "apps/perpend/terminal.h"
#include "perpend/api/adapt.h"
#include "perpend/base/message.h"
#include "perpend/data/source.h"

namespace perpend::app {

namespace {

struct AdaptArguments {
  std::string model, data, output, data_dir;
  int threads = 0;
  bool json = false;
  bool force = false;
};

std::string list_of(const std::vector<double>& says) {
  std::string text;
  for (const double say : says) text += fmt::format(" {:>6.3f}", say);
  return text;
}

void print_text(const AdaptArguments& arguments, const AdaptedModel& adapted) {
  const bool numbers = adapted.model.schema.quantity.has_value();
  print("{:<10} {:>12}   say of the members\n", counted(adapted.rows, "row"), numbers ? "loss" : "log-loss");
  print("{:<10} {:>12.4f}  {}\n", "before", adapted.loss_before, list_of(adapted.says_before));
  print("{:<10} {:>12.4f}  {}\n", "after", adapted.loss_after, list_of(adapted.says_after));
  const double gain = adapted.loss_before - adapted.loss_after;
  print(
      "\n{}\n"
      "The loss after is measured on left-out rows: each row is answered by what the others teach. It is {:.4f} {} "
      "than\n"
      "before, with a standard error of {:.4f}. To measure it on other rows: perpend evaluate {} OTHER.csv\n",
      adapted.reading, std::abs(gain), gain < 0 ? "more" : "less", adapted.standard_error,
      shell_word(arguments.output));
}

void adapt_verb(const AdaptArguments& arguments) {
  const TrainedModel model = load_model(arguments.model);
  const Table table = read_source(arguments.data, data_folder(arguments.data_dir).string());
  const AdaptedModel adapted = adapt(model, table, arguments.threads);
  save_model(arguments.output, adapted.model, arguments.force);
  for (const auto& warning : adapted.warnings) warn(warning);
  if (arguments.json) {
    Json json = {{"model", arguments.output}};
    json.update(Json::parse(to_json(adapted)));
    write_json(json);
  } else {
    print_text(arguments, adapted);
  }
}

}  // namespace

void add_adapt(CLI::App& program, Action& chosen) {
  auto arguments = std::make_shared<AdaptArguments>();
  auto* verb = program.add_subcommand("adapt", "Adapt a model to a new place by a few labelled rows from there");
  verb->footer(
      "  perpend adapt loans.safetensors sixteen_rows.csv -o loans_there.safetensors\n"
      "  perpend data make shortcut-flipped --rows 16 --seed 1 -o few.csv\n"
      "  perpend adapt m.safetensors few.csv -o there.safetensors\n\n"
      "The answer moves towards the members that the labels support and away from the others, and it gets a bias. The\n"
      "evidence of the labels decides how far it may move. If the labels do not support a change, the answer stays as "
      "it is.\n"
      "The members do not change, and an earlier adaptation is forgotten. Disagreement still counts every member "
      "once.\n"
      "perpend ask chooses the rows that are most worth a label.\n");
  add_model(*verb, arguments->model);
  add_data(*verb, arguments->data, "Labelled rows from the new place")->required();
  verb->add_option("-o,--output", arguments->output, "Model file to write")->required()->type_name("NEW");
  add_data_dir(*verb, arguments->data_dir);
  add_threads(*verb, arguments->threads);
  add_json(*verb, arguments->json);
  add_force(*verb, arguments->force, "the model file");
  verb->callback([arguments, &chosen] { chosen = [arguments] { adapt_verb(*arguments); }; });
}

}  // namespace perpend::app
