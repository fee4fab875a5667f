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
  bool card = false;
};

// "128-64", or "87 rounds" for boosted trees
std::string size_text(const MemberFacts& member) {
  if (member.units.empty() && member.rounds > 0) return counted(member.rounds, "round");
  std::string text;
  for (const std::size_t count : member.units) text += (text.empty() ? "" : "-") + std::to_string(count);
  return text;
}

// Shows what each member sees, and how good it was on the rows that judge the model.
std::string members_table(const TrainedModel& model) {
  const JudgedPart judged = model.summary.judged();
  std::string text = fmt::format("\nmembers{}\n  {:<8} {:<10} {:>7} {:>10} {:>8} {:>8} {:>9}\n",
                                 judged.evaluation == nullptr ? "" : fmt::format(", on {} rows", judged.name), "member",
                                 "view", "inputs", "size", "weight", model.schema.quantity ? "RMSE" : "AUC",
                                 model.schema.quantity ? "R²" : "log-loss");
  const auto facts = member_facts(model);
  for (std::size_t m = 0; m < facts.size(); ++m) {
    const bool measured = judged.evaluation != nullptr && m < judged.evaluation->members.size();
    const Scores scores = measured ? judged.evaluation->members[m] : Scores();
    text += fmt::format("  {:<8} {:<10} {:>7} {:>10} {:>8.3f} {:>8} {:>9}\n", m + 1, facts[m].view,
                        thousands(facts[m].inputs), size_text(facts[m]), facts[m].weight,
                        scores.regression ? number_text(scores.rmse) : shown(scores.auc),
                        shown(scores.regression ? scores.r2 : scores.log_loss));
  }
  return text;
}

void print_facts(const std::string& path, const TrainedModel& model) {
  const ModelFacts facts = inspect(model);
  std::string weights;
  for (const double w : member_says(model.decision)) weights += fmt::format(" {:.3f}", w);
  std::string classes;
  for (const auto& name : model.schema.classes) classes += (classes.empty() ? "" : ", ") + printable(name);
  if (model.schema.quantity) {
    classes = fmt::format("a number, mean {:.4g}, standard deviation {:.4g}", model.schema.quantity->mean,
                          model.schema.quantity->sd);
  }
  print("{}\n  members     {}\n", printable(path), facts.members_text());
  print("  decision    {} with weights{}{}\n  target      {}: {}", facts.rule, weights,
        model.decision.gate ? ", which a gate changes from row to row" : "", printable(model.schema.target), classes);
  if (!facts.calibration.empty()) print("\n  calibration {}", facts.calibration);
  if (facts.threshold)
    print("\n  threshold   {:.4g}{}", *facts.threshold, facts.aim.empty() ? "" : ", for " + facts.aim);
  print("\n  file        {} bytes, sha256 {}\n{}\ncolumns\n", thousands(facts.bytes), facts.sha256,
        model.schema.by_column ? members_table(model) : "");
  for (const auto& column : model.schema.columns) {
    print("  {:<24} {}\n", printable(column.name),
          column.kind == ColumnKind::numeric ? "number" : counted(column.levels.size(), "level"));
  }
}

void inspect_verb(const InspectArguments& arguments) {
  const TrainedModel model = load_model(arguments.model);
  if (arguments.card) {
    print("{}", card(model));
    return;
  }
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
  Json& summary = document["summary"];  // another program may have left out these keys
  print("\ntraining\n  rows                 {}\n  steps                {}\n", summary["rows"].dump(),
        summary["steps"].dump());
}

}  // namespace

void add_inspect(CLI::App& program, Action& chosen) {
  auto arguments = std::make_shared<InspectArguments>();
  auto* verb = program.add_subcommand("inspect", "Show what a model file holds");
  verb->footer(
      "  perpend inspect loans.safetensors\n  perpend inspect loans.safetensors --json\n"
      "  perpend inspect loans.safetensors --card > loans.md\n");
  add_model(*verb, arguments->model);
  auto* json = add_json(*verb, arguments->json);
  verb->add_flag("--card", arguments->card,
                 "Print the model card as Markdown: rows, splits, metrics with intervals, and what was not tested")
      ->excludes(json);
  verb->callback([arguments, &chosen] { chosen = [arguments] { inspect_verb(*arguments); }; });
}

}  // namespace perpend::app
