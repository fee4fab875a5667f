#include <fmt/format.h>

#include "apps/perpend/command.h"
#include "apps/perpend/results.h"
#include "apps/perpend/terminal.h"
#include "perpend/api/model.h"
#include "perpend/base/message.h"

namespace perpend::app {

namespace {

struct InspectArguments {
  std::string model;
  bool json = false;
};

void print_facts(const std::string& path, const TrainedModel& model) {
  const ModelFacts facts = inspect(model);
  std::string weights;
  for (const double w : model.decision.weights) weights += fmt::format(" {:.3f}", w);
  std::string classes;
  for (const auto& name : model.schema.classes) classes += (classes.empty() ? "" : ", ") + printable(name);
  print("{}\n  networks    {} x {}\n", printable(path), facts.members, facts.layers);
  print("  decision    {} with weights{}\n  target      {}: {}", facts.rule, weights, printable(model.schema.target),
        classes);
  print("\n  file        {} bytes, sha256 {}\n\ncolumns\n", thousands(facts.bytes), facts.sha256);
  for (const auto& column : model.schema.columns) {
    print("  {:<24} {}\n", printable(column.name),
          column.kind == ColumnKind::numeric ? "number" : counted(column.levels.size(), "level"));
  }
}

void inspect_verb(const InspectArguments& arguments) {
  const TrainedModel model = load_model(arguments.model);
  Json document = Json::parse(inspect_json(model));
  if (arguments.json) {
    Json json = {{"model", arguments.model}};
    json.update(document);
    write_json(json);
    return;
  }
  print_facts(arguments.model, model);
  print("\noptions\n");
  for (const auto& [key, value] : document["options"].items()) print("  {:<20} {}\n", printable(key), value.dump());
  Json& summary = document["summary"];  // of other programs: perhaps without these keys
  print("\ntraining\n  rows                 {}\n  steps                {}\n", summary["rows"].dump(),
        summary["steps"].dump());
}

}  // namespace

void add_inspect(CLI::App& program, Action& chosen) {
  auto arguments = std::make_shared<InspectArguments>();
  auto* verb = program.add_subcommand("inspect", "Show what a model file holds");
  verb->footer("  perpend inspect loans.safetensors\n  perpend inspect loans.safetensors --json\n");
  add_model(*verb, arguments->model);
  add_json(*verb, arguments->json);
  verb->callback([arguments, &chosen] { chosen = [arguments] { inspect_verb(*arguments); }; });
}

}  // namespace perpend::app
