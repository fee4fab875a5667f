#include "perpend/evaluate/adapt.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "perpend/base/portable_math.h"
#include "perpend/evaluate/blend.h"
#include "perpend/evaluate/correction.h"
#include "perpend/model/predict.h"
#include "perpend/model/regression.h"

namespace perpend {

namespace {

constexpr std::array<double, 6> kKappas = {0.1, 0.2, 0.4, 0.8, 1.6, 3.2};
constexpr int kNoises = 9;
constexpr double kBlendPull = 3;  // rows

// The prior probability is divided by four for each doubling or halving.
double prior_weight(double kappa) {
  const double ratio = std::min(kappa / kUsualKappa, kUsualKappa / kappa);
  return ratio * ratio;
}

double prior_log_probability(double kappa) {
  double sum = 0;
  for (const double each : kKappas) sum += prior_weight(each);
  return portable_log(prior_weight(kappa) / sum);
}

double log_of_sum(const std::vector<double>& logs) {
  const double largest = *std::ranges::max_element(logs);
  double sum = 0;
  for (const double x : logs) sum += portable_exp(x - largest);
  return largest + portable_log(sum);
}

double root_mean_square_error(const CorrectionData& data, const std::vector<std::size_t>& rows) {
  double sum = 0;
  for (const std::size_t r : rows) sum += (data.answer[r] - data.targets[r]) * (data.answer[r] - data.targets[r]);
  return std::sqrt(sum / static_cast<double>(rows.size()));
}

struct Learnt {
  std::vector<double> values;  // biases and pulls
  double log_evidence = 0, kappa = 0;
};

// Learns what adapt.h says from these rows of the data.
Learnt learn(const CorrectionData& data, const std::vector<std::size_t>& rows) {
  Learnt learnt{.values = std::vector<double>(data.biases + data.members)};
  if (rows.empty()) return learnt;
  std::vector<CorrectionPrior> priors;
  if (data.labels.empty()) {
    const double error = root_mean_square_error(data, rows);
    if (!(error > 0)) return learnt;
    for (int i = 0; i < kNoises; ++i)
      priors.push_back({.bias_sd = error, .noise_sd = error * std::sqrt(1.0 / (1 << i))});
  } else {
    priors.push_back({.bias_sd = kBiasSd / std::sqrt(2.0)});  // the difference of two has kBiasSd
  }
  std::vector<double> nothing, change;
  std::vector<CorrectionFit> fits;
  for (CorrectionPrior prior : priors) {
    nothing.push_back(log_likelihood(data, rows, prior.noise_sd));
    for (const double kappa : kKappas) {
      prior.pull_sd = kappa / std::sqrt(static_cast<double>(data.members));
      fits.push_back(fit_correction(data, rows, prior));
      change.push_back(fits.back().log_evidence + prior_log_probability(kappa));
    }
  }
  const double total = log_of_sum(change);
  learnt.log_evidence = total - log_of_sum(nothing);
  for (std::size_t i = 0; i < fits.size(); ++i) {
    const double weight = portable_exp(change[i] - total);
    learnt.kappa += weight * kKappas[i % kKappas.size()];
    for (std::size_t j = 0; j < learnt.values.size(); ++j) learnt.values[j] += weight * fits[i].values[j];
  }
  return learnt;
}

std::optional<Correction> correction_of(const Learnt& learnt, const CorrectionData& data, double unit) {
  if (!(learnt.log_evidence > 0)) return std::nullopt;
  Correction correction{.bias = std::vector<double>(data.scores), .pull = std::vector<double>(data.members)};
  for (std::size_t k = 0; k < data.biases; ++k) correction.bias[k] = unit * learnt.values[k];
  std::copy_n(learnt.values.begin() + static_cast<std::ptrdiff_t>(data.biases), data.members, correction.pull.begin());
  return correction;
}

using ClassAnswers = Stack<float, axis::Row, axis::Out>;
using Predictions = Matrix<double, axis::Member, axis::Row>;

CorrectionData data_of(const ClassAnswers& members, const Decision& decision, const Dataset& rows) {
  CorrectionData data = correction_data(members, decision);
  data.labels = rows.labels;
  return data;
}

CorrectionData data_of(const Predictions& members, const Decision& decision, const Dataset& rows) {
  CorrectionData data = correction_data(members.view(), decision, *rows.quantity);
  data.targets.assign(rows.targets.begin(), rows.targets.end());
  return data;
}

std::vector<double> losses_of(const ClassAnswers& members, const Decision& decision, const Dataset& rows) {
  return row_log_losses(decide(decision, members).view(), rows.labels);
}

std::vector<double> losses_of(const Predictions& members, const Decision& decision, const Dataset& rows) {
  return regression_losses(combine(decision, members.view()), rows);
}

// `learn_from` returns the decision that some rows lead to.
template <class Members, class LearnFrom>
void leave_out(Adapted& adapted, const Members& members, const Dataset& rows, const Threads& threads,
               const LearnFrom& learn_from) {
  const std::size_t groups = std::min(rows.rows(), kLeftOutGroups);
  adapted.left_out.resize(rows.rows());
  threads.for_each(groups, [&](std::size_t group) {
    std::vector<std::size_t> others;
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      if (r % groups != group) others.push_back(r);
    }
    const auto losses = losses_of(members, learn_from(others), rows);
    for (std::size_t r = group; r < rows.rows(); r += groups) adapted.left_out[r] = losses[r];
  });
}

template <class Members>
Adapted corrected(const Members& members, const Decision& decision, const Dataset& rows, const Threads& threads) {
  Adapted adapted;
  adapted.decision = decision;
  adapted.decision.correction.reset();
  const Decision plain = adapted.decision;
  const CorrectionData data = data_of(members, plain, rows);
  const double unit = rows.quantity ? rows.quantity->sd : 1;
  std::vector<std::size_t> all(rows.rows());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const Learnt learnt = learn(data, all);
  adapted.decision.correction = correction_of(learnt, data, unit);
  adapted.is_changed = adapted.decision.correction.has_value();
  adapted.log_evidence = learnt.log_evidence;
  adapted.kappa = learnt.kappa;
  adapted.present = losses_of(members, plain, rows);
  leave_out(adapted, members, rows, threads, [&](const std::vector<std::size_t>& others) {
    Decision without = plain;
    without.correction = correction_of(learn(data, others), data, unit);
    return without;
  });
  return adapted;
}

// For losses without such a likelihood.
Adapted blended(const Predictions& members, const Decision& decision, const Dataset& rows, const Threads& threads) {
  const std::vector<double> targets = targets_of(rows);
  const std::vector<double> equal(members.rows(), 1.0 / static_cast<double>(members.rows()));
  const auto learn_from = [&](const std::vector<std::size_t>& some) {
    std::vector<double> own_targets;
    Predictions own(members.rows(), some.size());
    for (std::size_t i = 0; i < some.size(); ++i) {
      own_targets.push_back(targets[some[i]]);
      for (std::size_t m = 0; m < members.rows(); ++m) own(m, i) = members(m, some[i]);
    }
    return Decision{.weights = blended_shares(own.view(), own_targets, {}, rows.quantity->loss, equal, kBlendPull)};
  };
  std::vector<std::size_t> all(rows.rows());
  std::iota(all.begin(), all.end(), std::size_t{0});
  Adapted adapted;
  adapted.decision = learn_from(all);
  adapted.is_changed = true;
  adapted.present = losses_of(members, decision, rows);
  leave_out(adapted, members, rows, threads, learn_from);
  return adapted;
}

}  // namespace

Adapted adapted_to(const Ensemble& ensemble, const Decision& decision, const Dataset& rows, const Threads& threads) {
  if (!rows.quantity)
    return corrected(member_probabilities(ensemble, rows.inputs.view(), threads), decision, rows, threads);
  const auto members = member_predictions(ensemble, rows.inputs.view(), threads);
  if (rows.quantity->loss.kind != RegressionLoss::Kind::squared) return blended(members, decision, rows, threads);
  return corrected(members, decision, rows, threads);
}

}  // namespace perpend
