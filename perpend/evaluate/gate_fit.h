// Learns how much say each member has, from labelled rows that no member has trained on. The weights are the same for
// all rows (stack), or depend on the row (gate, model/gate.h).
//
// The prior of theta is Normal around 0, where the members keep their weights u, with standard deviation sigma. With
// p_m(i) the probability that member m gives to the label of row i, the fit minimises for classes
//
//     L(theta) = - sum_i log sum_m w_m(x_i) p_m(i)  +  1/2 sum (theta / sigma)^2
//
// and for a regression the same with the loss of base/quantity.h, scaled as in blend.h. Its slope by g_m is, row by
// row,
//
//     classes      w_m - w_m p_m / sum_j w_j p_j
//     regression   loss'(f - t) w_m (f_m - f) / scale,   f = sum_j w_j f_j
//
// and its slope by theta_mf is that times phi_f. A stack has the constant feature alone.
//
// sigma takes the values 0.25, 0.5, 1 and 2. For each, ten tenths of the rows are held out in turn, and theta is learnt
// from the others. The sigma of the least held-out loss is taken, and theta is learnt from all rows. This happens only
// if the loss is below that of the usual weights by more than two standard errors of the difference. Otherwise the
// members keep their weights: rows like those at home are few, and say little about rows elsewhere.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "perpend/base/parallel.h"
#include "perpend/data/dataset.h"
#include "perpend/model/decision.h"
#include "perpend/model/ensemble.h"

namespace perpend {

// The rows as the fit sees them.
struct GateData {
  std::size_t members = 0;
  std::size_t features = kGateFeatures;  // how many of phi are used, from the first; a stack has 1
  std::vector<double> usual;             // u, one per member
  std::vector<double> phi;               // (rows, kGateFeatures)
  std::vector<double> answers;           // (rows, members): p_m of the label, or f_m
  std::vector<double> targets;           // per row; empty: classes
  std::vector<double> weights;           // per row
  RegressionLoss loss = {};
  double scale = 1;  // for a regression: the first term is divided by it
  std::size_t rows() const { return weights.size(); }
};

// Returns L of these rows at theta, (members, features). T: double, or complex<double> for the check of the slope.
template <class T>
T gate_loss(const GateData& data, std::span<const std::size_t> rows, std::span<const T> theta, double sigma);
// The same with its slope.
double gate_slope(const GateData& data, std::span<const std::size_t> rows, std::span<const double> theta, double sigma,
                  std::span<double> slope);
// Returns the theta of the least L, found by steps downhill from 0.
std::vector<double> fit_gate(const GateData& data, std::span<const std::size_t> rows, double sigma);

struct LearntGate {
  Decision decision;  // with the weights of a stack, or with a gate; unchanged where nothing is gained
  bool is_changed = false;
  double gain = 0;  // held-out loss per row that is gained by the best sigma (in nats, or in units of the loss's scale)
  double standard_error = 0;
  double sigma = 0;
};
constexpr std::size_t kMostGateRows = 2000;  // above this, every n-th row is used

// decision: a mean whose weights are the usual ones. by_row: a gate.
LearntGate learnt_gate(const Ensemble& ensemble, const Decision& decision, const Dataset& rows, bool by_row,
                       const Threads& threads);

}  // namespace perpend
