// What an ensemble has to beat: one logistic regression on the same training rows (train/logistic.h), or linear
// regression where the target is a number, and an answer that is the same for every row.
#pragma once

#include "perpend/base/matrix.h"
#include "perpend/base/parallel.h"
#include "perpend/records/run_summary.h"
#include "perpend/run/run.h"

namespace perpend {

// The probabilities that each baseline gives to the rows of a part, (rows, classes), when it has learned from `train`.
// The majority class is told with the probability that it has: each class gets its share of the training rows' weight.
Matrix<double, axis::Row, axis::Out> logistic_answers(const Dataset& train, const Dataset& part);
Matrix<double, axis::Row, axis::Out> majority_answers(const Dataset& train, const Dataset& part);

// The same of a regression, predictions in the target's units: one linear regression, and the constant that costs least
// on the training rows (their mean, median or quantile).
std::vector<double> linear_answers(const Dataset& train, const Dataset& part);
std::vector<double> constant_answers(const Dataset& train, const Dataset& part);

// Whether a training is measured beside them. The published recipe is not, so that its model files stay the bytes that
// they were; what tells it from every other training are its fixed batches.
bool wants_baselines(const TrainOptions& options);

// The rows that speak for an ensemble: test rows, else validation rows, else training rows.
const Dataset& judged_part(const Prepared& data);

// Both baselines and the ensemble on the rows that speak for it: test rows, else validation rows, else training rows.
Baselines measure_baselines(const Prepared& data, const TrainResult& trained, const Threads& threads);

// Per row, what its label costs the ensemble (model/decision.h), or in a regression its target (model/regression.h).
std::vector<double> ensemble_losses(const TrainResult& trained, const Dataset& part, const Threads& threads);

// The mean of numbers, one per row, and its standard error; by weights where there are some. At least one number.
struct MeanOverRows {
  double mean = 0;
  double standard_error = 0;
};
MeanOverRows mean_over_rows(const std::vector<double>& values, std::span<const float> weights = {});

}  // namespace perpend
