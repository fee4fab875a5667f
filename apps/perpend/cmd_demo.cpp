#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "apps/perpend/command.h"
#include "apps/perpend/demo_quadrants.h"
#include "apps/perpend/demo_report.h"
#include "apps/perpend/epoch_line.h"
#include "apps/perpend/interrupt.h"
#include "apps/perpend/results.h"
#include "apps/perpend/terminal.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/generate.h"
#include "perpend/data/source.h"
#include "perpend/evaluate/adapt.h"
#include "perpend/evaluate/ensemble.h"
#include "perpend/evaluate/view_rows.h"
#include "perpend/model/decision.h"
#include "perpend/run/run.h"
#include "perpend/run/view_model.h"

namespace perpend::app {

namespace {

constexpr std::size_t kRowVisits = 320000;  // half of train's: enough here
constexpr std::size_t kFewRows = 16;

RunOptions recipe(Method method) {
  RunOptions options;
  options.schema.target = kGeneratedTarget;
  options.train.method = method;
  options.train.members = 3;
  options.train.lambda = 1;
  return options;
}

// Rows of a generated set, as read and as the trained networks want them.
struct Place {
  Table table;
  Dataset data;
};
Place place(const std::string& name, const GenerateOptions& options, const Schema& schema) {
  Place made{table_of(generate(name, options), name), {}};
  made.data = encode(made.table, schema, all_rows(made.table));
  return made;
}

RowSet row_set(const std::string& name, const Table& table, std::vector<std::uint32_t> rows, const Dataset& data) {
  return {name, &table, std::move(rows), data.inputs, data.labels, false};
}

DemoEnsemble train_and_measure(const Table& table, const Prepared& data, Method method) {
  RunOptions options = recipe(method);
  options.train.epochs = static_cast<int>((kRowVisits + data.train.rows() - 1) / data.train.rows());
  DemoEnsemble out;
  out.title = method_title(method_info(method).word, lambda_of(options.train));
  EpochLine watcher(out.title);
  const RunResult result = run(data, options, nullptr, &watcher);
  throw_if_interrupted();
  PERPEND_CHECK(result.trained.status == TrainStatus::ok);
  const Ensemble& ensemble = result.trained.ensemble;
  const Threads threads(0);
  const Place failed = place("shortcut-failed", {}, data.schema);
  const Place flipped = place("shortcut-flipped", {}, data.schema);
  const Decision equal = equal_mean(ensemble.members.size());
  out.familiar = *result.test;
  out.failed = evaluate_ensemble(ensemble, equal, failed.data, threads);
  out.flipped = evaluate_ensemble(ensemble, equal, flipped.data, threads);
  const std::vector sets = {row_set("familiar", table, data.split.test, data.test),
                            row_set("ward fails", failed.table, all_rows(failed.table), failed.data),
                            row_set("ward flips", flipped.table, all_rows(flipped.table), flipped.data)};
  out.rows = view_rows(ensemble, equal, data.schema, sets, 0, threads);
  out.spots = out.rows.parts.back().spotted;
  const Place few = place("shortcut-flipped", {.seed = 1, .rows = kFewRows}, data.schema);
  out.adapted =
      evaluate_ensemble(ensemble, {Rule::mean, adapted_weights(ensemble, few.data, threads)}, flipped.data, threads);
  return out;
}

std::string with_best_member(const Evaluation& evaluation) {
  double best = 0;
  for (const auto& member : evaluation.members) best = std::max(best, member.auc.value_or(0));
  return fmt::format("{} ({:.3f})", shown(evaluation.auc), best);
}

void print_table(const std::vector<DemoEnsemble>& outcomes) {
  print("\n  {:<17} {:<10} {:<19} {:<19} {}\n", "", "familiar", "ward fails", "ward flips", "gradients'");
  print("  {:<17} {:<10} {:<19} {:<19} {}\n", "", "AUC", "AUC (best member)", "AUC (best member)", "cos^2");
  for (const auto& o : outcomes) {
    print("  {:<17} {:<10} {:<19} {:<19} {}\n", o.title, shown(o.familiar.auc), with_best_member(o.failed),
          with_best_member(o.flipped), shown(o.familiar.grad_cos2));
  }
}

void show_shortcut(const std::string& folder) {
  const Table table = table_of(generate("shortcut"), "builtin:shortcut");
  const Prepared data = prepare(table, recipe(kDefaultMethod));
  print(
      "What that is good for: two ensembles of 3 networks on builtin:shortcut ({},\n"
      "{}). Column 'ward' is a shortcut: it gives the answer here, not elsewhere.\n",
      counted(table.rows, "row"), counted(data.schema.columns.size(), "column"));
  const std::vector outcomes = {train_and_measure(table, data, kBaseline),
                                train_and_measure(table, data, kDefaultMethod)};
  print_table(outcomes);
  const DemoEnsemble& restarts = outcomes[0];
  const DemoEnsemble& lit = outcomes[1];
  print(
      "\nDisagreement spots the flipped rows: AUROC {} (restarts {}).\n"
      "With {} labelled rows from there, `perpend adapt` finds the member that never used\n"
      "the shortcut: AUC {} -> {} (restarts have none: {} -> {}).\n",
      shown(lit.spots), shown(restarts.spots), kFewRows, shown(lit.flipped.auc), shown(lit.adapted.auc),
      shown(restarts.flipped.auc), shown(restarts.adapted.auc));
  if (!folder.empty()) write_demo_report(folder, restarts, lit);
}

void run_demo(const std::string& folder) {
  const InterruptsWait wait;
  show_quadrants(folder);
  print("\n");
  show_shortcut(folder);
  print("\nNext: perpend train YOUR.csv --target COLUMN -o model.safetensors\n");
}

}  // namespace

void add_demo(CLI::App& program, Action& chosen) {
  auto* verb = program.add_subcommand("demo", "First look: random restarts against LIT, where they part and what for");
  verb->footer(
      "  perpend demo                  decision boundaries drawn here, then a shortcut that fails; under a minute\n"
      "  perpend demo --output DIR     ... and write DIR/boundaries.svg and DIR/report.html\n");
  auto folder = std::make_shared<std::string>();
  verb->add_option("--output", *folder, "Folder for boundaries.svg and report.html, made if absent")
      ->option_text("DIR");
  verb->callback([folder, &chosen] { chosen = [folder] { run_demo(*folder); }; });
}

}  // namespace perpend::app
