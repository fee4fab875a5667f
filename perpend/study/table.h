// The paper's Table 1 or 2 from a study's folder: for every split, data set and method the mean and sd over restarts of
// what validation chose, beside what the paper printed.
//
// A restart counts in an entry once all trials of its grid there are in, and not before: with half a grid, validation
// would choose among fewer candidates for some methods than for others. So a table of a sweep that still runs is right
// as far as it goes: later results add restarts to it and change none that it has.
//
// Ours differs from the paper's when they are further apart than chance and rounding explain:
//
//     |ours - paper| > 2 sqrt(se^2 + sd^2 / 10) + half a unit of the paper's last digit
//
// se is the standard error of our mean, sd the paper's (0 where it prints none), 10 its restarts. Of some hundred
// figures a few differ by chance alone; of two implementations whose numbers agree in full, none.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/study/paper_table1.h"
#include "perpend/study/select.h"
#include "perpend/study/study_folder.h"

namespace perpend {

// What the table says of one method on one data set and split.
struct TableEntry {
  SplitKind split = SplitKind::random;
  std::size_t dataset = 0;            // in StudyTable::datasets
  std::size_t restarts = 0;           // whose trials are all in: those that are averaged
  MethodSummary ours;                 // of them; best: by test AUC, the paper's bold
  const PaperEntry* paper = nullptr;  // nullptr: the paper has no such entry
};

struct StudyTable {
  std::vector<std::string> datasets;  // names, each once
  std::size_t restarts = 0;           // that the study asks for
  std::size_t trials = 0, in = 0, diverged = 0;
  std::vector<TableEntry> entries;  // by split, data set, method: all of the study, in its order
};

StudyTable table_of(const StudyFolder& folder);

// The results of one data set in the restarts whose grid is complete: what its entries are of.
std::vector<TrialResult> complete_results(const StudyFolder& folder, std::size_t dataset);

// The data sets as tables name them: the source, with the target where a source occurs twice.
std::vector<std::string> dataset_names(const Study& study);

enum class Difference {
  none,     // explained by chance and rounding
  differs,  // by the rule above
  unknown,  // ours is of one restart: its error is not known
  absent,   // one of the two figures is missing, or they are of other data
};

// One number of an entry.
struct TableFigure {
  std::string_view metric;  // auc, rho_av, grad_cos2
  Summary ours;
  PaperFigure paper;
  bool best = false;      // auc only
  bool same_data = true;  // as the paper's

  Difference difference() const;
};
std::array<TableFigure, 3> figures_of(const TableEntry& entry);

// How many figures of a table can be compared with the paper's, and how many of those differ.
struct PaperComparison {
  std::size_t compared = 0, differ = 0, unknown = 0;
};
PaperComparison against_paper(const StudyTable& table);

}  // namespace perpend
