// --epsilon of evaluate: independence at a distance (evaluate/finite.h).
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "apps/perpend/results.h"
#include "perpend/base/parallel.h"
#include "perpend/evaluate/finite.h"

namespace perpend::app {

struct FiniteArguments {
  std::vector<double> epsilons;
  std::string norm = "l2";
  int steps = 40;
  int starts = 1;
  int draws = 256;
  bool box = false;  // stay within each column's range in these rows
};

void add_finite_flags(CLI::App& verb, FiniteArguments& arguments);

struct FiniteResults {
  FiniteArguments arguments;
  Metric cos2, information;  // of input gradients, which all of it goes to as epsilon shrinks
  std::vector<FiniteIndependence> steps;
  std::vector<NoiseIndependence> noise;  // sigma = epsilon / sqrt(columns): noise about as long as the step
};

// One of each per epsilon; empty without any. Throws ConfigError for a model of more than two classes.
FiniteResults measure_finite(const FiniteArguments& arguments, const Ensemble& ensemble, InputsView rows,
                             const Threads& threads);

Json finite_json(const FiniteResults& results);
std::string finite_table(const FiniteResults& results);  // empty without epsilons

}  // namespace perpend::app
