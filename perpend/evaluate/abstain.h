// Which rows an ensemble leaves to a human: the signal that decides, and its limit.
//
// Two signals say how unsure a row is: the ensemble's own doubt, 1 - max P, and the members' disagreement
// (selective.h). Rows at home, whose labels are known and which no member trained on, tell which of them works. The
// area under risk against coverage is a mean over rows: with n rows, the row at place j (from 1, ascending) adds
//
//   t = wrong * (1/j + 1/(j+1) + ... + 1/n)
//
// and rows that tie share the mean of their places' sums. Disagreement is taken if its area is less than that of the
// doubt by more than 1.64 standard errors of the difference, which is a mean of paired terms (one-sided, 95 %).
// Otherwise the doubt is taken, which was the better signal on most tables (docs/trusting.md).
//
// A quantile of the signal at home keeps a share of rows. A bound keeps an error rate:
//
//   Of the k surest rows at home e are wrong. b(e, k) is the largest error rate at which e or fewer wrong rows have a
//   probability of at least 1 in 100 (Clopper and Pearson, one-sided, 99 %). Ten coverages k/n are tried, 10, 20, ...
//   100 %. The largest whose bound is low enough is taken. Each bound is too low for 1 set of rows in 100, so all ten
//   hold for 9 in 10 (Bonferroni).
//
// So of ten models whose rule promises 5 %, at least nine keep it on rows like those at home. Rows from elsewhere have
// no such promise. A promise of 5 % needs 90 rows without an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "perpend/evaluate/answers.h"

namespace perpend {

enum class AbstainSignal { doubt, disagreement };
const char* word_of(AbstainSignal signal);  // "doubt", "disagreement"

struct AbstainRule {
  AbstainSignal signal = AbstainSignal::doubt;
  double most = 0;            // a row with a larger value is not answered; below 0: no row is answered
  std::size_t home_rows = 0;  // on which it was found; 0: not known
  std::size_t answered = 0;   // of them
  std::size_t wrong = 0;      // of the answered
  double error_bound = 1;     // b(wrong, answered)
};

// The signal of each row.
std::vector<double> signal_of(AbstainSignal signal, const Answers& answers);

AbstainSignal choose_signal(const LabelledAnswers& home);

// Answers all but this share of the rows at home. share: from 0 to 1. There must be a row at home.
AbstainRule abstain_by_share(const LabelledAnswers& home, double share);

// Answers as many rows as the bound allows. error: above 0 and below 1. most is -1 where no coverage is low enough.
AbstainRule abstain_by_error(const LabelledAnswers& home, double error);

// b(wrong, rows) of the head of this file; 1 without rows.
double error_bound(std::size_t wrong, std::size_t rows);

}  // namespace perpend
