#include "perpend/trees/losses.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "perpend/base/portable_math.h"
#include "perpend/base/quantile.h"
#include "perpend/kernels/elementwise.h"

namespace perpend {

namespace {

constexpr std::size_t kRunRows = 1024;
// A class without rows starts at this share instead of minus infinity.
constexpr double kLeastShare = 1e-9;

std::size_t runs_of(std::size_t rows) { return (rows + kRunRows - 1) / kRunRows; }

// Rows first .. first + n of all outputs. loss has one entry per row. gradient and hessian point to row `first` of
// output 0; the next output's are `stride` further.
struct Run {
  std::size_t first = 0, n = 0, outputs = 0, stride = 0;
  const double* scores = nullptr;
  float* loss = nullptr;
  float* gradient = nullptr;
  float* hessian = nullptr;
};

void derive_two_classes(const TreeRows& rows, const Run& run) {
  alignas(64) float scores[kRunRows] = {};
  alignas(64) std::int32_t labels[kRunRows] = {};
  alignas(64) float ones[kRunRows];
  alignas(64) float derivative[kRunRows];
  std::fill(std::begin(ones), std::end(ones), 1.0F);
  for (std::size_t i = 0; i < run.n; ++i) scores[i] = static_cast<float>(run.scores[i]);
  std::copy_n(rows.labels.data() + run.first, run.n, labels);
  kernels::cross_entropy<float>(
      {.n = run.n, .scores = scores, .labels = labels, .weights = ones, .loss = run.loss, .derivative = derivative});
  if (run.gradient == nullptr) return;
  for (std::size_t i = 0; i < run.n; ++i) {
    const float wrong = std::abs(derivative[i]);  // the probability of the other class
    run.gradient[i] = derivative[i];
    run.hessian[i] = wrong * (1 - wrong);
  }
}

void derive_classes(const TreeRows& rows, const Run& run) {
  const auto factor = static_cast<float>(run.outputs) / static_cast<float>(run.outputs - 1);
  AlignedVector<float> z(round_up(run.outputs, 16), 0.0F);
  AlignedVector<float> p(z.size());
  for (std::size_t i = 0; i < run.n; ++i) {
    const auto label = static_cast<std::size_t>(rows.labels[run.first + i]);
    for (std::size_t k = 0; k < run.outputs; ++k) z[k] = static_cast<float>(run.scores[k * run.stride + i]);
    const float log_sum = kernels::softmax<float>(run.outputs, z.data(), p.data());
    run.loss[i] = log_sum - z[label];
    if (run.gradient == nullptr) continue;
    for (std::size_t k = 0; k < run.outputs; ++k) {
      run.gradient[k * run.stride + i] = p[k] - (k == label ? 1.0F : 0.0F);
      run.hessian[k * run.stride + i] = factor * p[k] * (1 - p[k]);
    }
  }
}

void derive_regression(const TreeRows& rows, const Run& run) {
  for (std::size_t i = 0; i < run.n; ++i) {
    const auto error = static_cast<float>(run.scores[i] - rows.targets[run.first + i]);
    run.loss[i] = rows.loss.value(error, error > 0);
    if (run.gradient == nullptr) continue;
    run.gradient[i] = rows.loss.derivative(error, error > 0);
    run.hessian[i] = 1;
  }
}

void derive_run(TreeLoss loss, const TreeRows& rows, const Run& run) {
  switch (loss) {
    case TreeLoss::log_loss:
      return run.outputs == 1 ? derive_two_classes(rows, run) : derive_classes(rows, run);
    case TreeLoss::regression:
      return derive_regression(rows, run);
  }
}

double sum_of(const std::vector<double>& runs) {
  double sum = 0;
  for (const double run : runs) sum += run;
  return sum;
}

double total_weight(const TreeRows& rows) {
  if (rows.weights.empty()) return static_cast<double>(rows.rows());
  double sum = 0;
  for (const float weight : rows.weights) sum += weight;
  return sum;
}

// The smallest power of two with sum / unit <= room, or 1 if the sum is 0.
double unit_for(double sum, double room) {
  if (!(sum > 0)) return 1;
  int exponent = 0;
  const double share = std::frexp(sum / room, &exponent);  // sum / room = share 2^exponent, 1/2 <= share < 1
  return std::ldexp(1.0, share == 0.5 ? exponent - 1 : exponent);
}

// Rounds to the nearest integer, ties to even, for |x| < 2^31. Above 1.5 2^52, doubles are the integers.
std::int32_t nearest_integer(double x) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(x + 0x1.8p52)));
}

float best_number(const TreeRows& rows, double total) {
  if (rows.loss.kind != RegressionLoss::Kind::squared) {
    const std::vector<double> weights(rows.weights.begin(), rows.weights.end());
    const std::vector<double> targets(rows.targets.begin(), rows.targets.end());
    return static_cast<float>(weighted_quantile(targets, weights, rows.loss.share_below()));
  }
  double sum = 0;
  for (std::size_t r = 0; r < rows.rows(); ++r) sum += double{rows.weight(r)} * rows.targets[r];
  return static_cast<float>(sum / total);
}

}  // namespace

double renewed_value(const TreeRows& rows, std::span<const std::uint32_t> of_leaf, std::span<const double> scores) {
  std::vector<double> residuals, weights;
  for (const std::uint32_t row : of_leaf) {
    residuals.push_back(rows.targets[row] - scores[row]);
    weights.push_back(rows.weight(row));
  }
  return weighted_quantile(residuals, weights, rows.loss.share_below());
}

std::size_t outputs_of(TreeLoss loss, std::size_t classes) {
  return loss == TreeLoss::log_loss && classes > 2 ? classes : 1;
}

std::vector<float> best_start(TreeLoss loss, std::size_t classes, const TreeRows& rows) {
  const double all = total_weight(rows);
  if (loss == TreeLoss::regression) return {best_number(rows, all)};
  std::vector<double> share(classes, 0.0);
  for (std::size_t r = 0; r < rows.rows(); ++r) share[static_cast<std::size_t>(rows.labels[r])] += rows.weight(r);
  std::vector<float> logits;
  for (double& one : share) logits.push_back(static_cast<float>(portable_log(std::max(one / all, kLeastShare))));
  if (classes > 2) return logits;
  const double odds = std::max(share[1] / all, kLeastShare) / std::max(share[0] / all, kLeastShare);
  return {static_cast<float>(portable_log(odds))};
}

double derive(TreeLoss loss, const TreeRows& rows, std::span<const double> scores, std::size_t outputs,
              Derivatives* out, const Threads& threads) {
  const std::size_t n = rows.rows();
  const std::size_t runs = runs_of(n);
  std::vector<double> losses(runs, 0.0);
  std::vector<std::vector<double>> gradients(outputs, losses);
  std::vector<std::vector<double>> hessians(outputs, losses);
  if (out != nullptr) {
    out->gradient.resize(outputs * n);
    out->hessian.resize(outputs * n);
  }
  threads.for_each(runs, [&](std::size_t i) {
    alignas(64) float row_loss[kRunRows];
    Run run{.first = i * kRunRows, .outputs = outputs, .stride = n, .loss = row_loss};
    run.n = std::min(kRunRows, n - run.first);
    run.scores = scores.data() + run.first;
    if (out != nullptr) {
      run.gradient = out->gradient.data() + run.first;
      run.hessian = out->hessian.data() + run.first;
    }
    derive_run(loss, rows, run);
    for (std::size_t r = 0; r < run.n; ++r) losses[i] += double{rows.weight(run.first + r)} * row_loss[r];
    if (out == nullptr) return;
    for (std::size_t k = 0; k < outputs; ++k) {
      double gradient = 0;
      double hessian = 0;
      for (std::size_t r = 0; r < run.n; ++r) {
        const double weight = rows.weight(run.first + r);
        gradient += weight * std::abs(run.gradient[k * n + r]);
        hessian += weight * run.hessian[k * n + r];
      }
      gradients[k][i] = gradient;
      hessians[k][i] = hessian;
    }
  });
  if (out != nullptr) {
    out->gradient_sum.clear();
    out->hessian_sum.clear();
    for (std::size_t k = 0; k < outputs; ++k) {
      out->gradient_sum.push_back(sum_of(gradients[k]));
      out->hessian_sum.push_back(sum_of(hessians[k]));
    }
  }
  return sum_of(losses) / total_weight(rows);
}

void pack_gradients(const Derivatives& derivatives, std::size_t output, const TreeRows& rows, PackedGradients& packed,
                    const Threads& threads) {
  const std::size_t n = rows.rows();
  // Rounding adds at most half a unit per row and half a unit per weight.
  const double rounding = (total_weight(rows) + static_cast<double>(n)) / 2;
  packed.gradient_unit = unit_for(derivatives.gradient_sum[output], 0x1p31 - 1 - rounding);
  packed.hessian_unit = unit_for(derivatives.hessian_sum[output], 0x1p32 - 1 - rounding);
  packed.words.resize(n);
  const double gradients = 1 / packed.gradient_unit;  // exact: powers of two
  const double hessians = 1 / packed.hessian_unit;
  const float* const gradient = derivatives.gradient.data() + output * n;
  const float* const hessian = derivatives.hessian.data() + output * n;
  std::int64_t* const words = packed.words.data();
  threads.for_each(runs_of(n), [&](std::size_t run) {
    const std::size_t first = run * kRunRows;
    const std::size_t end = std::min(n, first + kRunRows);
    if (rows.weights.empty()) {
      for (std::size_t r = first; r < end; ++r) {
        words[r] = pack(nearest_integer(gradient[r] * gradients),
                        static_cast<std::uint32_t>(std::floor(hessian[r] * hessians + 0.5)));
      }
      return;
    }
    for (std::size_t r = first; r < end; ++r) {
      const double weight = rows.weights[r];
      words[r] = pack(nearest_integer(weight * std::nearbyint(gradient[r] * gradients)),
                      static_cast<std::uint32_t>(std::floor(weight * std::floor(hessian[r] * hessians + 0.5) + 0.5)));
    }
  });
}

}  // namespace perpend
