// A study's table from its folder: for every split, data set and method the mean and sd over restarts of what
// validation chose and, where a publication printed such figures (printed.h), those beside ours.
//
// A restart counts in an entry once all trials of its grid there are in, and not before: with half a grid, validation
// would choose among fewer candidates for some methods than for others. So a table of a sweep that still runs is right
// as far as it goes: later results add restarts to it and change none that it has.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/study/printed.h"
#include "perpend/study/select.h"
#include "perpend/study/study_folder.h"

namespace perpend {

// What the table says of one method on one data set and split.
struct TableEntry {
  SplitKind split = SplitKind::random;
  std::size_t dataset = 0;                // in StudyTable::datasets
  std::size_t restarts = 0;               // whose trials are all in: those that are averaged
  MethodSummary ours;                     // of them; best: by test AUC
  const PrintedEntry* printed = nullptr;  // nullptr: there is none
};

struct StudyTable {
  std::vector<std::string> datasets;  // names, each once
  std::size_t restarts = 0;           // that the study asks for
  std::size_t trials = 0, in = 0, diverged = 0;
  std::vector<TableEntry> entries;          // by split, data set, method: all of the study, in its order
  const PrintedFigures* printed = nullptr;  // what stands beside ours; nullptr: nothing
};

// The table refers to `printed`, which must outlive it.
StudyTable table_of(const StudyFolder& folder, const PrintedFigures* printed = nullptr);

// The results of one data set in the restarts whose grid is complete: what its entries are of.
std::vector<TrialResult> complete_results(const StudyFolder& folder, std::size_t dataset);

// The data sets as tables name them: the source, with the target where a source occurs twice.
std::vector<std::string> dataset_names(const Study& study);

// One number of an entry.
struct TableFigure {
  std::string_view metric;  // auc, rho_av, grad_cos2
  Summary ours;
  bool best = false;  // auc only
  PrintedFigure printed;
  Difference difference = Difference::absent;  // absent where the printed figure is of other data, too
};
std::array<TableFigure, 3> figures_of(const StudyTable& table, const TableEntry& entry);

// How many figures of a table can be compared with the printed ones, and how many of those differ.
struct PrintedComparison {
  std::size_t compared = 0, differ = 0, unknown = 0;
};
PrintedComparison compare_with_printed(const StudyTable& table);

}  // namespace perpend
