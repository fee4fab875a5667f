// The paper's figures that need a study. It is run or resumed in the figure's folder, or a given study is drawn.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/perpend/study_folder_view.h"
#include "apps/perpend/sweep_run.h"
#include "apps/perpend/terminal.h"
#include "paper/correlations.h"
#include "paper/printed.h"
#include "paper/reproduce.h"
#include "paper/ridge.h"
#include "paper/study_figures.h"
#include "paper/table1.h"
#include "paper/table2.h"
#include "perpend/base/durable_file.h"
#include "perpend/base/message.h"

namespace perpend::paper {

namespace {

using Draw = StudyPicture (*)(const StudyView&);

void keep_datasets(Study& study, std::initializer_list<std::string_view> names) {
  std::erase_if(study.datasets,
                [&](const StudyDataset& dataset) { return std::ranges::find(names, dataset.source) == names.end(); });
}

// The study of the paper's figure about lambda: two networks, where training and test rows differ. On an ICU table it
// has 1,000 training rows, as in the paper.
Study lambda_study(const ReproduceArguments& arguments) {
  const bool icu = !arguments.data.empty();
  Study study = icu ? table2_study(arguments.data, arguments.quick) : table1_study(arguments.quick);
  study.splits = {icu ? SplitKind::limited : SplitKind::extrapolation};
  study.methods = {Method::restarts, Method::ncl, Method::ace, Method::lit};
  study.grid.members = {2};
  set_lambdas(study.grid, log_spaced(1e-4, 1e1, arguments.quick ? 11 : 16), false);
  if (arguments.quick && !icu) keep_datasets(study, {"ionosphere", "sonar", "electricity"});
  return study;
}

// All sizes, methods and lambdas: Table 1's own study, or with quick its short one on the two smallest sets.
Study sizes_study(const ReproduceArguments& arguments) {
  if (!arguments.data.empty()) {
    Study study = table2_study(arguments.data, arguments.quick);
    if (arguments.quick) study.grid.members = {2, 5, 13};
    return study;
  }
  Study study = table1_study(arguments.quick);
  if (arguments.quick) keep_datasets(study, {"ionosphere", "sonar"});
  return study;
}

void write_pictures(const ReproduceArguments& arguments, const std::string& figure, const std::string& from,
                    Draw draw) {
  const StudyView view = app::view_study_folder(from);
  if (draw == metrics_figure) {
    app::print("Correlation of the gradients' cos² with measures of errors, over {} of {} trials\n\n{}",
               thousands(view.in), thousands(view.trials), correlation_table(correlations(view)));
  }
  if (const auto found = ridges(view); draw == size_figure && !found.empty()) {
    app::print(
        "The lambda with the best mean test AUC, by ensemble size; in brackets, how many lambdas are as good within "
        "a standard error. slope: of log(lambda) over log(M). {} of {} trials\n\n{}",
        thousands(view.in), thousands(view.trials), ridge_table(view, found));
  }
  StudyPicture picture = draw(view);
  for (std::size_t i = 1; i < picture.pictures.size(); ++i) {
    const auto path = std::filesystem::path(arguments.folder) / (picture.pictures[i].name + ".svg");
    write_file_durably(path, picture.pictures[i].svg);
    app::print("\nPicture: {}", printable(path.string()));
  }
  write_figure(arguments.folder, figure, picture.pictures.front().svg, std::move(picture.page));
}

void reproduce(const ReproduceArguments& arguments, const std::string& figure, const std::string& study_name,
               Study (*study_of)(const ReproduceArguments&), Draw draw) {
  make_output_folder(arguments.folder);
  if (!arguments.study.empty()) return write_pictures(arguments, figure, arguments.study, draw);
  Study study = study_of(arguments);
  study.options.train.seed = arguments.seed;
  app::SweepArguments sweep;
  sweep.folder = (std::filesystem::path(arguments.folder) / (study_name + (arguments.quick ? "-quick" : ""))).string();
  sweep.printed = &printed_figures();
  sweep.data_dir = arguments.data_dir;
  sweep.threads = arguments.threads;
  sweep.again = words_again(figure, arguments);
  const std::string folder = sweep.folder;
  if (app::run_sweep(std::move(study), sweep)) write_pictures(arguments, figure, folder, draw);
}

}  // namespace

void reproduce_figure_lambda(const ReproduceArguments& arguments) {
  reproduce(arguments, "figure-lambda", "study-lambda", lambda_study, lambda_figure);
}

void reproduce_figure_size(const ReproduceArguments& arguments) {
  reproduce(arguments, "figure-size", "study-sizes", sizes_study, size_figure);
}

void reproduce_figure_metrics(const ReproduceArguments& arguments) {
  reproduce(arguments, "figure-metrics", "study-sizes", sizes_study, metrics_figure);
}

}  // namespace perpend::paper
