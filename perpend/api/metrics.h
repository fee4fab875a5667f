// Metrics of probabilities and gradients that you already have, from any program. Python's perpend.metrics is this.
//
// - evaluate/metrics.h has AUC, accuracy, log-loss, Brier score and calibration.
// - evaluate/diversity.h says how differently members fail, and how differently their scores change.
// - evaluate/selective.h says when to trust an answer: risk against coverage, and telling strange rows from familiar
//   ones.
#pragma once

#include <string>

#include "perpend/evaluate/diversity.h"
#include "perpend/evaluate/metrics.h"
#include "perpend/evaluate/selective.h"

namespace perpend {

// Return JSON objects. In their lists of pairs, members are counted from 0.
std::string to_json(const GradientDiversity& found);  // grad_cos2, local_mutual_information, flat, pairs
std::string to_json(const Diversity& found);  // rho_av, q_av, kappa, disagreement, double_fault, undefined_pairs, pairs

}  // namespace perpend
