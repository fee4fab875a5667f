#include "perpend/study/view_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "perpend/run/option_table.h"
#include "perpend/study/best_so_far.h"
#include "perpend/study/table.h"

namespace perpend {

namespace {

// Finds the index in a view of what a study calls by value.
struct Places {
  explicit Places(const StudyFolder& folder) : study(folder.study) {}

  std::size_t of(std::size_t dataset, SplitKind split) const {
    const auto at = std::ranges::find(study.splits, split) - study.splits.begin();
    return static_cast<std::size_t>(at) * study.datasets.size() + dataset;
  }
  std::size_t of(Method method) const {
    return static_cast<std::size_t>(std::ranges::find(study.methods, method) - study.methods.begin());
  }

  const Study& study;
};

Spread spread_of(std::span<const Metric> values) {
  const Summary summary = summarize(values);
  return {.count = summary.count, .mean = summary.mean, .sd = summary.sd};
}
Spread spread_of(const Summary& summary) { return {.count = summary.count, .mean = summary.mean, .sd = summary.sd}; }

using Results = std::vector<const TrialResult*>;

template <class Key>
Spread spread_by(const Results& results, Key key) {
  std::vector<Metric> values;
  for (const auto* result : results) values.push_back(key(result->test));
  return spread_of(values);
}

// The mean over the members that have the score.
Metric mean_over_members(const Evaluation& test, Metric Scores::*score) {
  std::vector<Metric> values;
  for (const auto& member : test.members) values.push_back(member.*score);
  return summarize(values).mean;
}

// Keys come in the order of the study's grid, whose lambdas may have any order.
using CellKey = std::tuple<std::size_t, std::size_t, int, std::optional<double>>;

std::vector<StudyCell> cells_of(const StudyFolder& folder, const Places& places) {
  std::map<CellKey, std::pair<Results, std::size_t>> groups;  // finished, and how many diverged
  for (const auto& stored : folder.results) {
    const Trial& trial = stored.result.trial;
    auto& [finished, diverged] = groups[{places.of(folder.trials[stored.trial].dataset, trial.split),
                                         places.of(trial.method), trial.members, trial.lambda}];
    if (stored.result.status == TrialStatus::ok) {
      finished.push_back(&stored.result);
    } else {
      ++diverged;
    }
  }
  std::vector<StudyCell> cells;
  for (const auto& [key, group] : groups) {
    const auto& [results, diverged] = group;
    StudyCell cell;
    std::tie(cell.place, cell.method, cell.members, cell.lambda) = key;
    cell.in = results.size() + diverged;
    cell.diverged = diverged;
    cell.auc = spread_by(results, [](const Evaluation& e) { return e.merit(); });
    cell.rho_av = spread_by(results, [](const Evaluation& e) { return e.rho_av; });
    cell.q_av = spread_by(results, [](const Evaluation& e) { return e.q_av; });
    cell.grad_cos2 = spread_by(results, [](const Evaluation& e) { return e.grad_cos2; });
    cell.member_auc = spread_by(
        results, [](const Evaluation& e) { return mean_over_members(e, e.regression ? &Scores::r2 : &Scores::auc); });
    cell.member_accuracy =
        spread_by(results, [](const Evaluation& e) { return mean_over_members(e, &Scores::accuracy); });
    cells.push_back(cell);
  }
  return cells;
}

// Chooses lambda for each M alone, among restarts whose trials of that M are all finished.
std::vector<StudySize> sizes_of(const StudyFolder& folder, const Places& places) {
  std::map<std::tuple<std::size_t, std::size_t, int>, std::map<int, std::size_t>> missing;  // of each restart
  std::map<std::tuple<std::size_t, std::size_t, int>, std::vector<TrialResult>> groups;
  const auto key_of = [&](const StudyTrial& trial) {
    return std::tuple(places.of(trial.dataset, trial.trial.split), places.of(trial.trial.method), trial.trial.members);
  };
  for (const auto& trial : folder.trials) ++missing[key_of(trial)][trial.trial.restart];
  for (const auto& stored : folder.results) {
    const auto key = key_of(folder.trials[stored.trial]);
    --missing[key][stored.result.trial.restart];
    groups[key].push_back(stored.result);
  }
  std::vector<StudySize> sizes;
  for (auto& [key, results] : groups) {
    auto& missing_here = missing[key];
    std::erase_if(results, [&](const TrialResult& result) { return missing_here[result.trial.restart] > 0; });
    const auto selected = select_by_validation(results);
    Results chosen;
    for (const auto& result : selected) {
      if (result.status == TrialStatus::ok) chosen.push_back(&result);
    }
    if (chosen.empty()) continue;
    StudySize size;
    std::tie(size.place, size.method, size.members) = key;
    size.auc = spread_by(chosen, [](const Evaluation& e) { return e.merit(); });
    size.accuracy = spread_by(chosen, [](const Evaluation& e) { return e.accuracy; });
    sizes.push_back(size);
  }
  return sizes;
}

StudyFigure figure_of(const TableFigure& figure) {
  return {.ours = spread_of(figure.ours),
          .printed_mean = std::string(figure.printed.mean_text),
          .printed_sd = std::string(figure.printed.sd_text),
          .differs = figure.difference == Difference::differs};
}

void add_table(const StudyTable& table, const Places& places, StudyView& view) {
  for (const auto& entry : table.entries) {
    const auto figures = figures_of(table, entry);
    view.entries.push_back({.place = places.of(entry.dataset, entry.split),
                            .method = places.of(entry.ours.method),
                            .restarts = entry.restarts,
                            .best = entry.ours.best,
                            .members = entry.ours.members,
                            .lambda = entry.ours.lambda,
                            .auc = figure_of(figures[0]),
                            .rho_av = figure_of(figures[1]),
                            .grad_cos2 = figure_of(figures[2])});
    if (entry.printed != nullptr && !entry.printed->same_data) view.printed_of_other_data = table.printed->other_data;
  }
  if (table.printed != nullptr) view.printed_name = table.printed->name;
  const PrintedComparison compared = compare_with_printed(table);
  view.compared = compared.compared;
  view.differ = compared.differ;
}

void add_leaders(const StudyFolder& folder, const Places& places, StudyView& view) {
  for (std::size_t d = 0; d < folder.study.datasets.size(); ++d) {
    const auto selected = select_by_validation(complete_results(folder, d));
    for (const auto& split : summarize_splits(selected)) {
      const auto judged = std::ranges::count_if(split.methods, [](const auto& m) { return m.auc.mean.has_value(); });
      if (judged < 2 || static_cast<std::size_t>(judged) < folder.study.methods.size()) continue;
      view.leaders.push_back({.place = places.of(d, split.split),
                              .method = places.of(*split.winner),
                              .second = places.of(split.over_second->over),
                              .margin = split.over_second->difference.mean.value_or(0),
                              .standard_error = split.over_second->difference.standard_error,
                              .is_clear = split.over_second->more_than_noise()});
    }
  }
  std::ranges::sort(view.leaders, {}, &StudyLeader::place);
}

void add_times(const StudyFolder& folder, const Places& places, StudyView& view) {
  std::vector<StudyTime> methods;
  for (const auto& name : view.methods) methods.push_back({name});
  std::map<std::string, StudyTime> processes;
  for (const auto& stored : folder.results) {
    const Trial& trial = stored.result.trial;
    for (StudyTime* time : {&methods[places.of(trial.method)], &processes[stored.file]}) {
      ++time->trials;
      time->networks += static_cast<std::size_t>(trial.members);
      time->seconds += stored.seconds;
    }
  }
  std::erase_if(methods, [](const StudyTime& time) { return time.trials == 0; });
  view.methods_time = std::move(methods);
  for (auto& [name, time] : processes) {
    time.who = name;
    view.processes_time.push_back(std::move(time));
  }
}

template <class Values>
std::string joined(const Values& values) {
  return fmt::format("{}", fmt::join(values, ", "));
}

std::vector<NamedValue> settings_of(const Study& study) {
  std::vector<NamedValue> settings = {{"restarts", std::to_string(study.restarts)},
                                      {"members", joined(study.grid.members)}};
  for (const auto& [method, values] : study.grid.lambdas) {
    if (std::ranges::find(study.methods, method) == study.methods.end()) continue;
    settings.push_back({"lambda of " + method_name(method), joined(values)});
  }
  if (study.row_visits) settings.push_back({"row visits of each member", std::to_string(*study.row_visits)});
  settings.push_back({"encoding", study.published ? "published, for the paper's public sets" : "of the training rows"});
  static const RunOptions defaults;
  for (const auto& option : option_table()) {
    const std::string value = option.json(study.options);
    if (value != option.json(defaults)) settings.push_back({option.name, value});
  }
  return settings;
}

}  // namespace

std::string method_name(Method method) { return std::string(method_info(method).style.name); }

StudyView view_study(const StudyFolder& folder, const std::string& name, const PrintedFigures* printed) {
  const Study& study = folder.study;
  const Places places(folder);
  StudyView view;
  view.name = name;
  view.datasets = study.datasets.size();
  view.splits = study.splits.size();
  view.restarts = static_cast<std::size_t>(study.restarts);
  view.members = study.grid.members;
  std::ranges::sort(view.members);
  view.trials = folder.trials.size();
  view.in = folder.results.size();
  view.diverged = folder.diverged();
  view.damaged = folder.damaged;
  for (const auto method : study.methods) {
    view.methods.push_back(method_name(method));
    view.styles.push_back(method_info(method).style);
  }
  for (const auto split : study.splits) {
    for (const auto& dataset : dataset_names(study)) view.places.push_back({dataset, name_of(split), 0, 0});
  }
  for (const auto& trial : folder.trials) ++view.places[places.of(trial.dataset, trial.trial.split)].trials;
  for (const auto& stored : folder.results) {
    const Trial& trial = stored.result.trial;
    ++view.places[places.of(folder.trials[stored.trial].dataset, trial.split)].in;
    const Evaluation& test = stored.result.test;
    view.markers.push_back({places.of(trial.method), test.grad_cos2, test.rho_av, test.q_av, test.kappa});
  }
  view.cells = cells_of(folder, places);
  view.sizes = sizes_of(folder, places);
  add_table(table_of(folder, printed), places, view);
  add_leaders(folder, places, view);
  for (const std::size_t i : best_so_far(folder)) {
    const TrialResult& best = folder.results[i].result;
    view.best.push_back({.place = places.of(folder.trials[folder.results[i].trial].dataset, best.trial.split),
                         .method = places.of(best.trial.method),
                         .members = best.trial.members,
                         .lambda = best.trial.lambda,
                         .restart = best.trial.restart,
                         .validation_auc = best.validation_merit,
                         .auc = best.test.merit(),
                         .rho_av = best.test.rho_av,
                         .grad_cos2 = best.test.grad_cos2});
  }
  std::ranges::sort(view.best, {}, &StudyBest::place);
  add_times(folder, places, view);
  view.settings = settings_of(study);
  return view;
}

}  // namespace perpend
