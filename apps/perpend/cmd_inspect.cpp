#include <fmt/format.h>

#include "apps/perpend/command.h"
#include "apps/perpend/results.h"
#include "apps/perpend/terminal.h"
#include "perpend/base/message.h"
#include "perpend/base/sha256.h"
#include "perpend/store/trained_model.h"

namespace perpend::app {

namespace {

struct InspectArguments {
  std::string model;
  bool json = false;
};

const char* name_of(Rule rule) { return rule == Rule::mean ? "mean" : rule == Rule::samme_r ? "samme_r" : "samme"; }

void inspect_verb(const InspectArguments& arguments) {
  const TrainedModel model = load_model(arguments.model);
  const std::string bytes = to_bytes(model);
  const Json options = Json::parse(model.options);
  Json summary = Json::parse(model.summary);  // of other programs: perhaps without these keys
  if (arguments.json) {
    write_json(Json{{"model", arguments.model},
                    {"bytes", bytes.size()},
                    {"sha256", sha256_hex(bytes)},
                    {"member_weights", model.decision.weights},
                    {"rule", name_of(model.decision.rule)},
                    {"options", options},
                    {"schema", Json::parse(schema_to_json(model.schema))},
                    {"summary", summary}});
    return;
  }
  const Architecture& a = model.ensemble.architecture;
  std::string layers = std::to_string(a.features);
  for (const auto units : a.hidden) layers += "-" + std::to_string(units);
  print("{}\n  networks    {} x {}-{}\n", printable(arguments.model), model.ensemble.members.size(), layers, a.classes);
  std::string weights;
  for (const double w : model.decision.weights) weights += fmt::format(" {:.3f}", w);
  print("  decision    {} with weights{}\n  target      {}: ", name_of(model.decision.rule), weights,
        printable(model.schema.target));
  for (std::size_t k = 0; k < model.schema.classes.size(); ++k) {
    print("{}{}", k > 0 ? ", " : "", printable(model.schema.classes[k]));
  }
  print("\n  file        {} bytes, sha256 {}\n\ncolumns\n", thousands(bytes.size()), sha256_hex(bytes));
  for (const auto& column : model.schema.columns) {
    print("  {:<24} {}\n", printable(column.name),
          column.kind == ColumnKind::numeric ? "number" : counted(column.levels.size(), "level"));
  }
  print("\noptions\n");
  for (const auto& [key, value] : options.items()) print("  {:<20} {}\n", printable(key), value.dump());
  print("\ntraining\n  rows                 {}\n  steps                {}\n", summary["rows"].dump(),
        summary["steps"].dump());
}

}  // namespace

void add_inspect(CLI::App& program, Action& chosen) {
  auto arguments = std::make_shared<InspectArguments>();
  auto* verb = program.add_subcommand("inspect", "Show what a model file holds");
  verb->footer("  perpend inspect loans.safetensors\n  perpend inspect loans.safetensors --json\n");
  verb->add_option("model", arguments->model, "Model file")->required();
  verb->add_flag("--json", arguments->json, "One JSON document");
  verb->callback([arguments, &chosen] { chosen = [arguments] { inspect_verb(*arguments); }; });
}

}  // namespace perpend::app
