// How independent models are of one another, whoever trained them: what `perpend diversity` and Python's
// perpend.metrics.local_independence say.
//
// A model is a function from rows to one score each:
//
//     const perpend::ScoreFunction first = [](perpend::PlainRows rows) { ... };   // its log-odds of each row
//     const auto found = perpend::local_independence({first, second}, rows);
//     found.gradients.cos2.value()    // 0: locally independent; 1: copies of one explanation
//
// Its input gradient is measured by central differences. For a column with standard deviation s in these rows, and a
// step of h standard deviations:
//
//     g = (score(x + h s) - score(x - h s)) / (2 h)       per standard deviation; 0 for a constant column
//
// For smooth models h hardly matters. Trees are constant between their thresholds, so h decides which thresholds are
// seen. GradientDiversity::flat says in what share of the rows a model did not move at all. Such a row counts as 0 in
// cos^2, so take a longer step until `flat` is small.
//
// With two classes a score is the log-odds of the second class. With more it is the log-odds of the class that the
// model predicts at the row against the rest, and the step must not change which class that is.
//
// Where you have exact gradients, give them instead; they are taken as they are.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perpend/api/model.h"
#include "perpend/base/matrix.h"
#include "perpend/data/encode.h"
#include "perpend/data/table.h"
#include "perpend/evaluate/diversity.h"

namespace perpend {

using PlainRows = MatrixView<const double, axis::Row, axis::Feature>;
using ScoreFunction = std::function<std::vector<double>(PlainRows)>;

constexpr double kDifferenceStep = 0.1;

struct IndependenceOptions {
  std::vector<double> steps = {kDifferenceStep};  // in standard deviations: one for all columns, or one per column
  std::vector<ErrorFlags> errors = {};            // per model: 1 for each row that it answers wrongly; may be empty
};

struct LocalIndependence {
  GradientDiversity gradients;
  std::optional<Diversity> errors;  // where they are known
};

// At least two models, all of the same rows. Throws DataError where models, gradients and errors do not fit together,
// where a cell or a score is not a finite number, and ConfigError for a step that is not above 0.
LocalIndependence local_independence(const std::vector<ScoreFunction>& models, PlainRows rows,
                                     const IndependenceOptions& options = {});

// From gradients, (rows, columns) of each model, and from errors. One of the two may be empty.
LocalIndependence local_independence(std::span<const InputsView> gradients, const std::vector<ErrorFlags>& errors = {});

// The errors of models of which only the answers are known: a table with one column of answers per model, beside the
// column `target` of right answers. An answer is the class that the model predicts, written as in `target`.
struct AnsweredErrors {
  std::vector<std::string> models;  // the names of their columns
  std::vector<ErrorFlags> errors;
};

// Throws DataError for a missing cell, for a number between 0 and 1 that is no class of `target` (a probability), and
// for a column without any class of `target`: each such answer would count as an error of the model.
AnsweredErrors errors_of_answers(const Table& table, const std::string& target);

// Of the members of a trained model, by their exact gradients. Where the table has labels, `errors` has the means of
// rho, q and kappa that evaluate() gives, and nothing else; of a regression it has the mean of rho alone. report: what
// encoding met. Throws DataError for a model with fewer than two members that have gradients.
LocalIndependence local_independence(const TrainedModel& model, const Table& table, int threads = 0,
                                     EncodeReport* report = nullptr);

// The input gradients of one model by central differences, (rows, columns). The function is called twice per column.
Inputs difference_gradients(const ScoreFunction& model, PlainRows rows,
                            std::span<const double> steps = std::span(&kDifferenceStep, 1));

// One JSON object: what GradientDiversity has (metrics.h), and `errors`, null where they are not known.
std::string to_json(const LocalIndependence& found);

}  // namespace perpend
