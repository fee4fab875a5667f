// A gate makes the say of each member depend on the row (a mixture of experts over the members).
//
// u_m are the members' weights. The weights at row x are
//
//     w_m(x) = u_m e^{g_m(x)} / sum_j u_j e^{g_j(x)},     g_m(x) = sum_f theta_mf phi_f(x)
//
// With theta = 0 they are u. The features phi describe how the members see the row, so a gate needs only their answers.
// For classes, with l(p) = log max(p, 0.01), z_mk = l(p_mk) - mean_j l(p_mj) and Z = sum_m u_m z_m, they are
//
//     1,  Z_1 (two classes; else 0),  max_k Z_k,  sqrt(sum_m u_m mean_k (z_mk - Z_k)^2)
//
// These are a constant, the side that the members are on, how sure they are, and how much they differ. For a
// regression, with s_m = (f_m - centre) / scale and S = sum_m u_m s_m, the features are, each limited to 5:
//
//     1,  S,  |S|,  sqrt(sum_m u_m (s_m - S)^2)
//
// evaluate/gate_fit.h learns theta.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace perpend {

constexpr std::size_t kGateFeatures = 4;
using GateFeatures = std::array<double, kGateFeatures>;
constexpr double kLeastGated = 0.01;  // the limit of l
constexpr double kMostGated = 5;      // for a regression: no feature exceeds this
constexpr double kMostTheta = 1e3;    // no theta is larger in size

struct Gate {
  std::vector<double> theta;     // (members, kGateFeatures)
  double centre = 0, scale = 1;  // of a regression's predictions

  bool operator==(const Gate&) const = default;
};

// Says in a few words what is wrong with a gate for this many members. Empty: nothing is wrong.
std::string problem_of(const Gate& gate, std::size_t members);

// phi of one row. probabilities is (members, classes), one member after the other.
GateFeatures gate_features(std::span<const double> weights, std::span<const double> probabilities, std::size_t classes);
// phi of one row of a regression, from one prediction per member.
GateFeatures gate_features(std::span<const double> weights, std::span<const double> predictions, double centre,
                           double scale);

// w(x).
std::vector<double> gated_weights(std::span<const double> weights, const Gate& gate, const GateFeatures& features);

}  // namespace perpend
