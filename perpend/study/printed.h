// Figures that a publication printed for an experiment like this study's, so that they can stand beside ours.
//
// Our figure differs from a printed one when the two are further apart than chance and rounding explain:
//
//     |ours - printed| > 2 sqrt(se^2 + sd^2 / R) + half a unit of the last printed digit
//
// se is the standard error of our mean. sd is the printed standard deviation (0 where none is printed) over the
// publication's R restarts. Among a hundred figures a few differ by chance alone. Two implementations whose numbers
// agree to the last digit differ nowhere.
//
// This module knows no publication: paper/printed.h has those of the paper.
#pragma once

#include <string>
#include <string_view>

#include "perpend/data/split.h"
#include "perpend/records/evaluation.h"
#include "perpend/study/select.h"
#include "perpend/study/study.h"

namespace perpend {

// A mean over restarts and its standard deviation, digit by digit as printed: ".95" and ".03", "1.0" and "", "" and "".
struct PrintedFigure {
  std::string_view mean_text, sd_text;

  Metric mean() const;
  Metric sd() const;
  // Half a unit of the last digit of the mean. Among figures of one digit (".9"), "1" and "0" mean 1.0 and .0.
  double half_unit() const;
};

// What is printed for one method on one data set and split.
struct PrintedEntry {
  PrintedFigure auc, rho_av, grad_cos2;
  bool best = false;      // in bold: mean +- standard error overlaps that of the best
  bool same_data = true;  // as ours; otherwise the figures are shown beside ours and not compared
};

// The tables of one publication.
struct PrintedFigures {
  std::string name;        // heading of its columns, "paper"
  int restarts = 1;        // how many restarts each of its means is over
  std::string other_data;  // which data its figures are of, where they are not ours: "its own cohort"
  std::size_t other_data_rows = 0;
  // Returns nullptr where it has no such entry.
  const PrintedEntry* (*find)(const StudyDataset& dataset, SplitKind split, Method method) = nullptr;
};

enum class Difference {
  none,     // explained by chance and rounding
  differs,  // by the rule above
  unknown,  // ours is of one restart, so its error is not known
  absent,   // one of the two figures is missing
};
Difference difference_of(const Summary& ours, const PrintedFigure& printed, int printed_restarts);

}  // namespace perpend
