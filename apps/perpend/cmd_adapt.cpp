#include <fmt/format.h>

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

std::string list_of(const std::vector<double>& weights) {
  std::string text;
  for (const double w : weights) text += fmt::format(" {:>6.3f}", w);
  return text;
}

void print_text(const AdaptArguments& arguments, const AdaptedModel& adapted) {
  const bool numbers = adapted.before.regression;
  print("{:<10} {:>8} {:>10}   weights of the members\n", counted(adapted.rows, "row"), numbers ? "RMSE" : "AUC",
        numbers ? "R²" : "log-loss");
  const auto line = [&](const char* when, const Evaluation& seen, const std::vector<double>& weights) {
    print("{:<10} {:>8} {:>10}  {}\n", when, numbers ? number_text(seen.rmse) : shown(seen.auc),
          shown(numbers ? seen.r2 : seen.log_loss), list_of(weights));
  };
  line("before", adapted.before, adapted.weights_before);
  line("after", adapted.after, adapted.model.decision.weights);
  print("\n{}\nThese rows chose the weights, so they flatter; check on others: perpend evaluate {} OTHER.csv\n",
        adapted.reading, shell_word(arguments.output));
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
  auto* verb = program.add_subcommand("adapt", "Reweight the members by a few labelled rows from a new place");
  verb->footer(
      "  perpend adapt loans.safetensors sixteen_rows.csv -o loans_there.safetensors\n"
      "  perpend data make shortcut-flipped --rows 16 --seed 1 -o few.csv\n"
      "  perpend adapt m.safetensors few.csv -o there.safetensors\n"
      "\n"
      "The weights maximise the likelihood of the rows' labels under the weighted mean of the members, with a pull to\n"
      "equal weights that counts as three more rows. The members stay as they are, former weights are forgotten, and\n"
      "disagreement still counts every member once.\n");
  add_model(*verb, arguments->model);
  add_data(*verb, arguments->data, "Labelled rows")->required();
  verb->add_option("-o,--output", arguments->output, "Model file to write")->required()->type_name("NEW");
  add_data_dir(*verb, arguments->data_dir);
  add_threads(*verb, arguments->threads);
  add_json(*verb, arguments->json);
  add_force(*verb, arguments->force, "the model file");
  verb->callback([arguments, &chosen] { chosen = [arguments] { adapt_verb(*arguments); }; });
}

}  // namespace perpend::app
