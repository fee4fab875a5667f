// Logistic regression: the yardstick that an ensemble is measured with. It sees what the members see and has no hidden
// layer, so an ensemble that is no better than it has learned nothing that a line does not say.
//
// Columns are standardised inside: z_f = (x_f - mean_f) / sd_f over the rows that are given, weighted as they are. With
// two classes the score of a row is s = b + w . z, the log-odds of the second class. With K > 2 there is one such score
// for each class, and softmax makes probabilities of them. The weights and biases minimise
//
//     sum over rows of weight (-log P(label))  +  1 / (2 C) |w|^2,        C = 1,
//
// where biases are not penalised. That is what LogisticRegression of scikit-learn does by default behind a
// StandardScaler. A column that is the same in every row gets weight 0.
//
// Newton's method finds the minimum. Conjugate gradients solve for its step, so that neither time nor memory grows with
// the square of the columns, and the step is halved until it gains enough. The objective is strictly convex in w, so
// there is one minimum. The number of passes over the rows is limited; what was reached by then is the result.
//
// Linear regression is the same with the squared error in place of the loss: s = b + w . z predicts the target, and
// Newton's first exact step is the minimum. That is a ridge regression. For another loss than the squared error
// (base/quantity.h), the bias is then moved so that the right share of the training rows lies below.
//
// Where columns have a direction (two classes, or a linear regression), the minimum is the one among weights of the
// right sign: w_f >= 0 for an increasing column, w_f <= 0 for a decreasing one. It is the exact minimum, found by
// projected Newton steps (Bertsekas 1982): a weight that is 0 and would leave its side stays there, Newton's step is
// taken for the others, and its path is bent along the bounds. The bounded problem is convex too, so there is one
// minimum.
//
// The bits are the same on every machine (docs/contract.md): everything is a sum in a fixed order in double, on one
// thread. Do not use it where rows are so many that each pass counts: the passes are not divided among threads.
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
  // (scores, features), for the columns as they are given, not standardised: one score for two classes, else K.
  Matrix<double, axis::Score, axis::Feature> weights;
  std::vector<double> bias;  // one a score
};

// labels: per row, below `classes`. row_weights: per row, at least 0; empty: every row counts once. directions: per
// feature; empty: none has one.
LogisticRegression fit_logistic(InputsView inputs, std::span<const std::int32_t> labels, std::size_t classes,
                                std::span<const float> row_weights = {}, std::span<const Direction> directions = {});

// (rows, classes).
Matrix<float, axis::Row, axis::Out> class_probabilities(const LogisticRegression& model, InputsView inputs);

struct LinearRegression {
  std::vector<double> weights;  // one per column, as it is given
  double bias = 0;
};

// targets: per row.
LinearRegression fit_linear(InputsView inputs, std::span<const float> targets, const RegressionLoss& loss,
                            std::span<const float> row_weights = {}, std::span<const Direction> directions = {});

std::vector<double> predictions(const LinearRegression& model, InputsView inputs);

}  // namespace perpend
