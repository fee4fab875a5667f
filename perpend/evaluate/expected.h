// How good an ensemble is on rows without labels, as far as it can tell.
//
// It knows how good it is on the rows at home (records/home.h), and it sees two ways in which new rows differ from
// them:
//
//   d  how much more its members disagree: the mean of row_disagreement (selective.h) on the new rows less that at home
//   k  how far the distribution of its probabilities moved: the largest distance between the two distribution functions
//      (Kolmogorov and Smirnov), less what chance alone gives, 0.8687 sqrt(1/n + 1/m), and at least 0. With more than
//      two classes it is the largest over classes.
//
// Independent members agree on rows like those at home, and disagree on others because each extrapolates in its own
// way. So d shows a shift that the mean's own confidence hides. The estimates are
//
//   accuracy  home - 2.1 d - 0.3 k        AUC  home - 1.8 d - 0.1 k        log-loss  home + 3.8 d + 0.6 k
//
// with accuracy from 1/K to 1, AUC from 1/2 to 1, and log-loss at least 0. The numbers are those that were best on 21
// cases of 16 tables (docs/trusting.md says what this is worth beside other estimates). On tables that had no part in
// choosing them, the errors of such estimates were 0.6 to 0.7 times those of the figures at home.
//
// The interval is the estimate plus or minus q sqrt(s^2 + g^2). s is the standard error that the numbers of rows alone
// leave, and g is what d and k took away. q is such that 9 of 10 estimates on those tables were within the interval. On
// tables that had no part in choosing q, 87 to 89 of 100 were. The interval is this wide because rows can change what
// their columns mean, and no look at them without labels shows that.
//
// It is not for regressions: d and k would say how far predictions spread, and nothing measured says how errors follow.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "perpend/evaluate/answers.h"
#include "perpend/records/monitoring.h"

namespace perpend {

struct ExpectedPerformance {
  std::size_t home_rows = 0, rows = 0;
  double more_disagreement = 0;  // d
  double moved = 0;              // k
  // At home, and on the new rows. The AUC is undefined where the rows at home are of one class.
  std::optional<double> home_accuracy = {}, home_auc = {}, home_log_loss = {};
  std::optional<ExpectedMetric> accuracy = {}, auc = {}, log_loss = {};
  std::string reason = {};  // why nothing is expected; empty where something is

  bool operator==(const ExpectedPerformance&) const = default;
};

// For two classes or more. `rows` are the answers on the new rows.
ExpectedPerformance expected_performance(const LabelledAnswers& home, const Answers& rows);

// Says for a regression that nothing is expected, and why.
ExpectedPerformance expected_of_a_number(std::size_t home_rows, std::size_t rows);

// The same from the members' scores of the new rows, as model/predict.h gives them.
ExpectedPerformance expected_performance(const Ensemble& ensemble, const Decision& decision, const Home& home,
                                         const Stack<float, axis::Row, axis::Score>& scores, const Threads& threads);

}  // namespace perpend
