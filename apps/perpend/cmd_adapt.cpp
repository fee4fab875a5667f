#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "apps/perpend/command.h"
#include "apps/perpend/data_folder.h"
#include "apps/perpend/results.h"
#include "apps/perpend/terminal.h"
#include "perpend/base/message.h"
#include "perpend/data/source.h"
#include "perpend/evaluate/adapt.h"
#include "perpend/evaluate/ensemble.h"
#include "perpend/model/decision.h"
#include "perpend/store/trained_model.h"

namespace perpend::app {

namespace {

constexpr std::size_t kFewestRows = 8;
constexpr double kStandsOut = 0.1;  // above an equal weight

struct AdaptArguments {
  std::string model, data, output, data_dir;
  int threads = 0;
  bool json = false;
  bool force = false;
};

void warn_of_thin_rows(const Dataset& rows) {
  if (rows.rows() < kFewestRows) {
    say("warning: {} cannot say much about the members; 16 or more are better\n", counted(rows.rows(), "row"));
  }
  const std::set<std::int32_t> seen(rows.labels.begin(), rows.labels.end());
  if (seen.size() == 1) {
    say("warning: every row is {}: a member that always says so wins; add rows of the other classes\n",
        quote(rows.classes[static_cast<std::size_t>(*seen.begin())]));
  }
}

std::string list_of(const std::vector<double>& weights) {
  std::string text;
  for (const double w : weights) text += fmt::format(" {:>6.3f}", w);
  return text;
}

// What the new weights mean, in one sentence.
std::string reading(const std::vector<double>& before, const std::vector<double>& after) {
  if (after.size() == 1) return "One member has all the weight, whatever the rows say.";
  const auto best = static_cast<std::size_t>(std::ranges::max_element(after) - after.begin());
  if (after[best] < 1.0 / static_cast<double>(after.size()) + kStandsOut) {
    return "These rows do not tell the members apart: the weights are nearly equal.";
  }
  return fmt::format("Member {} explains these rows best: its weight goes from {:.2f} to {:.2f}.", best + 1,
                     before[best], after[best]);
}

void print_text(const AdaptArguments& arguments, std::size_t rows, const TrainedModel& old,
                const std::vector<double>& weights, const Evaluation& before, const Evaluation& after) {
  print("{:<10} {:>8} {:>10}   weights of the members\n", counted(rows, "row"), "AUC", "log-loss");
  print("{:<10} {:>8} {:>10}  {}\n", "before", shown(before.auc), shown(before.log_loss),
        list_of(old.decision.weights));
  print("{:<10} {:>8} {:>10}  {}\n", "after", shown(after.auc), shown(after.log_loss), list_of(weights));
  print("\n{}\nThese rows chose the weights, so they flatter; check on others: perpend evaluate {} OTHER.csv\n",
        reading(old.decision.weights, weights), shell_word(arguments.output));
}

void adapt_verb(const AdaptArguments& arguments) {
  TrainedModel model = load_model(arguments.model);
  const Table table = read_source(arguments.data, data_folder(arguments.data_dir).string());
  EncodeReport report;
  const Dataset rows = encode(table, model.schema, all_rows(table), &report);
  const Threads threads(arguments.threads);
  const auto weights = adapted_weights(model.ensemble, rows, threads);
  const Decision decision{Rule::mean, weights};
  const Evaluation before = evaluate_ensemble(model.ensemble, model.decision, rows, threads);
  const Evaluation after = evaluate_ensemble(model.ensemble, decision, rows, threads);
  Json summary = Json::parse(model.summary);
  summary["adapted"] = {
      {"rows", rows.rows()}, {"log_loss_before", *before.log_loss}, {"log_loss_after", *after.log_loss}};
  TrainedModel adapted = model;
  adapted.decision = decision;
  adapted.summary = summary.dump();
  save_model(arguments.output, adapted, arguments.force);
  for (const auto& warning : report.warnings()) warn(warning);
  warn_of_thin_rows(rows);
  if (arguments.json) {
    write_json(Json{{"model", arguments.output},
                    {"rows", rows.rows()},
                    {"member_weights", {{"before", model.decision.weights}, {"after", weights}}},
                    {"metrics", {{"before", metrics_json(before)}, {"after", metrics_json(after)}}}});
  } else {
    print_text(arguments, rows.rows(), model, weights, before, after);
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
      "equal weights that counts as one row a member: none falls below 1 / (rows + members). The networks stay as "
      "they\n"
      "are, former weights are forgotten, and disagreement still counts every member once.\n");
  verb->add_option("model", arguments->model, "Model file")->required();
  verb->add_option("data", arguments->data, "Labelled rows: CSV, ARFF, npy, builtin:NAME, - for stdin")->required();
  verb->add_option("-o,--output", arguments->output, "Model file to write")->required()->type_name("NEW");
  verb->add_option("--data-dir", arguments->data_dir, "Folder of the public sets")->type_name("DIR");
  verb->add_option("--threads", arguments->threads, "0: all (0)")->check(whole_between(0, 1024));
  verb->add_flag("--json", arguments->json, "One JSON document");
  verb->add_flag("--force", arguments->force, "Overwrite the model file");
  verb->callback([arguments, &chosen] { chosen = [arguments] { adapt_verb(*arguments); }; });
}

}  // namespace perpend::app
