// Sets of classes that hold the true one as often as was asked for (split conformal prediction).
//
// The score of class k of a row is 1 - P_k. At home the labels are known: s_1 <= ... <= s_n are the scores of the n
// rows' labels. The set of a new row has the classes whose score is at most s_j, j = ceil(c (n + 1)), and all classes
// if j > n. If the new row and those at home could have been drawn in any order, the set holds the row's class with a
// probability of at least c, and of at most c + 1 / (n + 1) if no scores tie (Vovk et al. 2005; Sadinle et al. 2019).
// This is a probability over all rows, and single classes may be covered less. A set can be empty. Then no class is as
// probable as the classes of like rows are. A model that is right more often than c has such rows.
//
// The promise does not hold for rows from elsewhere. Weights repair it where the rows differ in what the model sees but
// not in what that means (Tibshirani et al. 2019). With w the ratio of the densities of new rows and of rows at home, a
// row's threshold is the least s_j with
//
//   sum of w_i over s_i <= s_j   >=   c (sum of all w_i + w(the row))
//
// The ratio is estimated by a logistic regression that tells new rows from those at home. It sees only the ensemble's
// log-odds (with K classes, K centred log-probabilities) and the members' disagreement. It needs all new rows at once,
// so a row's set depends on the others. docs/trusting.md has what both kinds cover at home and elsewhere.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perpend/evaluate/answers.h"

namespace perpend {

class ConformalSets {
 public:
  // coverage: above 0 and below 1. weights: one per row at home, above 0; empty: all 1.
  ConformalSets(const LabelledAnswers& home, double coverage, std::span<const double> weights = {});
  // Returns the largest score of a class in the set of a row of that weight. Infinity: the set has all classes.
  double largest_score(double weight = 1) const;
  // (rows, classes): 1 where the class is in the set. weights: one per row; empty: all 1.
  std::vector<std::uint8_t> of(const Answers& rows, std::span<const double> weights = {}) const;

 private:
  double coverage_;
  std::vector<double> scores_;  // ascending
  std::vector<double> sums_;    // of the weights up to each
};

// How much likelier each row is among the new rows than at home, from 1/20 to 20.
struct ShiftWeights {
  std::vector<double> home, rows;
};
ShiftWeights shift_weights(const Answers& home, const Answers& rows);

}  // namespace perpend
