#include "perpend/manifold/principal.h"

#include <algorithm>

namespace perpend {

namespace {

std::vector<double> means(InputsView inputs, std::span<const float> weights, double total) {
  std::vector<double> mean(inputs.cols(), 0.0);
  for (std::size_t r = 0; r < inputs.rows(); ++r) {
    const double weight = weights.empty() ? 1.0 : static_cast<double>(weights[r]);
    for (std::size_t f = 0; f < mean.size(); ++f) mean[f] += weight * static_cast<double>(inputs(r, f));
  }
  for (double& m : mean) m /= total;
  return mean;
}

}  // namespace

Matrix<double, axis::Feature, axis::Feature> covariance(InputsView inputs, std::span<const float> weights,
                                                        const Threads& threads) {
  PERPEND_CHECK(inputs.rows() > 0 && (weights.empty() || weights.size() == inputs.rows()));
  const std::size_t n = inputs.cols();
  const auto weight = [&](std::size_t r) { return weights.empty() ? 1.0 : static_cast<double>(weights[r]); };
  double total = 0;
  for (std::size_t r = 0; r < inputs.rows(); ++r) total += weight(r);
  if (!(total > 0)) return covariance(inputs, {}, threads);
  const auto mean = means(inputs, weights, total);
  Matrix<double, axis::Feature, axis::Feature> sums(n, n);
  constexpr std::size_t kFeaturesPerPiece = 16;
  threads.for_each((n + kFeaturesPerPiece - 1) / kFeaturesPerPiece, [&](std::size_t piece) {
    const std::size_t first = piece * kFeaturesPerPiece;
    const std::size_t end = std::min(first + kFeaturesPerPiece, n);
    std::vector<double> x(n);
    for (std::size_t r = 0; r < inputs.rows(); ++r) {
      for (std::size_t f = first; f < n; ++f) x[f] = static_cast<double>(inputs(r, f)) - mean[f];
      for (std::size_t i = first; i < end; ++i) {
        const double scaled = weight(r) * x[i];
        for (std::size_t j = i; j < n; ++j) sums(i, j) += scaled * x[j];
      }
    }
  });
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) sums(j, i) = sums(i, j) = sums(i, j) / total;
  }
  return sums;
}

SymmetricEigen principal_directions(InputsView inputs, std::span<const float> weights, const Threads& threads) {
  return symmetric_eigen(covariance(inputs, weights, threads));
}

double variance_share(const SymmetricEigen& principal, std::size_t directions) {
  double all = 0;
  double first = 0;
  for (std::size_t k = 0; k < principal.values.size(); ++k) {
    const double variance = std::max(0.0, principal.values[k]);
    all += variance;
    if (k < directions) first += variance;
  }
  return all > 0 ? first / all : 0;
}

std::size_t directions_for(const SymmetricEigen& principal, double share) {
  std::size_t directions = 1;
  while (directions < principal.values.size() && variance_share(principal, directions) < share) ++directions;
  return directions;
}

std::size_t rank_of(const SymmetricEigen& principal) {
  return static_cast<std::size_t>(std::ranges::count_if(
      principal.values, [&](double variance) { return variance > kNoVariance * principal.values.front(); }));
}

Tangents first_directions(const SymmetricEigen& principal, std::size_t directions) {
  const std::size_t features = principal.vectors.cols();
  Tangents tangents = Tangents::shared(features, directions);
  for (std::size_t k = 0; k < directions; ++k) {
    for (std::size_t f = 0; f < features; ++f) {
      tangents.direction(0, k)[f] = static_cast<float>(principal.vectors(k, f));
    }
  }
  return tangents;
}

}  // namespace perpend
