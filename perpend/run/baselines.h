// Baselines that an ensemble has to beat. One is a logistic regression on the same training rows (train/logistic.h), or
// a linear regression where the target is a number. The other gives the same answer to every row.
#pragma once

#include "perpend/base/matrix.h"
#include "perpend/base/parallel.h"
#include "perpend/records/run_summary.h"
#include "perpend/run/run.h"

namespace perpend {

// Each baseline learns from `train` and returns its probabilities for the rows of `part`, (rows, classes). The majority
// baseline gives each class its share of the training rows' weight.
Matrix<double, axis::Row, axis::Out> logistic_answers(const Dataset& train, const Dataset& part);
Matrix<double, axis::Row, axis::Out> majority_answers(const Dataset& train, const Dataset& part);

// The same for a regression, with predictions in the target's units. One is a linear regression. The other is the
// constant with the least loss on the training rows (their mean, median or quantile).
std::vector<double> linear_answers(const Dataset& train, const Dataset& part);
std::vector<double> constant_answers(const Dataset& train, const Dataset& part);

// Whether a training is compared with baselines. The published recipe is not, so that its model files keep their bytes.
// Its fixed batches tell it from every other training.
bool wants_baselines(const TrainOptions& options);

// Returns the rows that judge an ensemble: the test rows, or without them the validation rows, or else the training
// rows.
const Dataset& judged_part(const Prepared& data);

// Measures both baselines and the ensemble on judged_part.
Baselines measure_baselines(const Prepared& data, const TrainResult& trained, const Threads& threads);

// Returns the ensemble's loss per row: that of its label (model/decision.h), or in a regression of its target
// (model/regression.h).
std::vector<double> ensemble_losses(const TrainResult& trained, const Dataset& part, const Threads& threads);

// The mean of one number per row, and its standard error. It is weighted where there are weights. There must be at
// least one number.
struct MeanOverRows {
  double mean = 0;
  double standard_error = 0;
};
MeanOverRows mean_over_rows(const std::vector<double>& values, std::span<const float> weights = {});

}  // namespace perpend
