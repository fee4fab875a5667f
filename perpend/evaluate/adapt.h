// A few labelled rows from a new place reweight the members; the networks stay as they are.
//
// Locally independent members explain the training rows in different ways, and elsewhere some of these ways fail. Which
// ones is seen on few rows, because only M - 1 numbers are fitted. The ensemble answers sum_m w_m p_m, so w is chosen
// for the likelihood of exactly that answer:
//
//   w = argmax over w >= 0, sum w = 1 of   sum_r log(sum_m w_m q_mr) + 3 / M sum_m log w_m
//   q_mr = max(probability that member m gave to the label of row r, 0.01)
//
// The last sum is a weak pull to equal weights, a Dirichlet prior that counts as three more rows, however many members
// there are. It sets a floor: no weight is below (3 / M) / (rows + 3), and without rows all are equal. The 0.01 tempers
// a member that is sure and wrong: one mislabelled row holds a factor of 100 against it, not of 1e15. The function is
// strictly concave; EM from equal weights finds its only maximum, deterministically, the same for any order of members
// and rows (up to rounding).
//
// It helps when some member is right in the new place. When none is, no weights help, and the log-loss after adapting,
// which stays near or above log 2 for two classes, says so. Figures on the same few rows flatter; keep some for a
// check.
#pragma once

#include <vector>

#include "perpend/base/parallel.h"
#include "perpend/data/dataset.h"
#include "perpend/model/ensemble.h"

namespace perpend {

constexpr double kAdaptSmallest = 0.01;
constexpr double kAdaptPull = 3;  // rows

// One weight per member, from the probabilities that members (rows of the matrix) gave to the labels.
std::vector<double> adapted_weights(MatrixView<const double, axis::Member, axis::Row> label_probabilities);

std::vector<double> adapted_weights(const Ensemble& ensemble, const Dataset& rows, const Threads& threads);

}  // namespace perpend
