// The paper's figures of input gradients: two members by each of the six methods, restarts at the top, LIT at the
// bottom. The paper's ICU table cannot be passed on. So the figure shows a built-in set, or any table that is given.
// For an ICU table (perpend data make icu) it shows the paper's columns.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "apps/perpend/data_folder.h"
#include "apps/perpend/epoch_line.h"
#include "apps/perpend/interrupt.h"
#include "apps/perpend/terminal.h"
#include "paper/gradient_figure.h"
#include "paper/reproduce.h"
#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/base/quantile.h"
#include "perpend/data/source.h"
#include "perpend/evaluate/curves.h"
#include "perpend/evaluate/view_rows.h"
#include "perpend/icu/figure_columns.h"
#include "perpend/icu/mimic.h"
#include "perpend/model/predict.h"
#include "perpend/run/run.h"

namespace perpend::paper {

namespace {

// NCL and ACE have their default lambdas. With lambda 1, ACE's members ignore the labels and their gradients grow
// without bounds. quick: the first and the last method.
struct Way {
  const char* title;
  Method method;
};
constexpr Way kWays[] = {{"Random restarts", Method::restarts}, {"Bagging", Method::bagging},
                         {"AdaBoost", Method::adaboost},        {"NCL, lambda 0.5", Method::ncl},
                         {"ACE, lambda 0.1", Method::ace},      {"LIT, lambda 1", Method::lit}};

RunOptions recipe(const Table& table, const ReproduceArguments& arguments, Method method) {
  RunOptions options;
  options.schema.target = arguments.target.empty() ? kGeneratedTarget : arguments.target;
  // If rows of one patient were in both training and test, memory would look like foresight.
  const std::string patient(kIcuGroup);
  if (options.schema.target == kIcuTarget && table.find(patient) != nullptr) options.group = patient;
  options.schema.missing = Missing::mean;
  // The paper's networks: plain features, trained for a given time.
  options.views_auto = false;
  options.train = TrainOptions();
  options.train.method = method;
  options.train.members = 2;
  options.train.seed = arguments.seed;
  if (method_info(method).lambda) options.train.lambda = *method_info(method).lambda;
  return options;
}

constexpr std::size_t kDensityPlaces = 48;

GradientView view_of_values(std::vector<double> values) {
  GradientView view;
  for (const double value : values) view.mean += value / static_cast<double>(values.size());
  for (const double value : values) view.sd += (value - view.mean) * (value - view.mean);
  view.sd = std::sqrt(view.sd / static_cast<double>(values.size()));
  view.quantiles = quantiles(values, std::array{0.05, 0.25, 0.5, 0.75, 0.95});
  view.density = kernel_density(std::move(values), kDensityPlaces);
  return view;
}

// The mean over members of the gradients by one encoded feature. Nothing where the name stands for several features.
std::vector<std::optional<GradientView>> means_of(const Ensemble& ensemble, const Schema& schema, InputsView inputs,
                                                  const std::vector<FeatureView>& features) {
  const auto gradients = input_gradients(ensemble, inputs, Threads(0));
  std::vector<std::optional<GradientView>> means;
  for (const auto& feature : features) {
    const auto found = std::ranges::find(schema.features, feature.name, &Feature::name);
    if (found == schema.features.end()) {
      means.emplace_back();
      continue;
    }
    const auto f = static_cast<std::size_t>(found - schema.features.begin());
    std::vector<double> values(inputs.rows(), 0.0);
    for (std::size_t m = 0; m < gradients.members(); ++m) {
      for (std::size_t r = 0; r < values.size(); ++r) {
        values[r] += static_cast<double>(gradients[m](r, f)) / static_cast<double>(gradients.members());
      }
    }
    means.emplace_back(view_of_values(std::move(values)));
  }
  return means;
}

// Makes the panel of one method, with its columns of the largest share, or those of the paper's figure.
GradientPanel train_and_view(const Table& table, const ReproduceArguments& arguments, const Way& way, bool& named) {
  RunOptions options = recipe(table, arguments, way.method);
  const Prepared data = prepare(table, options);
  if (arguments.quick) options.train.epochs = std::max(1, default_epochs(data.train.rows()) / 4);
  app::EpochLine watcher(way.title);
  const RunResult result = run(data, options, nullptr, &watcher);
  app::throw_if_interrupted();
  if (result.trained.status == TrainStatus::diverged)
    throw Error(ErrorKind::diverged, "training diverged on these data");
  app::print("{:<16} {:>8} {:>16}\n", way.title, result.test->auc ? fmt::format("{:.3f}", *result.test->auc) : "-",
             result.test->grad_cos2 ? fmt::format("{:.3f}", *result.test->grad_cos2) : "-");
  const RowSet rows{"test", &table, data.split.test, data.test.inputs, data.test.labels, false};
  const auto of_the_paper = features_named(data.schema, icu_figure_columns(data.schema));
  const RowsView view = view_rows(result.trained.ensemble, result.trained.decision, data.schema, std::vector{rows}, 0,
                                  Threads(0), of_the_paper);
  named = !view.named.empty();
  GradientPanel panel{way.title, named ? view.named : view.features};
  panel.means = means_of(result.trained.ensemble, data.schema, data.test.inputs.view(), panel.features);
  return panel;
}

// Every panel keeps the features that all of them show, in the order of the last one.
void keep_shared(std::vector<GradientPanel>& panels) {
  const auto place = [](const GradientPanel& panel, const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(panel.features, name, &FeatureView::name) -
                                    panel.features.begin());
  };
  std::vector<std::string> names;
  for (const auto& feature : panels.back().features) {
    const bool shared = std::ranges::all_of(
        panels, [&](const GradientPanel& panel) { return place(panel, feature.name) < panel.features.size(); });
    if (shared) names.push_back(feature.name);
  }
  for (auto& panel : panels) {
    GradientPanel kept{panel.title, {}};
    for (const auto& name : names) {
      kept.features.push_back(panel.features[place(panel, name)]);
      kept.means.push_back(panel.means[place(panel, name)]);
    }
    panel = std::move(kept);
  }
}

Page page_of(const std::string& svg, const Table& table, const std::string& axis) {
  Page page;
  page.title = "Input gradients, restarts and LIT – perpend";
  page.kicker = "perpend reproduce figure-gradients · " + table.source;
  page.headline = "What two networks look at: by restarts at the top, by LIT at the bottom";
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
            "stand in. LIT's cos² is over all columns: members may be independent by others than those drawn. Grey is "
            "the "
            "mean of the members' gradients: what the ensemble looks at.",
            "The paper shows age, bun, weight, urine and creatinine of an ICU table that cannot be passed on; so does "
            "this of a table that perpend data make icu wrote, given with --data and --target. Of other tables the "
            "columns of largest share are drawn."},
       .blocks = {
           Drawing{"figure-gradients", "Input gradients of two members, by method",
                   "Horizontal: columns. Vertical: input gradient. The middle 99 % of rows; the line is the median.",
                   "Violins of input gradients per column and member, a panel per method.", svg}}}};
  return page;
}

}  // namespace

void reproduce_figure_gradients(const ReproduceArguments& arguments) {
  make_output_folder(arguments.folder);
  const app::InterruptsWait wait;
  const std::string source = arguments.data.empty() ? "builtin:shortcut" : arguments.data;
  const Table table = read_source(source, app::data_folder(arguments.data_dir).string());
  app::print("Two networks by each method on {}.\n\n{:<16} {:>8} {:>16}\n", printable(table.source), "", "test AUC",
             "gradients' cos^2");
  std::vector<GradientPanel> panels;
  bool named = false;
  for (const Way& way : kWays) {
    if (arguments.quick && way.method != Method::restarts && way.method != Method::lit) continue;
    panels.push_back(train_and_view(table, arguments, way, named));
  }
  if (!named) keep_shared(panels);
  const std::string axis = "the input gradient of the log-odds";
  const std::string svg = gradient_figure_svg(panels);
  write_figure(arguments.folder, "figure-gradients", svg, page_of(svg, table, axis));
}

}  // namespace perpend::paper
