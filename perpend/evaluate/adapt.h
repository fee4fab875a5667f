// A few labelled rows from a new place correct the ensemble's answer. The networks stay as they are.
//
// Locally independent members explain the training rows in different ways, and elsewhere some of these ways fail. A few
// rows show which, because little is fitted: one bias per class, and one pull c_m per member, towards what this member
// says and away from the ensemble's present answer. decision.h has the formula. With all of them 0, the answer stays as
// it is.
//
// The rows themselves say how much to believe them. A hypothesis says how far the answer may move:
//
//     nothing      bias 0, pulls 0
//     kappa        difference of two classes' biases ~ Normal(0, 0.5^2),   c_m ~ Normal(0, kappa^2 / M)
//
// So kappa is the standard deviation of the sum of M pulls. Where all members agree on a direction, it says how much of
// its distance from the answer a row moves. kappa takes the values 0.1, 0.2, ... 3.2. The usual one is 0.4, and each
// step away from it divides the prior probability by four. Newton's method finds the bias and the pulls that are most
// probable given the labels. Laplace's approximation gives the evidence, which is the probability of the labels under
// the hypothesis:
//
//     log evidence = log P(labels | bias, pulls) - |u|^2 / 2 - log det(H) / 2
//
// where u are bias and pulls in units of their standard deviations, and H is the matrix of second derivatives by u of
// the negative logarithm of the posterior. If the labels are likelier under "nothing" than under the mean of the
// others, they do not support a change, and there is none. Otherwise the correction is the mean of the hypotheses' own
// corrections, weighted by evidence and prior probability.
//
// Sixteen labels that agree with a member against the ensemble are thousands of times likelier under a large kappa. So
// a wrong ensemble is turned round. Sixteen labels that fit no member leave the answer where it is.
//
// In a regression under the squared error, labels are Normal around the prediction, with an unknown standard deviation.
// Each of the values s 2^(-i/2), i = 0 ... 8, counts alike, where s is the root mean square error of the present
// answer. s is also the bias's standard deviation. Under another loss the bias and the pulls have no such likelihood.
// There the shares of the members in the mean are fitted (blend.h), with a pull to equal shares that counts as three
// rows.
//
// Figures on the rows that were learnt from flatter. So the whole procedure, hypotheses included, is repeated without
// each row, and the row's loss is that of the repetition without it. Above 64 rows, it is repeated without each of 64
// groups, with row r in group r mod 64. Biases of more than 32 classes are not fitted.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "perpend/base/parallel.h"
#include "perpend/data/dataset.h"
#include "perpend/model/decision.h"
#include "perpend/model/ensemble.h"

namespace perpend {

// All were chosen on held-out training domains (docs/adapting.md).
constexpr double kUsualKappa = 0.4;
constexpr double kBiasSd = 0.5;
constexpr std::size_t kLeftOutGroups = 64;

struct Adapted {
  Decision decision;
  bool is_changed = false;
  // The log of how many times likelier the labels are under a change than under the present answer. Nothing where the
  // loss is not the squared error.
  std::optional<double> log_evidence;
  double kappa = 0;  // mean of the hypotheses, weighted as their corrections are
  // The loss per row, under the present answer and under what is learnt without the row: -log P(label), or the loss of
  // base/quantity.h in units of the standardised target.
  std::vector<double> present, left_out;
};

// `decision`: what decides now. An earlier correction is dropped, and a calibration stays.
Adapted adapted_to(const Ensemble& ensemble, const Decision& decision, const Dataset& rows, const Threads& threads);

}  // namespace perpend
