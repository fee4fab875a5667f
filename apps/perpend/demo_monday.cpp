#include "apps/perpend/demo_monday.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/perpend/epoch_line.h"
#include "apps/perpend/interrupt.h"
#include "apps/perpend/results.h"
#include "apps/perpend/terminal.h"
#include "perpend/api/adapt.h"
#include "perpend/api/ask.h"
#include "perpend/api/evaluate.h"
#include "perpend/api/fit.h"
#include "perpend/api/monitor.h"
#include "perpend/base/message.h"
#include "perpend/data/generate.h"
#include "perpend/data/source.h"

namespace perpend::app {

namespace {

constexpr std::size_t kLabels = 32;

TrainedModel default_model() {
  RunOptions options;
  options.schema.target = kGeneratedTarget;
  EpochLine watcher("the default ensemble");
  return fit(read_source("builtin:shortcut", ""), options, {.callback = &watcher}).model;
}

// Returns the rows of a generated table that have these numbers, or all others.
Table rows_of_table(const GenerateOptions& options, const std::vector<std::size_t>& rows, bool others) {
  const Dataset all = generate("shortcut-flipped", options);
  std::vector<std::size_t> kept;
  for (std::size_t r = 0; r < all.rows(); ++r) {
    const bool is_named = std::ranges::find(rows, r) != rows.end();
    if (is_named != others) kept.push_back(r);
  }
  Dataset some = all;
  some.inputs = Inputs(kept.size(), all.inputs.cols());
  some.labels.clear();
  for (std::size_t i = 0; i < kept.size(); ++i) {
    std::copy_n(all.inputs.row(kept[i]), all.inputs.cols(), some.inputs.row(i));
    some.labels.push_back(all.labels[kept[i]]);
  }
  return table_of(some, "shortcut-flipped");
}

}  // namespace

void show_monday() {
  const GenerateOptions there{.seed = 1};
  const TrainedModel model = default_model();
  throw_if_interrupted();
  const Table rows = table_of(generate("shortcut-flipped", there), "shortcut-flipped");
  const Monitoring found = monitor(model, rows);
  const AskedRows asked = ask(model, rows, kLabels);
  const AdaptedModel adapted = adapt(model, rows_of_table(there, asked.rows, false));
  const Table others = rows_of_table(there, asked.rows, true);
  const Evaluation before = evaluate(model, others).metrics, after = evaluate(adapted.model, others).metrics;
  print(
      "\nA Monday morning: {} arrive from a place where 'ward' says the opposite. They have no labels.\n"
      "  perpend monitor   {}: the members' disagreement is {:.3f} here, and it was {:.3f} at home\n"
      "  perpend ask       {} of the rows are worth a label\n"
      "  perpend adapt     with these labels, the AUC on the other {} goes from {} to {}\n",
      counted(rows.rows, "row"), word_of(found.verdict), found.disagreement_new, found.disagreement_home, kLabels,
      counted(others.rows, "row"), shown(before.auc), shown(after.auc));
}

}  // namespace perpend::app
