// What a report of a study shows, as plain values. study/view_study.h makes it, and report/ draws it.
//
// A place is a data set under a split. Results are averaged over restarts, so that a view of many thousand trials is as
// large as its grid. Only `markers` has one entry per trial.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "perpend/records/evaluation.h"
#include "perpend/records/method_style.h"
#include "perpend/records/model_view.h"

namespace perpend {

// Values over restarts. sd divides by count - 1, and there is none for fewer than two values.
struct Spread {
  std::size_t count = 0;  // values that are defined
  Metric mean, sd;
};

struct StudyPlace {
  std::string dataset, split;
  std::size_t trials = 0, in = 0;
};

// The restarts of one (place, method, M, lambda). Some may be missing: `in` counts those with a result, and `diverged`
// those of them that diverged.
struct StudyCell {
  std::size_t place = 0, method = 0;
  int members = 0;
  std::optional<double> lambda;  // nothing for methods without one
  std::size_t in = 0, diverged = 0;
  Spread auc, rho_av, q_av, grad_cos2;  // of the ensemble, on test rows
  Spread member_auc, member_accuracy;   // means over members, then over restarts
};

// One (place, method, M). Each restart has the lambda with its best validation AUC, once all its lambdas are finished.
struct StudySize {
  std::size_t place = 0, method = 0;
  int members = 0;
  Spread auc, accuracy;
};

// A figure of the table, and the one that a publication printed (study/printed.h).
struct StudyFigure {
  Spread ours;
  std::string printed_mean, printed_sd;  // in its own digits; empty: it has none
  bool differs = false;                  // by more than chance and rounding explain
};
struct StudyEntry {
  std::size_t place = 0, method = 0;
  std::size_t restarts = 0;  // restarts whose grid is complete, which are averaged
  bool best = false;         // mean +- standard error overlaps that of the best AUC
  int members = 0;           // the (M, lambda) chosen most often
  std::optional<double> lambda;
  StudyFigure auc, rho_av, grad_cos2;
};

// The method with the highest mean test AUC, at a place where every method has a complete restart.
struct StudyLeader {
  std::size_t place = 0, method = 0, second = 0;
  double margin = 0;      // over the second, paired by restart
  Metric standard_error;  // of the margin; undefined for one restart
  bool is_clear = false;  // the margin's 95 % interval leaves out zero

  // A margin within its standard error is no lead.
  bool is_lead() const { return standard_error && margin > *standard_error; }
};

// The trial with the best validation AUC of a place.
struct StudyBest {
  std::size_t place = 0, method = 0;
  int members = 0;
  std::optional<double> lambda;
  int restart = 0;
  Metric validation_auc, auc, rho_av, grad_cos2;
};

struct StudyTime {
  std::string who;  // a method, or the file of a process that wrote results
  std::size_t trials = 0, networks = 0;
  double seconds = 0;
};

// One trial, for the paper's figure of similarity measures.
struct StudyMarker {
  std::size_t method = 0;
  Metric grad_cos2, rho_av, q_av, kappa = {};
};

struct StudyView {
  std::string name;                  // of the folder
  std::vector<std::string> methods;  // Restarts, Bagging, AdaBoost, NCL, ACE, LIT: those of the study
  std::vector<MethodStyle> styles;   // how each of them is drawn
  std::vector<StudyPlace> places;    // by split, then data set
  std::size_t datasets = 0, splits = 0, restarts = 0;
  std::vector<int> members;
  std::size_t trials = 0, in = 0, diverged = 0, damaged = 0;
  std::vector<StudyCell> cells;  // those with a result, by place, method, M, lambda
  std::vector<StudySize> sizes;  // those with a complete restart
  std::vector<StudyEntry> entries;
  std::vector<StudyLeader> leaders;
  std::vector<StudyBest> best;
  std::vector<StudyTime> methods_time, processes_time;
  std::vector<StudyMarker> markers;
  std::string printed_name;  // of the publication whose figures stand beside ours, "paper"; empty: none
  // How many figures of the table are compared with printed ones, and how many differ.
  std::size_t compared = 0, differ = 0;
  std::string printed_of_other_data;  // which data the printed figures are of; empty: the study's
  std::vector<NamedValue> settings;   // what all trials share
};

}  // namespace perpend
