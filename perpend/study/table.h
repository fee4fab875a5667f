// Makes a study's table from its folder: for every split, data set and method, the mean and sd over restarts of what
// validation chose. Where a publication printed such figures (printed.h), they stand beside ours.
//
// A restart counts in an entry only once all trials of its grid are finished. With half a grid, validation would choose
// among fewer candidates for some methods than for others. So the table of a running sweep is right as far as it goes:
// later results add restarts and change none.
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
  std::size_t restarts = 0;               // those whose trials are all finished, which are averaged
  MethodSummary ours;                     // over these; best: by test AUC
  const PrintedEntry* printed = nullptr;  // nullptr: there is none
};

struct StudyTable {
  std::vector<std::string> datasets;  // names, each once
  std::size_t restarts = 0;           // that the study asks for
  std::size_t trials = 0, in = 0, diverged = 0;
  std::vector<TableEntry> entries;          // by split, data set, method: all those of the study, in its order
  const PrintedFigures* printed = nullptr;  // shown beside ours; nullptr: nothing
};

// The table refers to `printed`, which must outlive it.
StudyTable table_of(const StudyFolder& folder, const PrintedFigures* printed = nullptr);

// Returns the results of one data set in the restarts whose grid is complete, which make its entries.
std::vector<TrialResult> complete_results(const StudyFolder& folder, std::size_t dataset);

// Returns the names of data sets in tables: a file without its folder where no other source is called so, else the
// source. The target follows where a source occurs twice.
std::vector<std::string> dataset_names(const Study& study);

// One number of an entry.
struct TableFigure {
  std::string_view metric;  // auc, rho_av, grad_cos2
  Summary ours;
  bool best = false;  // auc only
  PrintedFigure printed;
  Difference difference = Difference::absent;  // absent also where the printed figure is of other data
};
std::array<TableFigure, 3> figures_of(const StudyTable& table, const TableEntry& entry);

// How many figures of a table can be compared with the printed ones, and how many of those differ.
struct PrintedComparison {
  std::size_t compared = 0, differ = 0, unknown = 0;
};
PrintedComparison compare_with_printed(const StudyTable& table);

}  // namespace perpend
