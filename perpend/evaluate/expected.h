// How good an ensemble is on rows without labels, as far as it can tell.
//
// It knows how good it is on the rows at home (records/home.h), and it sees two ways in which new rows differ from
// them:
//
//   d  by how much more its members disagree: the mean of row_disagreement (selective.h) on the new rows less that at
//   home k  how far the distribution of its probabilities moved: the largest distance between the two distribution
//   functions
//      (Kolmogorov and Smirnov), less what chance alone gives, 0.8687 sqrt(1/n + 1/m), and at least 0. Of more classes
//      than two, the largest over classes.
//
// Independent members agree on rows like those at home, and disagree on others because each extrapolates in its own
// way. So d tells of shift that the mean's own confidence hides. What is expected is
//
//   accuracy  home - 2.1 d - 0.3 k        AUC  home - 1.8 d - 0.1 k        log-loss  home + 3.8 d + 0.6 k
//
// with accuracy from 1/K to 1, AUC from 1/2 to 1, log-loss from 0 on. The numbers are those that were best on 21 cases
// of 16 tables (docs/trusting.md, with what this is worth beside other estimates). On tables that had no say in them,
// such estimates were off by 0.6 to 0.7 of what the figures at home were off by.
//
// The interval is the estimate more or less q sqrt(s^2 + g^2): s is the standard error that the numbers of rows alone
// leave, g what d and k took away, and q is such that 9 of 10 estimates on those tables were within it; on tables that
// had no say in q, 87 to 89 of 100. It is as wide as that because rows can change what their columns mean, and no look
// at them without labels tells.
//
// Not for regressions: d and k would say how far predictions spread, and nothing measured says how errors follow.
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

// Of two classes or more. `rows` are the answers on the new rows.
ExpectedPerformance expected_performance(const LabelledAnswers& home, const Answers& rows);

// What is said of a regression: nothing, and why.
ExpectedPerformance expected_of_a_number(std::size_t home_rows, std::size_t rows);

// From the members' scores of the new rows, as model/predict.h gives them.
ExpectedPerformance expected_performance(const Ensemble& ensemble, const Decision& decision, const Home& home,
                                         const Stack<float, axis::Row, axis::Score>& scores, const Threads& threads);

}  // namespace perpend
