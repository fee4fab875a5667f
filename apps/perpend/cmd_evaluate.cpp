#include <fmt/format.h>

#include "apps/perpend/command.h"
#include "apps/perpend/data_folder.h"
#include "apps/perpend/flag_spelling.h"
#include "apps/perpend/measure_flags.h"
#include "apps/perpend/results.h"
#include "apps/perpend/terminal.h"
#include "perpend/api/evaluate.h"
#include "perpend/base/message.h"
#include "perpend/data/source.h"

namespace perpend::app {

namespace {

struct EvaluateArguments {
  std::string model, data, data_dir;
  EvaluateOptions options;
  bool json = false;
};

// Says how the model's threshold does on these rows.
std::string threshold_line(const TrainedModel& model, const Evaluation& metrics) {
  if (!metrics.at_threshold) return "";
  return fmt::format("{:<19} {:.4g}: {}\n", "threshold", metrics.at_threshold->threshold,
                     threshold_text(*metrics.at_threshold, inspect(model).aim));
}

void evaluate_verb(const EvaluateArguments& arguments) {
  const TrainedModel model = load_model(arguments.model);
  const Table table = read_source(arguments.data, data_folder(arguments.data_dir).string());
  const Evaluated found = evaluate(model, table, arguments.options);
  for (const auto& warning : found.warnings) warn(warning);
  for (const auto& note : found.notes) say("{}\n", spelled(note, flag_spelling));
  if (arguments.json) {
    Json json = {{"model", arguments.model}};
    json.update(Json::parse(to_json(found)));
    write_json(json);
  } else {
    print("{}{}{}", evaluation_table(counted(found.rows, "row"), found.metrics, member_views(model)),
          threshold_line(model, found.metrics), found.distance ? distance_table(*found.distance) : "");
  }
}

}  // namespace

void add_evaluate(CLI::App& program, Action& chosen) {
  auto arguments = std::make_shared<EvaluateArguments>();
  auto* verb = program.add_subcommand("evaluate", "Measure a model on labelled rows");
  verb->footer(
      "  perpend evaluate loans.safetensors newer.csv\n"
      "  perpend evaluate m.safetensors builtin:shortcut-failed --json\n"
      "  perpend evaluate m.safetensors newer.csv --epsilon 0.1,0.3,1     independence at a distance\n");
  add_model(*verb, arguments->model);
  add_data(*verb, arguments->data, "Labelled rows")->required();
  add_manifold_flag(*verb, arguments->options.manifold);
  add_distance_flags(*verb, arguments->options.distance);
  add_data_dir(*verb, arguments->data_dir);
  add_threads(*verb, arguments->options.threads);
  add_json(*verb, arguments->json);
  verb->callback([arguments, &chosen] { chosen = [arguments] { evaluate_verb(*arguments); }; });
}

}  // namespace perpend::app
