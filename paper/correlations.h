// How well cos² of input gradients, which needs no labels, stands for the measures that count errors.
//
// The paper finds that cos² is "meaningfully correlated with other diversity measures". Each trial of a study gives one
// pair (cos², measure), on test rows:
//
//     Pearson    the linear correlation
//     Spearman   that of their ranks, equal values sharing the mean of theirs: 1 where one rises with the other
//
// Trials where the measure is undefined (a member without errors has no error correlation) are left out and not
// counted.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "perpend/records/study_view.h"

namespace perpend::paper {

// Undefined for fewer than three pairs, or where one side does not vary.
Metric pearson(std::span<const double> x, std::span<const double> y);
Metric spearman(std::span<const double> x, std::span<const double> y);

struct Correlation {
  std::string trials;   // which: "all", "all but LIT", or a method
  std::string measure;  // "rho", "Q", "kappa"
  std::size_t count = 0;
  Metric pearson, spearman;
};

// Returns correlations over all trials, over those of methods other than LIT, and over each method by itself.
std::vector<Correlation> correlations(const StudyView& view);

// Returns a table in Markdown that is also readable as text.
std::string correlation_table(const std::vector<Correlation>& found);

}  // namespace perpend::paper
