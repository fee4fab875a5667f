#include "perpend/evaluate/gate_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numeric>

#include "perpend/base/error.h"
#include "perpend/base/portable_math.h"
#include "perpend/model/predict.h"
#include "perpend/model/regression.h"

namespace perpend {

namespace {

constexpr std::array<double, 4> kGateSigmas = {0.25, 0.5, 1, 2};
constexpr std::size_t kGateFolds = 10;
constexpr std::size_t kFewestGateRows = 200;  // with fewer, even the standard error cannot be trusted
constexpr int kMostGateSteps = 150;
constexpr int kMostGateHalvings = 30;
constexpr double kGateSettled = 1e-7;  // of the loss, per row
constexpr double kLeastGateAnswer = 1e-15;
constexpr double kGateMargin = 2;  // standard errors

double gate_exp(double x) { return portable_exp(x); }
double gate_log(double x) { return portable_log(x); }
std::complex<double> gate_exp(std::complex<double> x) { return std::exp(x); }
std::complex<double> gate_log(std::complex<double> x) { return std::log(x); }

double real_part(double x) { return x; }
double real_part(std::complex<double> x) { return x.real(); }

// The weights of row r at theta.
template <class T>
void weigh(const GateData& data, std::size_t r, std::span<const T> theta, std::vector<T>& weights) {
  const double* phi = &data.phi[r * kGateFeatures];
  double largest = -INFINITY;
  for (std::size_t m = 0; m < data.members; ++m) {
    weights[m] = T(0);
    for (std::size_t f = 0; f < data.features; ++f) weights[m] += theta[m * data.features + f] * phi[f];
    largest = std::max(largest, real_part(weights[m]));
  }
  T sum(0);
  for (std::size_t m = 0; m < data.members; ++m) {
    weights[m] = data.usual[m] * gate_exp(weights[m] - largest);
    sum += weights[m];
  }
  for (T& weight : weights) weight /= sum;
}

template <class T>
T row_cost(const GateData& data, std::size_t r, const std::vector<T>& weights) {
  T answer(0);
  for (std::size_t m = 0; m < data.members; ++m) answer += weights[m] * data.answers[r * data.members + m];
  if (data.targets.empty()) return -gate_log(answer);
  const T error = answer - data.targets[r];
  return data.loss.value(error, real_part(error) > 0) / data.scale;
}

}  // namespace

template <class T>
T gate_loss(const GateData& data, std::span<const std::size_t> rows, std::span<const T> theta, double sigma) {
  T loss(0);
  for (const T& x : theta) loss += 0.5 * x * x / (sigma * sigma);
  std::vector<T> weights(data.members);
  for (const std::size_t r : rows) {
    weigh(data, r, theta, weights);
    loss += data.weights[r] * row_cost(data, r, weights);
  }
  return loss;
}
template double gate_loss(const GateData&, std::span<const std::size_t>, std::span<const double>, double);
template std::complex<double> gate_loss(const GateData&, std::span<const std::size_t>,
                                        std::span<const std::complex<double>>, double);

double gate_slope(const GateData& data, std::span<const std::size_t> rows, std::span<const double> theta, double sigma,
                  std::span<double> slope) {
  double loss = 0;
  for (std::size_t j = 0; j < theta.size(); ++j) {
    loss += 0.5 * theta[j] * theta[j] / (sigma * sigma);
    slope[j] = theta[j] / (sigma * sigma);
  }
  std::vector<double> weights(data.members);
  for (const std::size_t r : rows) {
    weigh(data, r, theta, weights);
    loss += data.weights[r] * row_cost(data, r, weights);
    const double* answers = &data.answers[r * data.members];
    const double* phi = &data.phi[r * kGateFeatures];
    double answer = 0;
    for (std::size_t m = 0; m < data.members; ++m) answer += weights[m] * answers[m];
    double by_answer = -1 / answer;
    if (!data.targets.empty()) {
      const double error = answer - data.targets[r];
      by_answer = data.loss.derivative(error, error > 0) / data.scale;
    }
    for (std::size_t m = 0; m < data.members; ++m) {
      const double by_g = data.weights[r] * by_answer * weights[m] * (answers[m] - answer);
      for (std::size_t f = 0; f < data.features; ++f) slope[m * data.features + f] += by_g * phi[f];
    }
  }
  return loss;
}

std::vector<double> fit_gate(const GateData& data, std::span<const std::size_t> rows, double sigma) {
  std::vector<double> theta(data.members * data.features, 0.0);
  std::vector<double> slope(theta.size());
  std::vector<double> next(theta.size());
  std::vector<double> next_slope(theta.size());
  double loss = gate_slope(data, rows, theta, sigma, slope);
  const double settled = kGateSettled * static_cast<double>(rows.size() + 1);
  double step = 1 / (1 / (sigma * sigma) + static_cast<double>(rows.size()));
  for (int i = 0; i < kMostGateSteps; ++i) {
    double gained = 0;
    for (int halvings = 0; halvings < kMostGateHalvings && gained <= 0; ++halvings) {
      for (std::size_t j = 0; j < theta.size(); ++j) {
        next[j] = std::clamp(theta[j] - step * slope[j], -kMostTheta, kMostTheta);
      }
      const double reached = gate_slope(data, rows, next, sigma, next_slope);
      gained = loss - reached;
      if (!(gained > 0)) {
        gained = 0;
        step /= 2;
        continue;
      }
      theta.swap(next);
      slope.swap(next_slope);
      loss = reached;
      step *= 1.5;
    }
    if (gained < settled) break;
  }
  return theta;
}

namespace {

// Returns the rows that are taken: all, or every n-th.
std::vector<std::size_t> taken_rows(std::size_t rows) {
  const std::size_t count = std::min(rows, kMostGateRows);
  std::vector<std::size_t> taken;
  for (std::size_t i = 0; i < count; ++i) taken.push_back(i * rows / count);
  return taken;
}

void add_classes(const Ensemble& ensemble, const Dataset& rows, std::span<const std::size_t> taken,
                 const Threads& threads, GateData& data) {
  const auto members = member_probabilities(ensemble, rows.inputs.view(), threads);
  const std::size_t classes = members.cols();
  std::vector<double> all(data.members * classes);
  for (const std::size_t r : taken) {
    for (std::size_t m = 0; m < data.members; ++m) {
      std::copy_n(members[m].row(r), classes, &all[m * classes]);
      const float p = members[m](r, static_cast<std::size_t>(rows.labels[r]));
      data.answers.push_back(std::max(static_cast<double>(p), kLeastGateAnswer));
    }
    const GateFeatures phi = gate_features(data.usual, all, classes);
    data.phi.insert(data.phi.end(), phi.begin(), phi.end());
  }
}

void add_numbers(const Ensemble& ensemble, const Decision& decision, const Dataset& rows,
                 std::span<const std::size_t> taken, const Threads& threads, GateData& data) {
  const auto members = member_predictions(ensemble, rows.inputs.view(), threads);
  const auto targets = targets_of(rows);
  const auto usual = combine(decision, members.view());
  data.loss = rows.quantity->loss;
  std::vector<double> own(data.members);
  double cost = 0;
  double all = 0;
  for (const std::size_t r : taken) {
    for (std::size_t m = 0; m < data.members; ++m) own[m] = members(m, r);
    data.answers.insert(data.answers.end(), own.begin(), own.end());
    data.targets.push_back(targets[r]);
    const GateFeatures phi = gate_features(data.usual, own, rows.quantity->mean, rows.quantity->sd);
    data.phi.insert(data.phi.end(), phi.begin(), phi.end());
    const double weight = data.weights[data.targets.size() - 1];
    cost += weight * data.loss.value(usual[r] - targets[r]);
    all += weight;
  }
  const double per_row = (data.loss.kind == RegressionLoss::Kind::squared ? 2 : 1) * cost / std::max(all, 1e-300);
  data.scale = per_row > 0 ? per_row : 1;
}

GateData data_of(const Ensemble& ensemble, const Decision& decision, const Dataset& rows, bool by_row,
                 const Threads& threads) {
  GateData data;
  data.members = decision.weights.size();
  data.features = by_row ? kGateFeatures : 1;
  data.usual = decision.weights;
  const auto taken = taken_rows(rows.rows());
  for (const std::size_t r : taken) {
    data.weights.push_back(rows.weights.empty() ? 1 : static_cast<double>(rows.weights[r]));
  }
  if (rows.quantity) {
    add_numbers(ensemble, decision, rows, taken, threads, data);
  } else {
    add_classes(ensemble, rows, taken, threads, data);
  }
  return data;
}

// Returns per row how much its cost falls when theta is learnt without its tenth.
std::vector<double> held_out_gains(const GateData& data, double sigma, const Threads& threads) {
  const std::vector<double> nothing(data.members * data.features, 0.0);
  std::vector<double> gains(data.rows());
  threads.for_each(kGateFolds, [&](std::size_t fold) {
    std::vector<std::size_t> others;
    for (std::size_t r = 0; r < data.rows(); ++r) {
      if (r % kGateFolds != fold) others.push_back(r);
    }
    const auto theta = fit_gate(data, others, sigma);
    std::vector<double> weights(data.members);
    for (std::size_t r = fold; r < data.rows(); r += kGateFolds) {
      weigh<double>(data, r, nothing, weights);
      const double before = row_cost(data, r, weights);
      weigh<double>(data, r, theta, weights);
      gains[r] = before - row_cost(data, r, weights);
    }
  });
  return gains;
}

struct MeanGain {
  double mean = 0, standard_error = 0;
};

MeanGain mean_gain(const std::vector<double>& gains, const std::vector<double>& weights) {
  double all = 0;
  double sum = 0;
  for (std::size_t r = 0; r < gains.size(); ++r) {
    all += weights[r];
    sum += weights[r] * gains[r];
  }
  if (!(all > 0)) return {};
  const double mean = sum / all;
  double squares = 0;
  for (std::size_t r = 0; r < gains.size(); ++r) {
    squares += weights[r] * weights[r] * (gains[r] - mean) * (gains[r] - mean);
  }
  return {mean, std::sqrt(squares) / all};
}

Decision with_theta(const Decision& decision, const GateData& data, const std::vector<double>& theta,
                    const std::optional<NumberTarget>& quantity) {
  Decision changed = decision;
  if (data.features == 1) {
    double sum = 0;
    for (std::size_t m = 0; m < data.members; ++m) sum += changed.weights[m] *= portable_exp(theta[m]);
    for (double& weight : changed.weights) weight /= sum;
    return changed;
  }
  changed.gate = Gate{.theta = theta};
  if (quantity) {
    changed.gate->centre = quantity->mean;
    changed.gate->scale = quantity->sd;
  }
  return changed;
}

}  // namespace

LearntGate learnt_gate(const Ensemble& ensemble, const Decision& decision, const Dataset& rows, bool by_row,
                       const Threads& threads) {
  PERPEND_CHECK(decision.rule == Rule::mean && !decision.gate);
  LearntGate learnt{.decision = decision};
  if (rows.rows() < kFewestGateRows || decision.weights.size() < 2) return learnt;
  const GateData data = data_of(ensemble, decision, rows, by_row, threads);
  for (const double sigma : kGateSigmas) {
    const MeanGain found = mean_gain(held_out_gains(data, sigma, threads), data.weights);
    if (learnt.sigma > 0 && found.mean <= learnt.gain) continue;
    learnt.sigma = sigma;
    learnt.gain = found.mean;
    learnt.standard_error = found.standard_error;
  }
  if (!(learnt.gain > kGateMargin * learnt.standard_error)) return learnt;
  std::vector<std::size_t> all(data.rows());
  std::iota(all.begin(), all.end(), std::size_t{0});
  learnt.decision = with_theta(decision, data, fit_gate(data, all, learnt.sigma), rows.quantity);
  learnt.is_changed = true;
  return learnt;
}

}  // namespace perpend
