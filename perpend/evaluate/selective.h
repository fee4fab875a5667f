// When to trust a prediction: answer only the rows that an ensemble is sure of, and tell strange rows from familiar
// ones.
#pragma once

#include <span>
#include <vector>

#include "perpend/evaluate/metrics.h"

namespace perpend {

// Returns per row the standard deviation (divided by M) of the members' probabilities: sqrt(mean over members of (p_m -
// p)^2), with p their mean. With K classes the square is half the squared distance over classes, which for K = 2 is the
// same number. Every member counts once, whatever its weight in the ensemble. So in an adapted ensemble (adapt.h),
// members of little weight still warn.
std::vector<double> row_disagreement(MemberProbabilities members);
std::vector<double> row_disagreement(std::span<const ClassProbabilities> members);
std::vector<double> row_disagreement(
    const Stack<float, axis::Row, axis::Out>& members);  // as model/predict.h gives them

// Per row, 1 - probability of the predicted class.
std::vector<double> row_doubt(Probabilities probabilities);
std::vector<double> row_doubt(ClassProbabilities probabilities);

// What an ensemble is unsure of, in two parts, in nats. The entropy of the members' mean is the sum of both:
//
//   data       the mean of the members' own entropies: what each member calls undecided. More rows do not reduce it.
//   knowledge  the rest, which is the members' mutual information with the class: what they disagree about. It is 0
//              where all members say the same, and more rows like this one reduce it.
//
// Every member counts once, as in row_disagreement.
struct RowUncertainty {
  std::vector<double> data, knowledge;  // per row
};
RowUncertainty row_uncertainty(const Stack<float, axis::Row, axis::Out>& members);

// Answers the k rows of least uncertainty and refuses the others: coverage is k / n, and risk is the share of errors
// among the k. Rows of equal uncertainty are averaged over all their orders, so the order of the rows does not matter.
// area is the mean risk over k = 1 .. n. It is 0 if nothing is wrong, and the error rate if uncertainty tells nothing.
struct RiskCoverage {
  struct Point {
    double coverage = 0;
    double risk = 0;
  };
  std::vector<Point> points;  // one per distinct uncertainty, ascending
  Metric area;                // undefined without rows
};
RiskCoverage risk_coverage(std::span<const double> uncertainty, const ErrorFlags& errors);

// Returns the AUROC of a score for telling shifted rows from familiar ones: 1 if every shifted row has the higher
// score, 1/2 if the score cannot tell. Undefined when either side has no rows.
Metric shift_auroc(std::span<const double> familiar, std::span<const double> shifted);

}  // namespace perpend
