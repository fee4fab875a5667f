// How good a model is on labelled rows, and how differently its members see them: what `perpend evaluate` prints.
//
//     const perpend::Evaluated found = perpend::evaluate(model, perpend::read_table("newer.csv"));
//     std::cout << found.metrics.auc.value() << ' ' << found.metrics.grad_cos2.value() << '\n';
//
// Independence at a distance asks more than gradients can say: how far does one member move where another has its
// largest score within epsilon of a row (evaluate/finite.h)?
//
//     perpend::evaluate(model, table, {.distance = {.epsilons = {0.1, 1}}}).distance->steps
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "perpend/api/model.h"
#include "perpend/data/encode.h"
#include "perpend/data/table.h"
#include "perpend/evaluate/diversity.h"
#include "perpend/records/evaluation.h"
#include "perpend/records/finite.h"

namespace perpend {

struct EvaluateOptions {
  // Also measure cos^2 along these directions, given in a form of manifold/manifold.h such as pca:3. Empty: along the
  // directions that the model keeps.
  std::string manifold = {};
  DistanceSettings distance = {};
  int threads = 0;  // 0: all
};

struct Evaluated {
  std::size_t rows = 0;
  Evaluation metrics;
  std::optional<DistanceIndependence> distance;  // where epsilons were given
  std::vector<std::string> warnings;             // about the table
  EncodeReport encoded;                          // what encoding met
  std::vector<std::string> notes;                // about the manifold
};

// Throws DataError when the table has no labels, and ConfigError when epsilons are given for more than two classes, or
// epsilons or a manifold for a model with views (measure.h).
Evaluated evaluate(const TrainedModel& model, const Table& table, const EvaluateOptions& options = {});

// How differently the members' scores change, on rows with or without labels. report: what encoding met.
GradientDiversity gradient_diversity(const TrainedModel& model, const Table& table, int threads = 0,
                                     EncodeReport* report = nullptr);

// Returns one JSON object: rows, metrics, unlike_training (predict.h) and, where it was measured, finite (independence
// at a distance).
std::string to_json(const Evaluated& found);

}  // namespace perpend
