// How many locally independent models do the data hold?
//
// M networks are trained together with LIT's penalty at a fixed, strong lambda, for M = 1, 2, 3, ... One of them is
// good if, on held-out rows, it keeps at least a share `keep` of what one network alone gains over a guess:
//
//     measure_m  >=  guess + keep (measure_alone - guess)
//
// The measure is the AUC (guess 1/2). With more than two classes it is the accuracy (guess: the share of the largest
// class), and in a regression R^2 (guess 0). The count is the size of the largest set of good networks in which every
// pair is independent: its mean cos^2 over the held-out rows is at most `bound`. Data that hold D models let D networks
// be good and independent. One more network has nothing left to explain: under a strong penalty it gives up its
// accuracy rather than its independence. The capacity of a restart is the largest count over all M.
//
// The networks are trained together, and not one after the other. A first network that is trained alone uses all that
// tells the class at once, and then nothing is left that is orthogonal to it (benchmarks/capacity_growth.cpp).
//
// Copies of a column count as explanations of their own in the whole input space. So gradients are compared along the
// manifold (manifold/manifold.h), by default along the principal directions where columns are strongly correlated.
#pragma once

#include <cstddef>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/records/capacity.h"
#include "perpend/run/run.h"

namespace perpend {

struct CapacitySettings {
  int most = 8;         // networks that are tried together, at least 2
  int restarts = 5;     // with other held-out rows and other first weights
  double lambda = 5;    // of the penalty
  double keep = 0.95;   // of what one network gains over a guess
  double bound = 0.05;  // of the mean cos^2
  bool ridge = true;    // train with the lambdas of ridge_lambdas(), too
};
constexpr int kMostCapacity = 16;

// Returns what is wrong with the settings, one line each.
std::vector<std::string> validate(const CapacitySettings& settings);

// Returns 0, 0.03, 0.1, 0.3, 1 and the settings' own lambda.
std::vector<double> ridge_lambdas(const CapacitySettings& settings);

// All trainings have networks with one layer of 32 units, and kCapacityVisits row visits. They have no early stopping,
// because it would end a training before its members have become different.
constexpr std::size_t kMostCapacityRows = 5000;  // to train on, and to judge by
constexpr std::size_t kCapacityVisits = 150'000;
TrainOptions capacity_training(int members, double lambda, std::size_t rows);

// Returns the size of the largest set of good members in which every pair has at most `bound`. cos2: (members,
// members), symmetric.
std::size_t largest_independent(const std::vector<bool>& good, const Matrix<double, axis::Row, axis::Row>& cos2,
                                double bound);

// What one restart trains on and what judges it: at most kMostCapacityRows each, drawn by the seed.
struct CapacityData {
  Dataset train, held_out;
  Tangents tangents;  // shared ones; empty: the whole input space
};
CapacityData capacity_data(const Prepared& data, std::uint64_t seed);

// One training of a restart.
struct CapacityTrial {
  bool ok = false;               // it did not diverge
  std::vector<double> measures;  // per member
  Matrix<double, axis::Row, axis::Row> cos2;
  double loss = 0;  // of the ensemble
};
CapacityTrial capacity_trial(const CapacityData& data, const TrainOptions& options, TrainCallback* callback);

double guessed_measure(const Dataset& held_out);

// Returns the trial's count, when one network alone has the measure `alone`.
std::size_t counted_in(const CapacityTrial& trial, double alone, double guess, const CapacitySettings& settings);

}  // namespace perpend
