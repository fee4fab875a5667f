// Logistic regression: the baseline of an ensemble. It sees what the members see and has no hidden layer, so an
// ensemble that is no better has learnt no more than a line.
//
// Columns are standardised inside: z_f = (x_f - mean_f) / sd_f over the given rows, with their weights. With two
// classes the score of a row is s = b + w . z, the log-odds of the second class. With K > 2 each class has one such
// score, and softmax turns them into probabilities. The weights and biases minimise
//
//     sum over rows of weight (-log P(label))  +  1 / (2 C) |w|^2,        C = 1,
//
// Biases are not penalised. LogisticRegression of scikit-learn does the same by default behind a StandardScaler. A
// column that is the same in every row gets weight 0.
//
// Newton's method finds the minimum. Conjugate gradients solve for its step, so neither time nor memory grows with the
// square of the columns. The step is halved until it gains enough. The objective is strictly convex in w, so there is
// one minimum. The number of passes over the rows is limited, and the point reached by then is the result.
//
// Linear regression is the same with the squared error in place of the loss: s = b + w . z predicts the target, and
// Newton's first exact step is the minimum. That is a ridge regression. For another loss than the squared error
// (base/quantity.h), the bias is then moved so that the right share of the training rows lies below.
//
// Where columns have a direction (two classes, or a linear regression), the minimum is the one among weights of the
// right sign: w_f >= 0 for an increasing column, w_f <= 0 for a decreasing one. Projected Newton steps find it exactly
// (Bertsekas 1982): a weight that is 0 and would leave its side stays there, the others take Newton's step, and the
// path of the step is bent along the bounds. The bounded problem is convex too, so there is one minimum.
//
// The bits are the same on every machine (docs/contract.md), because all sums are in double, in a fixed order, and on
// one thread. Do not use it where there are so many rows that a pass is expensive: threads do not share a pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "perpend/base/direction.h"
#include "perpend/base/matrix.h"
#include "perpend/base/quantity.h"

namespace perpend {

struct LogisticRegression {
  std::size_t classes = 2;
  // (scores, features), for the columns as given, not standardised. There is one score for two classes, else K.
  Matrix<double, axis::Score, axis::Feature> weights;
  std::vector<double> bias;  // one per score
};

// labels: one per row, below `classes`. row_weights: one per row, at least 0; empty: every row counts once. directions:
// one per feature; empty: none has one.
LogisticRegression fit_logistic(InputsView inputs, std::span<const std::int32_t> labels, std::size_t classes,
                                std::span<const float> row_weights = {}, std::span<const Direction> directions = {});

// (rows, classes).
Matrix<float, axis::Row, axis::Out> class_probabilities(const LogisticRegression& model, InputsView inputs);

struct LinearRegression {
  std::vector<double> weights;  // one per column, for the column as given
  double bias = 0;
};

// targets: one per row.
LinearRegression fit_linear(InputsView inputs, std::span<const float> targets, const RegressionLoss& loss,
                            std::span<const float> row_weights = {}, std::span<const Direction> directions = {});

std::vector<double> predictions(const LinearRegression& model, InputsView inputs);

}  // namespace perpend
