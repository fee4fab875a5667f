// Compares three ways to combine the same trained members of one table: their mean, a stack and a gate.
//
//     build/release/bin/bench_aggregate TABLE.csv SEED
//
// Column `part` says train, validation or test, and `target` is the target. Lambda is 0.3, so that no time goes into
// its choice. It prints one line of JSON: the log-loss and the AUC of the test rows per way, and for a stack and a gate
// whether validation rows supported it, and its held-out gain. benchmarks/tables/aggregate.py runs it on tables.
#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "perpend/data/read_table.h"
#include "perpend/evaluate/ensemble.h"
#include "perpend/evaluate/gate_fit.h"
#include "perpend/run/run.h"
#include "perpend/run/view_weights.h"

int main(int argc, char** argv) {
  using namespace perpend;
  if (argc != 3) return 2;
  RunOptions options;
  options.schema.target = "target";
  options.split.kind = SplitKind::labels;
  options.split_column = "part";
  options.train.lambda = 0.3;
  options.train.seed = static_cast<std::uint64_t>(std::atoi(argv[2]));
  options.train.threads = 1;
  options.refit = false;
  const Prepared data = prepare(read_table(argv[1]), options);
  TrainResult trained = train({.train = &data.train, .validation = &data.validation}, train_options_for(data, options));
  if (trained.status != TrainStatus::ok) return 7;
  const Threads threads(1);
  weigh_views(trained, data.validation, threads);
  const auto figures = [&](const Decision& decision) {
    const Evaluation found = evaluate_ensemble(trained.ensemble, decision, data.test, threads);
    return fmt::format(R"({{"log_loss": {:.6f}, "auc": {:.6f}}})", found.log_loss.value_or(0), found.auc.value_or(0));
  };
  std::string line = fmt::format(R"({{"train": {}, "validation": {}, "test": {}, "mean": {})", data.train.rows(),
                                 data.validation.rows(), data.test.rows(), figures(trained.decision));
  for (const bool by_row : {false, true}) {
    const LearntGate learnt = learnt_gate(trained.ensemble, trained.decision, data.validation, by_row, threads);
    const std::string name = by_row ? "gate" : "stack";
    line += fmt::format(R"(, "{}": {}, "{}_changed": {}, "{}_gain": {:.6f}, "{}_sigma": {})", name,
                        figures(learnt.decision), name, learnt.is_changed, name, learnt.gain, name, learnt.sigma);
  }
  fmt::print("{}}}\n", line);
  return 0;
}
