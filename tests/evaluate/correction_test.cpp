#include "perpend/evaluate/correction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "perpend/base/random.h"

namespace perpend {
namespace {

constexpr CorrectionPrior kPrior = {.bias_sd = 0.5, .pull_sd = 0.3, .noise_sd = 0.7};

CorrectionData random_data(std::size_t rows, std::size_t members, std::size_t scores, std::uint64_t seed) {
  const Stream stream({.seed = seed, .purpose = Purpose::test, .member = 0, .step = 0});
  std::uint64_t at = 0;
  CorrectionData data{
      .members = members, .scores = scores, .biases = scores, .answer = {}, .away = {}, .labels = {}, .targets = {}};
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t k = 0; k < scores; ++k) {
      data.answer.push_back(stream.normal(at++));
      for (std::size_t m = 0; m < members; ++m) data.away.push_back(stream.normal(at++));
    }
    if (scores == 1) {
      data.targets.push_back(stream.normal(at++));
    } else {
      data.labels.push_back(static_cast<std::int32_t>(r % scores));
    }
  }
  return data;
}

std::vector<std::size_t> all_of(const CorrectionData& data) {
  std::vector<std::size_t> rows(data.answer.size() / data.scores);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

// Returns what correction.h minimises.
double objective(const CorrectionData& data, const std::vector<double>& values) {
  double loss = 0;
  for (std::size_t j = 0; j < values.size(); ++j) {
    const double u = values[j] / (j < data.biases ? kPrior.bias_sd : kPrior.pull_sd);
    loss += u * u / 2;
  }
  for (const std::size_t r : all_of(data)) {
    std::vector<double> z;
    for (std::size_t k = 0; k < data.scores; ++k) {
      z.push_back(data.answer[r * data.scores + k] + values[k]);
      for (std::size_t m = 0; m < data.members; ++m) {
        z[k] += values[data.biases + m] * data.away[(r * data.scores + k) * data.members + m];
      }
    }
    double sum = 0;
    for (const double score : z) sum += std::exp(score);
    loss += std::log(sum) - z[static_cast<std::size_t>(data.labels[r])];
  }
  return loss;
}

TEST(Correction, IsTheMinimumOfTheStatedFunction) {
  for (const std::size_t classes : {2U, 3U, 5U}) {
    const CorrectionData data = random_data(17, 4, classes, classes);
    const CorrectionFit fit = fit_correction(data, all_of(data), kPrior);
    for (std::size_t j = 0; j < fit.values.size(); ++j) {
      for (const double step : {1e-3, -1e-3}) {
        auto moved = fit.values;
        moved[j] += step;
        EXPECT_GT(objective(data, moved), objective(data, fit.values));
      }
    }
  }
}

// Computes Laplace's approximation with second derivatives by differences. There are two biases and one more unknown.
TEST(Correction, EvidenceIsLaplacesApproximation) {
  const CorrectionData data = random_data(9, 1, 2, 8);
  const CorrectionFit fit = fit_correction(data, all_of(data), kPrior);
  const double sds[] = {kPrior.bias_sd, kPrior.bias_sd, kPrior.pull_sd};
  double h[3][3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const auto at = [&](double a, double b) {
        auto moved = fit.values;
        moved[static_cast<std::size_t>(i)] += a * sds[i];
        moved[static_cast<std::size_t>(j)] += b * sds[j];
        return objective(data, moved);
      };
      constexpr double kStep = 1e-3;
      h[i][j] = (at(kStep, kStep) - at(kStep, -kStep) - at(-kStep, kStep) + at(-kStep, -kStep)) / (4 * kStep * kStep);
    }
  }
  const double determinant = h[0][0] * (h[1][1] * h[2][2] - h[1][2] * h[2][1]) -
                             h[0][1] * (h[1][0] * h[2][2] - h[1][2] * h[2][0]) +
                             h[0][2] * (h[1][0] * h[2][1] - h[1][1] * h[2][0]);
  EXPECT_NEAR(fit.log_evidence, -objective(data, fit.values) - std::log(determinant) / 2, 1e-5);
}

// For numbers the evidence is exact. Targets are Normal around the answer with covariance noise^2 I + A A^T. The
// constant log(2 pi) of each row is left out.
TEST(Correction, EvidenceOfNumbersIsTheirDensity) {
  const CorrectionData data = random_data(2, 3, 1, 5);
  double covariance[2][2];
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      covariance[i][j] = kPrior.bias_sd * kPrior.bias_sd + (i == j ? kPrior.noise_sd * kPrior.noise_sd : 0);
      for (std::size_t m = 0; m < 3; ++m) {
        covariance[i][j] += kPrior.pull_sd * kPrior.pull_sd * data.away[i * 3 + m] * data.away[j * 3 + m];
      }
    }
  }
  const double determinant = covariance[0][0] * covariance[1][1] - covariance[0][1] * covariance[1][0];
  const double a = data.targets[0] - data.answer[0];
  const double b = data.targets[1] - data.answer[1];
  const double form =
      (a * a * covariance[1][1] - 2 * a * b * covariance[0][1] + b * b * covariance[0][0]) / determinant;
  const CorrectionFit fit = fit_correction(data, all_of(data), kPrior);
  EXPECT_NEAR(fit.log_evidence, -form / 2 - std::log(determinant) / 2, 1e-12);
}

TEST(Correction, LikelihoodOfTheAnswerIsThatOfNoCorrection) {
  const CorrectionData data = random_data(11, 2, 3, 4);
  EXPECT_NEAR(log_likelihood(data, all_of(data), 1), -objective(data, std::vector<double>(5)), 1e-12);
}

}  // namespace
}  // namespace perpend
