// Which lambda is best for each ensemble size. On its ICU table the paper finds that LIT's best lambda falls as
// networks are added, "in a roughly log-linear relationship": log10(lambda) = intercept + slope log10(M). Least squares
// over the sizes of the study fit it.
//
// The best lambda of a size is that of the highest mean test AUC, as in the paper's picture. It is not used to choose
// anything. It is noisy where the AUC is flat near its maximum. So the lambdas within a standard error of the maximum
// are counted, too.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perpend/records/study_view.h"

namespace perpend::paper {

struct RidgePoint {
  int members = 0;
  double lambda = 0;
  double auc = 0;
  // How many lambdas, this one included, have a mean AUC plus standard error that reaches this one's mean less its own
  // error.
  std::size_t as_good = 0;
};

struct Ridge {
  std::size_t place = 0, method = 0;  // of the view
  std::vector<RidgePoint> points;     // by size
  double slope = 0, intercept = 0;
  Metric correlation;  // of log10(lambda) and log10(M); undefined where lambda does not vary
};

// For the methods with a lambda, at places with at least three sizes.
std::vector<Ridge> ridges(const StudyView& view);

// Returns one line per ridge, in Markdown.
std::string ridge_table(const StudyView& view, const std::vector<Ridge>& found);

}  // namespace perpend::paper
