#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "apps/perpend/command.h"
#include "apps/perpend/demo_quadrants.h"
#include "apps/perpend/interrupt.h"
#include "apps/perpend/results.h"
#include "apps/perpend/terminal.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/generate.h"
#include "perpend/data/source.h"
#include "perpend/evaluate/adapt.h"
#include "perpend/evaluate/ensemble.h"
#include "perpend/evaluate/selective.h"
#include "perpend/model/decision.h"
#include "perpend/model/predict.h"
#include "perpend/run/run.h"

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

// Rows of a generated set as the trained networks want them.
Dataset encoded(const std::string& name, const GenerateOptions& options, const Schema& schema) {
  const Table table = table_of(generate(name, options), name);
  return encode(table, schema, all_rows(table));
}

class Watcher final : public TrainCallback {
 public:
  explicit Watcher(std::string title) : title_(std::move(title)) {}
  void on_epoch(const EpochRecord& record, int epochs) override {
    progress_.show(fmt::format("{}: epoch {} of {}", title_, record.epoch, epochs));
  }
  bool stop_requested() override { return interrupted(); }

 private:
  std::string title_;
  ProgressLine progress_;
};

struct Outcome {
  std::string title;
  Evaluation familiar, failed, flipped, adapted;  // adapted: on the flipped rows, with new weights
  Metric spots;                                   // AUROC of disagreement, flipped against familiar rows
};

Outcome train_and_measure(const Prepared& data, Method method) {
  RunOptions options = recipe(method);
  options.train.epochs = static_cast<int>((kRowVisits + data.train.rows() - 1) / data.train.rows());
  Outcome out;
  out.title = method == Method::lit ? "LIT, lambda 1" : "random restarts";
  Watcher watcher(out.title);
  const RunResult result = run(data, options, nullptr, &watcher);
  throw_if_interrupted();
  PERPEND_CHECK(result.trained.status == TrainStatus::ok);
  const Ensemble& ensemble = result.trained.ensemble;
  const Threads threads(0);
  const Dataset failed = encoded("shortcut-failed", {}, data.schema);
  const Dataset flipped = encoded("shortcut-flipped", {}, data.schema);
  const Decision equal = equal_mean(ensemble.members.size());
  out.familiar = *result.test;
  out.failed = evaluate_ensemble(ensemble, equal, failed, threads);
  out.flipped = evaluate_ensemble(ensemble, equal, flipped, threads);
  const auto disagreement = [&](const Dataset& rows) {
    return row_disagreement(member_probabilities(ensemble, rows.inputs.view(), threads));
  };
  out.spots = shift_auroc(disagreement(data.test), disagreement(flipped));
  const Dataset few = encoded("shortcut-flipped", {.seed = 1, .rows = kFewRows}, data.schema);
  out.adapted = evaluate_ensemble(ensemble, {Rule::mean, adapted_weights(ensemble, few, threads)}, flipped, threads);
  return out;
}

std::string with_best_member(const Evaluation& evaluation) {
  double best = 0;
  for (const auto& member : evaluation.members) best = std::max(best, member.auc.value_or(0));
  return fmt::format("{} ({:.3f})", shown(evaluation.auc), best);
}

void print_table(const std::vector<Outcome>& outcomes) {
  fmt::print("\n  {:<17} {:<10} {:<19} {:<19} {}\n", "", "familiar", "ward fails", "ward flips", "gradients'");
  fmt::print("  {:<17} {:<10} {:<19} {:<19} {}\n", "", "AUC", "AUC (best member)", "AUC (best member)", "cos^2");
  for (const auto& o : outcomes) {
    fmt::print("  {:<17} {:<10} {:<19} {:<19} {}\n", o.title, shown(o.familiar.auc), with_best_member(o.failed),
               with_best_member(o.flipped), shown(o.familiar.grad_cos2));
  }
}

void show_shortcut() {
  const Table table = table_of(generate("shortcut"), "builtin:shortcut");
  const Prepared data = prepare(table, recipe(Method::lit));
  fmt::print(
      "What that is good for: two ensembles of 3 networks on builtin:shortcut ({},\n"
      "{}). Column 'ward' is a shortcut: it gives the answer here, not elsewhere.\n",
      counted(table.rows, "row"), counted(data.schema.columns.size(), "column"));
  const std::vector outcomes = {train_and_measure(data, Method::restarts), train_and_measure(data, Method::lit)};
  print_table(outcomes);
  const Outcome& restarts = outcomes[0];
  const Outcome& lit = outcomes[1];
  fmt::print(
      "\nDisagreement spots the flipped rows: AUROC {} (restarts {}).\n"
      "With {} labelled rows from there, `perpend adapt` finds the member that never used\n"
      "the shortcut: AUC {} -> {} (restarts have none: {} -> {}).\n",
      shown(lit.spots), shown(restarts.spots), kFewRows, shown(lit.flipped.auc), shown(lit.adapted.auc),
      shown(restarts.flipped.auc), shown(restarts.adapted.auc));
}

void run_demo(const std::string& folder) {
  const InterruptsWait wait;
  show_quadrants(folder);
  fmt::print("\n");
  show_shortcut();
  fmt::print("\nNext: perpend train YOUR.csv --target COLUMN -o model.safetensors\n");
}

}  // namespace

void add_demo(CLI::App& program, Action& chosen) {
  auto* verb = program.add_subcommand("demo", "First look: random restarts against LIT, where they part and what for");
  verb->footer(
      "  perpend demo                  decision boundaries drawn here, then a shortcut that fails; under a minute\n"
      "  perpend demo --output DIR     ... and write DIR/boundaries.svg\n");
  auto folder = std::make_shared<std::string>();
  verb->add_option("--output", *folder, "Folder for boundaries.svg, made if absent")->option_text("DIR");
  verb->callback([folder, &chosen] { chosen = [folder] { run_demo(*folder); }; });
}

}  // namespace perpend::app
