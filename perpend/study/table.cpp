#include "perpend/study/table.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace perpend {

namespace {

using Place = std::tuple<SplitKind, Method, int>;  // and restart

Place place_of(const Trial& trial) { return {trial.split, trial.method, trial.restart}; }

}  // namespace

std::vector<TrialResult> complete_results(const StudyFolder& folder, std::size_t dataset) {
  std::map<Place, std::size_t> missing;
  for (const auto& trial : folder.trials) {
    if (trial.dataset == dataset) ++missing[place_of(trial.trial)];
  }
  const auto of_dataset = [&](const StudyResult& r) { return folder.trials[r.trial].dataset == dataset; };
  for (const auto& result : folder.results) {
    if (of_dataset(result)) --missing[place_of(result.result.trial)];
  }
  std::vector<TrialResult> complete;
  for (const auto& result : folder.results) {
    if (of_dataset(result) && missing[place_of(result.result.trial)] == 0) complete.push_back(result.result);
  }
  return complete;
}

namespace {

// Returns the entries of one data set, in arbitrary order.
std::vector<TableEntry> entries_of(const StudyFolder& folder, std::size_t dataset) {
  const auto selected = select_by_validation(complete_results(folder, dataset));
  std::vector<TableEntry> entries;
  for (const auto& split : summarize_splits(selected)) {
    for (const auto& method : split.methods) {
      const auto restarts = std::ranges::count_if(selected, [&](const TrialResult& result) {
        return result.trial.split == split.split && result.trial.method == method.method;
      });
      entries.push_back({.split = split.split,
                         .dataset = dataset,
                         .restarts = static_cast<std::size_t>(restarts),
                         .ours = method,
                         .printed = nullptr});
    }
  }
  return entries;
}

TableEntry entry_of(const std::vector<TableEntry>& entries, SplitKind split, std::size_t dataset, Method method) {
  const auto found = std::ranges::find_if(
      entries, [&](const TableEntry& entry) { return entry.split == split && entry.ours.method == method; });
  if (found != entries.end()) return *found;
  TableEntry empty;
  empty.split = split;
  empty.dataset = dataset;
  empty.ours.method = method;
  return empty;
}

}  // namespace

std::vector<std::string> dataset_names(const Study& study) {
  const auto file_name = [](const std::string& source) {
    const bool is_one_file = source.find(',') == source.npos;
    return is_one_file ? source.substr(source.rfind('/') + 1) : source;
  };
  const auto shares_its_file_name = [&](const std::string& source) {
    return std::ranges::any_of(study.datasets, [&](const StudyDataset& other) {
      return other.source != source && file_name(other.source) == file_name(source);
    });
  };
  std::vector<std::string> names;
  for (const auto& dataset : study.datasets) {
    const auto twice = std::ranges::count(study.datasets, dataset.source, &StudyDataset::source) > 1;
    const std::string name = shares_its_file_name(dataset.source) ? dataset.source : file_name(dataset.source);
    names.push_back(twice ? name + ":" + dataset.target : name);
  }
  return names;
}

StudyTable table_of(const StudyFolder& folder, const PrintedFigures* printed) {
  const Study& study = folder.study;
  StudyTable table;
  table.printed = printed;
  table.datasets = dataset_names(study);
  table.restarts = static_cast<std::size_t>(study.restarts);
  table.trials = folder.trials.size();
  table.in = folder.results.size();
  table.diverged = folder.diverged();
  std::vector<std::vector<TableEntry>> found;
  for (std::size_t d = 0; d < study.datasets.size(); ++d) found.push_back(entries_of(folder, d));
  for (const auto split : study.splits) {
    for (std::size_t d = 0; d < study.datasets.size(); ++d) {
      for (const auto method : study.methods) {
        table.entries.push_back(entry_of(found[d], split, d, method));
        if (printed != nullptr) table.entries.back().printed = printed->find(study.datasets[d], split, method);
      }
    }
  }
  return table;
}

std::array<TableFigure, 3> figures_of(const StudyTable& table, const TableEntry& entry) {
  std::array<TableFigure, 3> figures = {
      {{.metric = "auc", .ours = entry.ours.auc, .best = entry.ours.best, .printed = {}},
       {.metric = "rho_av", .ours = entry.ours.rho_av, .printed = {}},
       {.metric = "grad_cos2", .ours = entry.ours.grad_cos2, .printed = {}}}};
  if (entry.printed == nullptr) return figures;
  const PrintedEntry& printed = *entry.printed;
  const std::array texts = {printed.auc, printed.rho_av, printed.grad_cos2};
  for (std::size_t f = 0; f < figures.size(); ++f) {
    figures[f].printed = texts[f];
    if (printed.same_data) figures[f].difference = difference_of(figures[f].ours, texts[f], table.printed->restarts);
  }
  return figures;
}

PrintedComparison compare_with_printed(const StudyTable& table) {
  PrintedComparison comparison;
  for (const auto& entry : table.entries) {
    for (const auto& figure : figures_of(table, entry)) {
      const Difference difference = figure.difference;
      comparison.compared += difference == Difference::none || difference == Difference::differs ? 1 : 0;
      comparison.differ += difference == Difference::differs ? 1 : 0;
      comparison.unknown += difference == Difference::unknown ? 1 : 0;
    }
  }
  return comparison;
}

}  // namespace perpend
