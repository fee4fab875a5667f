#include "perpend/evaluate/regression.h"

#include <cmath>
#include <numbers>

#include "perpend/base/error.h"
#include "perpend/base/portable_math.h"
#include "perpend/base/quantile.h"
#include "perpend/evaluate/selective.h"
#include "perpend/model/predict.h"
#include "perpend/model/regression.h"

namespace perpend {

namespace {

double mean_of(std::span<const double> numbers) {
  double sum = 0;
  for (const double x : numbers) sum += x;
  return sum / static_cast<double>(numbers.size());
}

std::vector<double> errors_of(std::span<const double> predictions, std::span<const double> targets) {
  std::vector<double> errors(targets.size());
  for (std::size_t r = 0; r < errors.size(); ++r) errors[r] = predictions[r] - targets[r];
  return errors;
}

Metric correlation(std::span<const double> a, std::span<const double> b) {
  const double mean_a = mean_of(a);
  const double mean_b = mean_of(b);
  double aa = 0;
  double bb = 0;
  double ab = 0;
  for (std::size_t r = 0; r < a.size(); ++r) {
    aa += (a[r] - mean_a) * (a[r] - mean_a);
    bb += (b[r] - mean_b) * (b[r] - mean_b);
    ab += (a[r] - mean_a) * (b[r] - mean_b);
  }
  const double both = std::sqrt(aa) * std::sqrt(bb);
  if (!(both > 0)) return std::nullopt;
  return std::clamp(ab / both, -1.0, 1.0);
}

Metric mean_correlation(const std::vector<std::vector<double>>& errors, std::size_t& undefined) {
  double sum = 0;
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    for (std::size_t j = i + 1; j < errors.size(); ++j) {
      const Metric rho = correlation(errors[i], errors[j]);
      if (!rho) {
        ++undefined;
        continue;
      }
      sum += *rho;
      ++pairs;
    }
  }
  return pairs == 0 ? Metric() : sum / static_cast<double>(pairs);
}

double ambiguity_of(const Decision& decision, MatrixView<const double, axis::Member, axis::Row> members,
                    std::span<const double> ensemble) {
  double sum = 0;
  for (std::size_t r = 0; r < ensemble.size(); ++r) {
    for (std::size_t m = 0; m < members.rows(); ++m) {
      const double apart = members(m, r) - ensemble[r];
      sum += decision.weights[m] * apart * apart;
    }
  }
  return sum / static_cast<double>(ensemble.size());
}

}  // namespace

Scores score_numbers(std::span<const double> predictions, std::span<const double> targets, const RegressionLoss& loss) {
  PERPEND_CHECK(predictions.size() == targets.size());
  Scores scores;
  scores.regression = true;
  if (targets.empty()) return scores;
  const double middle = mean_of(targets);
  double squares = 0;
  double sizes = 0;
  double losses = 0;
  double variance = 0;
  for (std::size_t r = 0; r < targets.size(); ++r) {
    const double error = predictions[r] - targets[r];
    squares += error * error;
    sizes += std::abs(error);
    losses += loss.kind == RegressionLoss::Kind::squared ? error * error : loss.value(error);
    variance += (targets[r] - middle) * (targets[r] - middle);
  }
  const auto rows = static_cast<double>(targets.size());
  scores.rmse = std::sqrt(squares / rows);
  scores.mae = sizes / rows;
  if (variance > 0) scores.r2 = 1 - squares / variance;
  scores.loss = losses / rows;
  return scores;
}

Evaluation evaluate_numbers(const Decision& decision, MatrixView<const double, axis::Member, axis::Row> members,
                            std::span<const double> targets, const RegressionLoss& loss) {
  const std::vector<double> ensemble = combine(decision, members);
  Evaluation result;
  static_cast<Scores&>(result) = score_numbers(ensemble, targets, loss);
  std::vector<std::vector<double>> errors;
  for (std::size_t m = 0; m < members.rows(); ++m) {
    const std::span own(members.row(m), members.cols());
    result.members.push_back(score_numbers(own, targets, loss));
    errors.push_back(errors_of(own, targets));
  }
  if (targets.empty() || members.rows() < 2) return result;
  result.rho_av = mean_correlation(errors, result.undefined_pairs);
  result.disagreement = mean_of(row_disagreement(members));
  if (decision.rule == Rule::mean) result.ambiguity = ambiguity_of(decision, members, ensemble);
  return result;
}

ResidualSpread residual_spread(const Ensemble& ensemble, const Decision& decision, const Dataset& rows,
                               const Threads& threads) {
  const auto members = member_predictions(ensemble, rows.inputs.view(), threads);
  auto errors = errors_of(combine(decision, members.view()), targets_of(rows));
  if (errors.empty()) return {};
  double squares = 0;
  for (double& error : errors) {
    squares += error * error;
    error = std::abs(error);
  }
  std::vector<double> shares;
  for (int percent = 0; percent <= 100; ++percent) shares.push_back(percent / 100.0);
  return {.rows = errors.size(),
          .rmse = std::sqrt(squares / static_cast<double>(errors.size())),
          .percentiles = quantiles(std::move(errors), shares)};
}

void score_interval(const Ensemble& ensemble, const Decision& decision, const Dataset& rows,
                    const ResidualSpread& spread, const Threads& threads, Evaluation& to) {
  if (rows.rows() == 0 || spread.percentiles.empty()) return;
  const auto members = member_predictions(ensemble, rows.inputs.view(), threads);
  const auto errors = errors_of(combine(decision, members.view()), targets_of(rows));
  const double half = spread.half_width(kUsualCoverage);
  std::size_t inside = 0;
  double squares = 0;
  for (const double error : errors) {
    inside += std::abs(error) <= half ? 1 : 0;
    squares += error * error;
  }
  const auto count = static_cast<double>(errors.size());
  to.coverage = static_cast<double>(inside) / count;
  if (spread.rmse > 0 && ensemble.architecture.quantity->loss.kind == RegressionLoss::Kind::squared) {
    const double variance = spread.rmse * spread.rmse;
    to.log_score = 0.5 * portable_log(2 * std::numbers::pi * variance) + squares / count / (2 * variance);
  }
}

}  // namespace perpend
