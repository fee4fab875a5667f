// The paper's figure of input gradients: two members by restarts above two by LIT. The paper's ICU table cannot be
// passed on, so the figure is of a built-in set, or of any table that is given; of an ICU table (perpend data make icu)
// it shows the paper's columns.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "apps/perpend/data_folder.h"
#include "apps/perpend/epoch_line.h"
#include "apps/perpend/interrupt.h"
#include "apps/perpend/terminal.h"
#include "paper/gradient_figure.h"
#include "paper/reproduce.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/data/source.h"
#include "perpend/evaluate/view_rows.h"
#include "perpend/icu/figure_columns.h"
#include "perpend/icu/mimic.h"
#include "perpend/run/run.h"

namespace perpend::paper {

namespace {

RunOptions recipe(const Table& table, const ReproduceArguments& arguments, Method method) {
  RunOptions options;
  options.schema.target = arguments.target.empty() ? kGeneratedTarget : arguments.target;
  // Rows of one patient in training and test would make memory look like foresight.
  const std::string patient(kIcuGroup);
  if (options.schema.target == kIcuTarget && table.find(patient) != nullptr) options.group = patient;
  options.schema.missing = Missing::mean;
  // The paper's networks: plain features, trained for a given time.
  options.views_auto = false;
  options.train = TrainOptions();
  options.train.method = method;
  options.train.members = 2;
  options.train.seed = arguments.seed;
  if (method == Method::lit) options.train.lambda = 1;
  return options;
}

RowsView train_and_view(const Table& table, const ReproduceArguments& arguments, Method method,
                        const std::string& title) {
  RunOptions options = recipe(table, arguments, method);
  const Prepared data = prepare(table, options);
  if (arguments.quick) options.train.epochs = std::max(1, default_epochs(data.train.rows()) / 4);
  app::EpochLine watcher(title);
  const RunResult result = run(data, options, nullptr, &watcher);
  app::throw_if_interrupted();
  if (result.trained.status == TrainStatus::diverged)
    throw Error(ErrorKind::diverged, "training diverged on these data");
  app::print("{:<16} {:>8} {:>16}\n", title, result.test->auc ? fmt::format("{:.3f}", *result.test->auc) : "-",
             result.test->grad_cos2 ? fmt::format("{:.3f}", *result.test->grad_cos2) : "-");
  const RowSet rows{"test", &table, data.split.test, data.test.inputs, data.test.labels, false};
  const auto named = features_named(data.schema, icu_figure_columns(data.schema));
  return view_rows(result.trained.ensemble, result.trained.decision, data.schema, std::vector{rows}, 0, Threads(0),
                   named);
}

// The features of one panel in the order of the other; those that only one of them shows are left out.
std::vector<FeatureView> in_order_of(const std::vector<FeatureView>& features, const std::vector<FeatureView>& order) {
  std::vector<FeatureView> sorted;
  for (const auto& wanted : order) {
    const auto found = std::ranges::find(features, wanted.name, &FeatureView::name);
    if (found != features.end()) sorted.push_back(*found);
  }
  return sorted;
}

Page page_of(const std::string& svg, const Table& table, const std::string& axis) {
  Page page;
  page.title = "Input gradients, restarts and LIT – perpend";
  page.kicker = "perpend reproduce figure-gradients · " + table.source;
  page.headline = "What two networks look at: by restarts above, by LIT below";
  page.lede = {fmt::format(
      "Each violin is the distribution, over held-out rows, of {} by one column. A column with mass above "
      "zero makes the class more likely as it grows, one with mass below less likely; mass on zero means that the "
      "member does not look.",
      axis)};
  page.sections = {
      {.id = "figure",
       .name = "Figure",
       .heading = "What to look for",
       .text =
           {"Two members with the same violins are one explanation, twice. Where LIT divides the columns up, what one "
            "member leans on the other leaves alone, and columns that restarts ignore come to light because they can "
            "stand in. LIT's cos² is over all columns: members may be independent by others than those drawn.",
            "The paper shows age, bun, weight, urine and creatinine of an ICU table that cannot be passed on; so does "
            "this of a table that perpend data make icu wrote, given with --data and --target. Of other tables the "
            "columns of largest share are drawn."},
       .blocks = {
           Drawing{"figure-gradients", "Input gradients of two members, by restarts and by LIT",
                   "Horizontal: columns. Vertical: input gradient. The middle 99 % of rows; the line is the median.",
                   "Violins of input gradients per column and member, random restarts above LIT.", svg}}}};
  return page;
}

}  // namespace

void reproduce_figure_gradients(const ReproduceArguments& arguments) {
  make_output_folder(arguments.folder);
  const app::InterruptsWait wait;
  const std::string source = arguments.data.empty() ? "builtin:shortcut" : arguments.data;
  const Table table = read_source(source, app::data_folder(arguments.data_dir).string());
  app::print("Two networks by random restarts, two by LIT with lambda 1, on {}.\n\n{:<16} {:>8} {:>16}\n",
             printable(table.source), "", "test AUC", "gradients' cos^2");
  const RowsView restarts = train_and_view(table, arguments, Method::restarts, "random restarts");
  const RowsView lit = train_and_view(table, arguments, Method::lit, "LIT, lambda 1");
  const bool named = !lit.named.empty();
  const auto shared = named ? restarts.named : in_order_of(restarts.features, lit.features);
  const std::vector<GradientPanel> panels = {{"Random restarts", shared},
                                             {"LIT, lambda 1", named ? lit.named : in_order_of(lit.features, shared)}};
  const std::string axis = "the input gradient of the log-odds";
  const std::string svg = gradient_figure_svg(panels);
  write_figure(arguments.folder, "figure-gradients", svg, page_of(svg, table, axis));
}

}  // namespace perpend::paper
