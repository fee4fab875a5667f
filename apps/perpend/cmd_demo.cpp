#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "apps/perpend/command.h"
#include "apps/perpend/demo_monday.h"
#include "apps/perpend/demo_quadrants.h"
#include "apps/perpend/demo_report.h"
#include "apps/perpend/epoch_line.h"
#include "apps/perpend/interrupt.h"
#include "apps/perpend/results.h"
#include "apps/perpend/terminal.h"
#include "perpend/api/adapt.h"
#include "perpend/api/evaluate.h"
#include "perpend/api/fit.h"
#include "perpend/api/report.h"
#include "perpend/base/message.h"
#include "perpend/data/generate.h"
#include "perpend/data/source.h"

namespace perpend::app {

namespace {

constexpr std::size_t kRowVisits = 320000;  // half of train's: enough here
constexpr std::size_t kFewRows = 16;

RunOptions recipe(Method method) {
  RunOptions options;
  options.schema.target = kGeneratedTarget;
  // The paper's networks over z-scores. Three members are few enough to look at each of them.
  options.views_auto = false;
  options.train = TrainOptions();
  options.train.method = method;
  options.train.members = 3;
  return options;
}

Table generated(const std::string& name, const GenerateOptions& options = {}) {
  return table_of(generate(name, options), name);
}

DemoEnsemble train_and_measure(const Table& table, Method method) {
  RunOptions options = recipe(method);
  const std::size_t rows = split(table, options).train.size();
  options.train.epochs = static_cast<int>((kRowVisits + rows - 1) / rows);
  DemoEnsemble out;
  out.title = method_title(method_info(method).word, lambda_of(options.train));
  EpochLine watcher(out.title);
  const Fitted fitted = fit(table, options, {.callback = &watcher});
  throw_if_interrupted();
  const Table failed = generated("shortcut-failed");
  const Table flipped = generated("shortcut-flipped");
  out.familiar = fitted.model.summary.test.value();
  out.failed = evaluate(fitted.model, failed).metrics;
  out.flipped = evaluate(fitted.model, flipped).metrics;
  const std::vector<NamedRows> parts = {{"familiar", &table, fitted.split.test},
                                        {"ward fails", &failed, all_rows(failed)},
                                        {"ward flips", &flipped, all_rows(flipped)}};
  out.rows = view_rows(fitted.model, parts);
  out.spots = out.rows.parts.back().spotted;
  const AdaptedModel adapted = adapt(fitted.model, generated("shortcut-flipped", {.seed = 1, .rows = kFewRows}));
  out.adapted = evaluate(adapted.model, flipped).metrics;
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
  print(
      "What that is good for: two ensembles of 3 networks on builtin:shortcut ({},\n"
      "{}). Column 'ward' is a shortcut: it gives the answer here, but not elsewhere.\n",
      counted(table.rows, "row"), counted(table.columns.size() - 1, "column"));
  const std::vector outcomes = {train_and_measure(table, kBaseline), train_and_measure(table, kDefaultMethod)};
  print_table(outcomes);
  const DemoEnsemble& restarts = outcomes[0];
  const DemoEnsemble& lit = outcomes[1];
  print(
      "\nDisagreement spots the flipped rows: AUROC {} (restarts {}).\n"
      "With {} labelled rows from there, `perpend adapt` finds the member that never used\n"
      "the shortcut: AUC {} -> {} (restarts have no such member: {} -> {}).\n",
      shown(lit.spots), shown(restarts.spots), kFewRows, shown(lit.flipped.auc), shown(lit.adapted.auc),
      shown(restarts.flipped.auc), shown(restarts.adapted.auc));
  if (!folder.empty()) write_demo_report(folder, restarts, lit);
}

void run_demo(const std::string& folder) {
  const InterruptsWait wait;
  show_quadrants(folder);
  print("\n");
  show_shortcut(folder);
  show_monday();
  print("\nNext: perpend train YOUR.csv --target COLUMN -o model.safetensors\n");
}

}  // namespace

void add_demo(CLI::App& program, Action& chosen) {
  auto* verb = program.add_subcommand(
      "demo", "Take a first look: where LIT differs from random restarts, and what that is good for");
  verb->footer(
      "  perpend demo                  decision boundaries, a shortcut that fails, and what to do then; under a "
      "minute\n"
      "  perpend demo --output DIR     ... and write DIR/boundaries.svg and DIR/report.html\n");
  auto folder = std::make_shared<std::string>();
  verb->add_option("--output", *folder,
                   "Folder to write boundaries.svg and report.html to; it is made if it does not exist")
      ->option_text("DIR");
  verb->callback([folder, &chosen] { chosen = [folder] { run_demo(*folder); }; });
}

}  // namespace perpend::app
