// How the members' probabilities become the ensemble's.
//
// p_mk is member m's probability of class k, of K; w_m its weight, and the weights sum to 1.
//
//   mean      P_k = sum_m w_m p_mk                                            the usual one; weights equal or adapted
//   samme_r   P = softmax(f / (K - 1)),  f_k = (K - 1) sum_m w_m (log p_mk - 1/K sum_j log p_mj)
//             AdaBoost's real rule (Zhu et al. 2009). Terms that are the same for all k cancel, so P is the normalised
//             geometric mean of the members' probabilities, each clipped to at least 2^-23. With two classes it is
//             the logistic function of the mean log-odds. Weights are equal.
//   samme     P = softmax(f / (K - 1)),  f_k = sum_m w_m (1 where m votes for k, else -1 / (K - 1))
//             AdaBoost's weighted votes. With V_k the weight of the votes for k, P = softmax(K V / (K - 1)^2). It ranks
//             rows, but it is no calibrated probability (with two classes it stays between .12 and .88).
//
// A regression has predictions in place of probabilities, and two rules:
//
//   mean      sum_m w_m f_m
//   median    the weighted median: the least f_m such that the members up to f_m have at least half of the weight.
//             AdaBoost.R2's rule (Drucker 1997).
//
// With a gate, the weights of the mean depend on the row (gate.h).
//
// A member votes for its most probable class, the earlier one on a tie.
//
// A calibrated ensemble maps P once more (probability_map.h), and everything that predicts sees the mapped P.
//
// A correction comes last, if there is one. `adapt` learns it from labelled rows of a new place (evaluate/adapt.h). It
// moves the answer towards what some members say and away from others, and adds a bias:
//
//   classes      P' = softmax(z),  z_k = log P_k + b_k + sum_m c_m (l(p_mk) - l(P_k)),  l(p) = log max(p, 0.01)
//   regression   f' = f + b + sum_m c_m (f_m - f)
//
// The 0.01 limits what a member that is sure can move. In log-odds and without the limits, P is a sum of the members by
// their weights, and so is P'. Member m's say in it is a_m = w_m (1 - sum_j c_j) + c_m. The says have sum 1. A say
// below 0 belongs to a member that is believed in reverse.
//
// The ensemble answers its most probable class. With two classes, that is the second where P_1 > 1/2, or where P_1 >
// threshold if there is a threshold. Only the ensemble has a threshold. A member's class, and the errors by which
// members are compared, use one half.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/model/gate.h"
#include "perpend/model/probability_map.h"

namespace perpend {

enum class Rule { mean, samme_r, samme, median };

struct Correction {
  std::vector<double> bias;  // one per class; one for a regression, in the target's units
  std::vector<double> pull;  // one per member: c_m

  bool operator==(const Correction&) const = default;
};
constexpr double kLeastMoved = 0.01;       // the limit of l
constexpr double kMostPull = 1e6;          // no pull is larger in size
constexpr double kMostBias = 1e15;         // no bias is larger in size
constexpr double kLeastCorrected = 1e-15;  // a smaller probability is corrected as if it were this one

struct Decision {
  Rule rule = Rule::mean;
  std::vector<double> weights;           // one per member, at least 0, with sum 1
  ProbabilityMap map = {};               // of the ensemble's probabilities; by default they stay as they are
  std::optional<double> threshold = {};  // of two classes, above 0 and below 1
  std::optional<Correction> correction = {};
  std::optional<Gate> gate = {};  // of the mean

  bool operator==(const Decision&) const = default;
};

Decision equal_mean(std::size_t members);

// Whether these are one or more weights that are at least 0 and have sum 1 (to 1e-9).
bool are_member_weights(std::span<const double> weights);

// The members' says, a_m above; without a correction they are the weights. With a gate they are the says at a row whose
// weights are w_m: they leave out what the gate changes from row to row.
std::vector<double> member_says(const Decision& decision);

// The sizes of the says, each divided by their sum: how much of what moves the answer comes from each member.
std::vector<double> member_shares(const Decision& decision);

// Says in a few words what is wrong with a correction for this many biases and members. Empty: nothing is wrong.
std::string problem_of(const Correction& correction, std::size_t biases, std::size_t members);

// Clips SAMME.R's logarithms: the machine epsilon of the members' float32 probabilities.
constexpr double kLeastBoostedProbability = 0x1p-23;

// The class that the ensemble answers, given its probabilities of K classes.
std::size_t answered_class(const Decision& decision, const double* probabilities, std::size_t classes);

// Whether it is above 0 and below 1.
bool is_threshold(double threshold);

// The most probable of K classes, the earlier one on a tie.
std::size_t vote(const float* probabilities, std::size_t classes);

// The ensemble's probabilities, (rows, K), from those of all members. Sums run over members in order, in double.
Matrix<double, axis::Row, axis::Out> decide(const Decision& decision,
                                            const Stack<float, axis::Row, axis::Out>& members);

// Two classes: the ensemble's probability of the second, from the members', (members, rows).
std::vector<double> decide(const Decision& decision, MatrixView<const double, axis::Member, axis::Row> members);

// Regression: the ensemble's prediction per row, from the members', (members, rows).
std::vector<double> combine(const Decision& decision, MatrixView<const double, axis::Member, axis::Row> members);

// The log-loss of each row: -ln max(P_label, 1e-15).
std::vector<double> row_log_losses(MatrixView<const double, axis::Row, axis::Out> probabilities,
                                   std::span<const std::int32_t> labels);

}  // namespace perpend
