#include "perpend/evaluate/correction.h"

#include <algorithm>
#include <cmath>

#include "perpend/base/cholesky.h"
#include "perpend/base/error.h"
#include "perpend/base/portable_math.h"

namespace perpend {

namespace {

constexpr int kMostSteps = 100;
constexpr double kSettled = 1e-16;  // of Newton's expected gain

double row_loss(const CorrectionData& data, std::size_t r, std::span<const double> scores, double noise_sd) {
  if (data.labels.empty()) {
    const double error = (scores[0] - data.targets[r]) / noise_sd;
    return 0.5 * error * error + portable_log(noise_sd);
  }
  const double largest = *std::ranges::max_element(scores);
  double sum = 0;
  for (const double score : scores) sum += portable_exp(score - largest);
  return portable_log(sum) + largest - scores[static_cast<std::size_t>(data.labels[r])];
}

class Solver {
 public:
  Solver(const CorrectionData& data, std::span<const std::size_t> rows, const CorrectionPrior& prior)
      : data_(data),
        rows_(rows),
        prior_(prior),
        size_(data.biases + data.members),
        features_(data.scores * size_),
        mean_(size_) {}

  CorrectionFit run() {
    std::vector<double> u(size_, 0.0);
    double loss = loss_at(u);
    for (int step = 0; step < kMostSteps; ++step) {
      differentiate(u);
      const auto direction = Cholesky(hessian_, size_).solve(gradient_);
      double gain = 0;
      for (std::size_t j = 0; j < size_; ++j) gain += gradient_[j] * direction[j];
      if (!(gain > kSettled) || !descend(u, loss, direction, gain)) break;
    }
    differentiate(u);
    CorrectionFit fit{.values = std::move(u), .log_evidence = -loss};
    fit.log_evidence -= 0.5 * Cholesky(hessian_, size_).log_determinant();
    for (std::size_t j = 0; j < size_; ++j) fit.values[j] *= sd(j);
    return fit;
  }

 private:
  double sd(std::size_t j) const { return j < data_.biases ? prior_.bias_sd : prior_.pull_sd; }
  bool is_regression() const { return data_.labels.empty(); }

  // Sets the derivative of score k of row r by each unknown, in units of its standard deviation.
  void fill_features(std::size_t r) {
    for (std::size_t k = 0; k < data_.scores; ++k) {
      double* out = &features_[k * size_];
      for (std::size_t j = 0; j < data_.biases; ++j) out[j] = j == k ? prior_.bias_sd : 0;
      const double* away = &data_.away[(r * data_.scores + k) * data_.members];
      for (std::size_t m = 0; m < data_.members; ++m) out[data_.biases + m] = prior_.pull_sd * away[m];
    }
  }

  std::vector<double> scores_at(std::size_t r, const std::vector<double>& u) const {
    const double* answer = &data_.answer[r * data_.scores];
    std::vector<double> scores(answer, answer + data_.scores);
    for (std::size_t k = 0; k < data_.scores; ++k) {
      for (std::size_t j = 0; j < size_; ++j) scores[k] += features_[k * size_ + j] * u[j];
    }
    return scores;
  }

  double loss_at(const std::vector<double>& u) {
    double loss = 0;
    for (const double x : u) loss += 0.5 * x * x;
    for (const std::size_t r : rows_) {
      fill_features(r);
      loss += row_loss(data_, r, scores_at(r, u), prior_.noise_sd);
    }
    return loss;
  }

  void differentiate(const std::vector<double>& u) {
    gradient_ = u;
    hessian_.assign(size_ * size_, 0.0);
    for (std::size_t j = 0; j < size_; ++j) hessian_[j * size_ + j] = 1;
    for (const std::size_t r : rows_) {
      fill_features(r);
      std::vector<double> scores = scores_at(r, u);
      if (is_regression()) {
        const double precision = 1 / (prior_.noise_sd * prior_.noise_sd);
        add_score(0, (scores[0] - data_.targets[r]) * precision, precision);
      } else {
        add_classes(scores, static_cast<std::size_t>(data_.labels[r]));
      }
    }
  }

  void add_classes(std::vector<double>& scores, std::size_t label) {
    const double largest = *std::ranges::max_element(scores);
    double sum = 0;
    for (double& score : scores) sum += score = portable_exp(score - largest);
    std::ranges::fill(mean_, 0.0);
    for (std::size_t k = 0; k < scores.size(); ++k) {
      scores[k] /= sum;
      for (std::size_t j = 0; j < size_; ++j) mean_[j] += scores[k] * features_[k * size_ + j];
    }
    for (std::size_t j = 0; j < size_; ++j) gradient_[j] += mean_[j] - features_[label * size_ + j];
    for (std::size_t k = 0; k < scores.size(); ++k) {
      for (std::size_t j = 0; j < size_; ++j) features_[k * size_ + j] -= mean_[j];
      add_score(k, 0, scores[k]);
    }
  }

  // slope and curvature: of the loss by score k.
  void add_score(std::size_t k, double slope, double curvature) {
    const double* f = &features_[k * size_];
    for (std::size_t i = 0; i < size_; ++i) {
      gradient_[i] += slope * f[i];
      const double scaled = curvature * f[i];
      for (std::size_t j = 0; j <= i; ++j) hessian_[i * size_ + j] += scaled * f[j];
    }
  }

  bool descend(std::vector<double>& u, double& loss, const std::vector<double>& direction, double gain) {
    for (double step = 1; step > 1e-6; step /= 2) {
      std::vector<double> next = u;
      for (std::size_t j = 0; j < size_; ++j) next[j] -= step * direction[j];
      const double reached = loss_at(next);
      if (!(reached <= loss - 1e-4 * step * gain)) continue;
      u = std::move(next);
      loss = reached;
      return true;
    }
    return false;
  }

  const CorrectionData& data_;
  std::span<const std::size_t> rows_;
  CorrectionPrior prior_;
  std::size_t size_;
  std::vector<double> features_, mean_, gradient_, hessian_;
};

}  // namespace

CorrectionData correction_data(const Stack<float, axis::Row, axis::Out>& members, const Decision& decision) {
  const std::size_t classes = members.cols();
  CorrectionData data{.members = members.members(),
                      .scores = classes,
                      .biases = classes <= kMostBiased ? classes : 0,
                      .answer = {},
                      .away = {},
                      .labels = {},
                      .targets = {}};
  const auto decided = decide(decision, members);
  for (std::size_t r = 0; r < decided.rows(); ++r) {
    for (std::size_t k = 0; k < classes; ++k) {
      data.answer.push_back(portable_log(std::max(decided(r, k), kLeastCorrected)));
      const double here = portable_log(std::max(decided(r, k), kLeastMoved));
      for (std::size_t m = 0; m < members.members(); ++m) {
        data.away.push_back(portable_log(std::max(static_cast<double>(members[m](r, k)), kLeastMoved)) - here);
      }
    }
  }
  return data;
}

CorrectionData correction_data(MatrixView<const double, axis::Member, axis::Row> members, const Decision& decision,
                               const NumberTarget& quantity) {
  CorrectionData data{.members = members.rows(),
                      .scores = 1,
                      .biases = 1,
                      .answer = combine(decision, members),
                      .away = {},
                      .labels = {},
                      .targets = {}};
  for (std::size_t r = 0; r < data.answer.size(); ++r) {
    for (std::size_t m = 0; m < members.rows(); ++m) {
      data.away.push_back((members(m, r) - data.answer[r]) / quantity.sd);
    }
    data.answer[r] = quantity.standardised(data.answer[r]);
  }
  return data;
}

CorrectionFit fit_correction(const CorrectionData& data, std::span<const std::size_t> rows,
                             const CorrectionPrior& prior) {
  PERPEND_CHECK(data.biases == 0 || data.biases == data.scores);
  PERPEND_CHECK(prior.bias_sd > 0 && prior.pull_sd > 0 && prior.noise_sd > 0);
  return Solver(data, rows, prior).run();
}

double log_likelihood(const CorrectionData& data, std::span<const std::size_t> rows, double noise_sd) {
  double sum = 0;
  for (const std::size_t r : rows) {
    sum -= row_loss(data, r, std::span(data.answer).subspan(r * data.scores, data.scores), noise_sd);
  }
  return sum;
}

}  // namespace perpend
