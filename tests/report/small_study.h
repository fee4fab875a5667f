// The view of a small study whose names are hostile.
#pragma once

#include <optional>

#include "perpend/records/study_view.h"
#include "tests/report/hostile.h"

namespace perpend::test {

inline Spread spread(double mean, double sd) { return {.count = 3, .mean = mean, .sd = sd}; }

inline StudyCell cell(std::size_t method, int members, std::optional<double> lambda, double auc) {
  StudyCell made;
  made.method = method;
  made.members = members;
  made.lambda = lambda;
  made.in = 3;
  made.auc = made.member_auc = made.member_accuracy = spread(auc, 0.01);
  made.rho_av = made.q_av = spread(0.5, 0.1);
  made.grad_cos2 = spread(0.25, 0.1);
  return made;
}

inline StudyEntry entry(std::size_t method, double auc, bool best) {
  StudyEntry made;
  made.method = method;
  made.restarts = 3;
  made.best = best;
  made.members = 5;
  made.auc = {.ours = spread(auc, 0.01), .printed_mean = ".87", .printed_sd = ".02", .differs = true};
  return made;
}

inline StudyView small_view() {
  StudyView view;
  view.name = kHostile;
  view.methods = {"Restarts", "LIT"};
  view.styles = {{"Restarts", "var(--m7)", "#6b6f76", "7 4", "circle"}, {"LIT", "var(--m3)", "#00855f", "", "circle"}};
  view.places = {{kHostile, "extrapolation", 12, 12}};
  view.datasets = view.splits = 1;
  view.restarts = 3;
  view.members = {2, 5};
  view.trials = view.in = 12;
  view.cells = {cell(0, 2, {}, 0.8), cell(0, 5, {}, 0.81), cell(1, 2, 0.1, 0.9), cell(1, 2, 1, 1.0 / 3),
                cell(1, 5, 0.1, 0.9)};
  view.sizes = {{0, 0, 2, spread(0.8, 0.1), spread(0.7, 0.1)}, {0, 1, 2, spread(0.9, 0.1), spread(0.8, 0.1)}};
  view.entries = {entry(0, 0.8, false), entry(1, 0.9, true)};
  view.leaders = {{.place = 0, .method = 1, .second = 0, .margin = 0.1, .standard_error = 0.01, .is_clear = true}};
  view.best = {{.place = 0,
                .method = 1,
                .members = 2,
                .lambda = 0.1,
                .restart = 2,
                .validation_auc = 0.95,
                .auc = 0.9,
                .rho_av = {},
                .grad_cos2 = {}}};
  view.methods_time = {{"Restarts", 2, 7, 30}, {"LIT", 3, 9, 90}};
  view.processes_time = {{kHostile, 5, 16, 120}, {"b.jsonl", 1, 1, 1}};
  view.printed_name = "paper";
  view.markers = {{0, 0.5, 0.25, 0.75}, {0, 0.5, 0.25, 0.75}, {1, 0.0, 0.5, {}}};
  view.settings = {{"hidden", kHostile}};
  return view;
}

}  // namespace perpend::test
