// How the members' probabilities become the ensemble's.
//
// p_mk is member m's probability of class k, of K; w_m its weight, and the weights sum to 1.
//
//   mean      P_k = sum_m w_m p_mk                                            the usual one; weights equal or adapted
//   samme_r   P = softmax(f / (K - 1)),  f_k = (K - 1) sum_m w_m (log p_mk - 1/K sum_j log p_mj)
//             AdaBoost's real rule (Zhu et al. 2009). What is the same for all k cancels, so P is the normalised
//             geometric mean of the members' probabilities, each taken as at least 2^-23: with two classes the
//             logistic function of the mean log-odds. Weights are equal.
//   samme     P = softmax(f / (K - 1)),  f_k = sum_m w_m (1 where m votes for k, else -1 / (K - 1))
//             AdaBoost's weighted votes. With V_k the weight of the votes for k, P = softmax(K V / (K - 1)^2): a
//             ranking, not a calibrated probability (with two classes it stays between .12 and .88).
//
// A regression has predictions in place of probabilities, and two rules:
//
//   mean      sum_m w_m f_m
//   median    the weighted median: the least f_m such that members of no larger one have half of the weight or more.
//             AdaBoost.R2's rule (Drucker 1997).
//
// A member votes for its most probable class, the earlier one on a tie.
//
// A calibrated ensemble maps P once more (probability_map.h), and everything that predicts sees the mapped P.
//
// The ensemble answers its most probable class. Of two classes that is the second where P_1 > 1/2; with a threshold it
// is the second where P_1 > threshold. Only the ensemble has a threshold: a member's class, and the errors by which
// members are compared, stay at one half.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/model/probability_map.h"

namespace perpend {

enum class Rule { mean, samme_r, samme, median };

struct Decision {
  Rule rule = Rule::mean;
  std::vector<double> weights;           // one a member, at least 0, sum 1
  ProbabilityMap map = {};               // of the ensemble's probabilities; none: they stay as they are
  std::optional<double> threshold = {};  // of two classes, above 0 and below 1

  bool operator==(const Decision&) const = default;
};

Decision equal_mean(std::size_t members);

// One or more weights, none below 0, sum 1 (to 1e-9).
bool are_member_weights(std::span<const double> weights);

// Clips SAMME.R's logarithms: the machine epsilon of the members' float32 probabilities.
constexpr double kLeastBoostedProbability = 0x1p-23;

// The class that the ensemble answers, of its probabilities of K classes.
std::size_t answered_class(const Decision& decision, const double* probabilities, std::size_t classes);

// Above 0 and below 1.
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

// Per row -ln max(P_label, 1e-15): what its label costs.
std::vector<double> row_log_losses(MatrixView<const double, axis::Row, axis::Out> probabilities,
                                   std::span<const std::int32_t> labels);

}  // namespace perpend
