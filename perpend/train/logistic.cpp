#include "perpend/train/logistic.h"

#include <algorithm>
#include <cmath>

#include "perpend/base/error.h"
#include "perpend/base/portable_math.h"
#include "perpend/base/quantile.h"

namespace perpend {

namespace {

using Numbers = std::vector<double>;

constexpr double kRidge = 1.0;           // 1 / C
constexpr double kSmallGradient = 1e-7;  // of the mean loss: this is small enough for a minimum
constexpr double kEnoughDescent = 1e-4;  // of the gain that the slope promises: if less, a shorter step is tried
constexpr int kMostHalvings = 30;        // of one step
constexpr float kLargestValue = 1e15F;   // as in predictions of networks (model/predict.h)
// A pass over the rows costs one multiplication for each of their numbers and scores. There are at most kMostPasses,
// and fewer where these would cost more than kMostProducts; but kAlwaysAllowed passes are allowed whatever they cost.
constexpr double kMostPasses = 1000;
constexpr double kMostProducts = 2e10;
constexpr double kAlwaysAllowed = 60;

double bounded(float x) { return static_cast<double>(std::clamp(x, -kLargestValue, kLargestValue)); }

// Uses four interleaved chains, which are added in a fixed order.
double dot(std::size_t n, const double* a, const double* b) {
  double chain[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    for (std::size_t c = 0; c < 4; ++c) chain[c] += a[i + c] * b[i + c];
  }
  for (; i < n; ++i) chain[0] += a[i] * b[i];
  return (chain[0] + chain[1]) + (chain[2] + chain[3]);
}
double dot(const Numbers& a, const Numbers& b) { return dot(a.size(), a.data(), b.data()); }

void add_scaled(std::size_t n, double factor, const double* x, double* sum) {
  for (std::size_t i = 0; i < n; ++i) sum[i] += factor * x[i];
}
void add_scaled(double factor, const Numbers& x, Numbers& sum) { add_scaled(x.size(), factor, x.data(), sum.data()); }

double largest(const Numbers& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

// Turns one log-odds into the probability of class 1. Returns the loss, -log of the label's probability.
double one_score_loss(std::size_t label, double& s) {
  const double size = std::abs(s);
  const double e = portable_exp(-size);
  const bool is_wrong = (s > 0) != (label == 1);
  s = (s > 0 ? 1 : e) / (1 + e);
  return (is_wrong ? size : 0) + portable_log(1 + e);
}

// Does the same with K scores, which become the probabilities of the classes.
double softmax_loss(std::size_t classes, std::size_t label, double* s) {
  const double top = *std::max_element(s, s + classes);
  const double below = top - s[label];
  double sum = 0;
  for (std::size_t k = 0; k < classes; ++k) {
    s[k] = portable_exp(s[k] - top);
    sum += s[k];
  }
  for (std::size_t k = 0; k < classes; ++k) s[k] /= sum;
  return below + portable_log(sum);
}

double probabilities_and_loss(std::size_t scores, std::size_t label, double* s) {
  return scores == 1 ? one_score_loss(label, *s) : softmax_loss(scores, label, s);
}

struct Rows {
  InputsView inputs;
  std::span<const std::int32_t> labels;
  std::span<const float> weights;       // empty: 1
  std::span<const float> targets = {};  // for a linear regression, which has these instead of labels

  std::size_t count() const { return inputs.rows(); }
  double weight(std::size_t r) const { return weights.empty() ? 1.0 : static_cast<double>(weights[r]); }
};

struct Standard {
  Numbers mean;
  Numbers scale;  // 1 / sd; 0 for a constant column
  double total_weight = 0;
};

Standard standard_of(const Rows& rows) {
  const std::size_t features = rows.inputs.cols();
  Standard found{.mean = Numbers(features, 0), .scale = Numbers(features, 0)};
  for (std::size_t r = 0; r < rows.count(); ++r) found.total_weight += rows.weight(r);
  for (std::size_t f = 0; f < features; ++f) {
    double least = kLargestValue;
    double most = -kLargestValue;
    double sum = 0;
    for (std::size_t r = 0; r < rows.count(); ++r) {
      if (rows.weight(r) == 0) continue;
      const double x = bounded(rows.inputs(r, f));
      least = std::min(least, x);
      most = std::max(most, x);
      sum += rows.weight(r) * x;
    }
    if (!(least < most)) continue;
    found.mean[f] = sum / found.total_weight;
    double squares = 0;
    for (std::size_t r = 0; r < rows.count(); ++r) {
      const double off = bounded(rows.inputs(r, f)) - found.mean[f];
      squares += rows.weight(r) * off * off;
    }
    found.scale[f] = 1 / std::sqrt(squares / found.total_weight);
  }
  return found;
}

// The function to minimise. Its parameters are, score after score, the weights of the standardised columns and then the
// bias.
class PenalisedLoss {
 public:
  PenalisedLoss(const Rows& rows, const Standard& standard, std::size_t scores)
      : rows_(rows),
        standard_(standard),
        scores_(scores),
        width_(rows.inputs.cols() + 1),
        row_(width_, 1),
        probabilities_(rows.count(), scores) {}

  std::size_t parameters() const { return scores_ * width_; }
  bool may_pass() const {
    const double cost = static_cast<double>(rows_.count()) * static_cast<double>(parameters());
    return passes_ < std::clamp(kMostProducts / cost, kAlwaysAllowed, kMostPasses);
  }

  // The value at these parameters, and its gradient. Calls of hessian() that follow are at these parameters.
  double value(const Numbers& at, Numbers& gradient) {
    double sum = penalty(at, gradient);
    ++passes_;
    for (std::size_t r = 0; r < rows_.count(); ++r) {
      const double weight = rows_.weight(r);
      if (weight == 0) continue;
      double* p = probabilities_.row(r);
      apply(r, at, p);
      if (!rows_.targets.empty()) {
        const double error = *p - rows_.targets[r];
        sum += weight * error * error / 2;
        add_scaled(width_, weight * error, row_.data(), gradient.data());
        continue;
      }
      const auto label = static_cast<std::size_t>(rows_.labels[r]);
      sum += weight * probabilities_and_loss(scores_, label, p);
      for (std::size_t s = 0; s < scores_; ++s) {
        const double wanted = label == (scores_ == 1 ? 1 : s) ? 1 : 0;
        add_scaled(width_, weight * (p[s] - wanted), row_.data(), &gradient[s * width_]);
      }
    }
    return sum;
  }

  // product = H direction. Where the scores of a row change by q, p_s changes by p_s (q_s - sum_k p_k q_k). With one
  // score that is p (q - p q).
  void hessian(const Numbers& direction, Numbers& product) {
    penalty(direction, product);
    ++passes_;
    Numbers q(scores_);
    for (std::size_t r = 0; r < rows_.count(); ++r) {
      const double weight = rows_.weight(r);
      if (weight == 0) continue;
      const double* p = probabilities_.row(r);
      apply(r, direction, q.data());
      if (!rows_.targets.empty()) {
        add_scaled(width_, weight * q[0], row_.data(), product.data());
        continue;
      }
      const double mean = dot(scores_, p, q.data());
      for (std::size_t s = 0; s < scores_; ++s) {
        add_scaled(width_, weight * p[s] * (q[s] - mean), row_.data(), &product[s * width_]);
      }
    }
  }

 private:
  // Computes the scores of a row. row_ becomes the standardised row, with a one for the bias.
  void apply(std::size_t r, const Numbers& parameters, double* scores) {
    const float* x = rows_.inputs.row(r);
    for (std::size_t f = 0; f + 1 < width_; ++f) row_[f] = (bounded(x[f]) - standard_.mean[f]) * standard_.scale[f];
    for (std::size_t s = 0; s < scores_; ++s) scores[s] = dot(width_, &parameters[s * width_], row_.data());
  }

  // 1 / (2 C) |w|^2, and its derivative, which is 0 for biases.
  double penalty(const Numbers& at, Numbers& derivative) const {
    double sum = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
      const bool is_bias = i % width_ + 1 == width_;
      derivative[i] = is_bias ? 0 : kRidge * at[i];
      sum += derivative[i] * at[i] / 2;
    }
    return sum;
  }

  const Rows& rows_;
  const Standard& standard_;
  std::size_t scores_;
  std::size_t width_;  // columns and the bias
  Numbers row_;
  Matrix<double, axis::Row, axis::Score> probabilities_;
  double passes_ = 0;
};

// The side of 0 that each parameter may be on. Directions bound the weights of one score; the bias is free.
class Bounds {
 public:
  explicit Bounds(std::span<const Direction> directions) : directions_(directions) {}
  bool empty() const { return directions_.empty(); }

  // Sets parameters on the wrong side to 0.
  void project(Numbers& at) const {
    for (std::size_t i = 0; i < directions_.size(); ++i) {
      if (directions_[i] == Direction::increasing) at[i] = std::max(at[i], 0.0);
      if (directions_[i] == Direction::decreasing) at[i] = std::min(at[i], 0.0);
    }
  }
  // The gradient, with 0 for the parameters that are 0 and would leave their side if they followed it.
  Numbers free_part(const Numbers& at, Numbers gradient) const {
    for (std::size_t i = 0; i < directions_.size(); ++i) {
      const bool leaves = directions_[i] == Direction::increasing   ? gradient[i] > 0
                          : directions_[i] == Direction::decreasing ? gradient[i] < 0
                                                                    : false;
      if (at[i] == 0 && leaves) gradient[i] = 0;
    }
    return gradient;
  }

 private:
  std::span<const Direction> directions_;
};

// Solves H step = -gradient by conjugate gradients, until the residual is `share` of the gradient. With bounds, only
// parameters whose gradient is not 0 take part.
Numbers newton_step(PenalisedLoss& loss, const Numbers& gradient, const Bounds& bounds, double share) {
  Numbers step(gradient.size(), 0);
  Numbers residual(gradient.size(), 0);
  add_scaled(-1, gradient, residual);
  Numbers direction = residual;
  Numbers product(gradient.size());
  double squares = dot(residual, residual);
  const double enough = share * share * squares;
  for (std::size_t i = 0; i < gradient.size() && squares > enough && loss.may_pass(); ++i) {
    loss.hessian(direction, product);
    for (std::size_t j = 0; j < product.size() && !bounds.empty(); ++j) product[j] = gradient[j] == 0 ? 0 : product[j];
    const double curvature = dot(direction, product);
    if (!(curvature > 0)) break;  // every row is decided: only rounding errors are left
    add_scaled(squares / curvature, direction, step);
    add_scaled(-squares / curvature, product, residual);
    const double before = squares;
    squares = dot(residual, residual);
    for (std::size_t j = 0; j < direction.size(); ++j) direction[j] = residual[j] + squares / before * direction[j];
  }
  return step;
}

// By how much the gradient says that the value changes from `at` to `there`.
double promise(const Numbers& gradient, const Numbers& at, const Numbers& there) {
  double sum = 0;
  for (std::size_t i = 0; i < at.size(); ++i) sum += gradient[i] * (there[i] - at[i]);
  return sum;
}

// Moves `at` along the step, or a half of it, a quarter, and so on. Returns false when none of them gains enough.
bool descend(PenalisedLoss& loss, const Numbers& step, const Bounds& bounds, Numbers& at, double& value,
             Numbers& gradient) {
  const double slope = dot(gradient, step);
  const Numbers here = gradient;
  double length = 1;
  for (int halvings = 0; slope < 0 && halvings <= kMostHalvings; ++halvings, length /= 2) {
    Numbers there = at;
    add_scaled(length, step, there);
    bounds.project(there);
    const double promised = bounds.empty() ? length * slope : promise(here, at, there);
    const double found = loss.value(there, gradient);
    if (!(found <= value + kEnoughDescent * promised)) continue;
    at = std::move(there);
    value = found;
    return true;
  }
  return false;
}

Numbers minimum(PenalisedLoss& loss, double total_weight, const Bounds& bounds) {
  Numbers at(loss.parameters(), 0);
  Numbers gradient(at.size());
  double value = loss.value(at, gradient);
  Numbers free = bounds.free_part(at, gradient);
  const double first = largest(free);
  while (largest(free) > kSmallGradient * total_weight && loss.may_pass()) {
    // Far from the minimum a rough step is enough. Near it, an exact step doubles the number of correct digits.
    const double share = std::min(0.5, std::sqrt(largest(free) / first));
    if (!descend(loss, newton_step(loss, free, bounds, share), bounds, at, value, gradient)) break;
    free = bounds.free_part(at, gradient);
  }
  return at;
}

}  // namespace

LogisticRegression fit_logistic(InputsView inputs, std::span<const std::int32_t> labels, std::size_t classes,
                                std::span<const float> row_weights, std::span<const Direction> directions) {
  PERPEND_CHECK(classes >= 2 && labels.size() == inputs.rows());
  PERPEND_CHECK(row_weights.empty() || row_weights.size() == inputs.rows());
  PERPEND_CHECK(directions.empty() || (classes == 2 && directions.size() == inputs.cols()));
  const Rows rows{inputs, labels, row_weights};
  const Standard standard = standard_of(rows);
  const std::size_t scores = classes == 2 ? 1 : classes;
  PenalisedLoss loss(rows, standard, scores);
  const Numbers found = minimum(loss, standard.total_weight, Bounds(directions));
  LogisticRegression model{.classes = classes, .weights = {scores, inputs.cols()}, .bias = {}};
  for (std::size_t s = 0; s < scores; ++s) {
    const double* own = &found[s * (inputs.cols() + 1)];
    for (std::size_t f = 0; f < inputs.cols(); ++f) model.weights(s, f) = own[f] * standard.scale[f];
    model.bias.push_back(own[inputs.cols()] - dot(inputs.cols(), model.weights.row(s), standard.mean.data()));
  }
  return model;
}

LinearRegression fit_linear(InputsView inputs, std::span<const float> targets, const RegressionLoss& loss,
                            std::span<const float> row_weights, std::span<const Direction> directions) {
  PERPEND_CHECK(targets.size() == inputs.rows());
  PERPEND_CHECK(row_weights.empty() || row_weights.size() == inputs.rows());
  const Rows rows{inputs, {}, row_weights, targets};
  const Standard standard = standard_of(rows);
  PenalisedLoss penalised(rows, standard, 1);
  const Numbers found = minimum(penalised, standard.total_weight, Bounds(directions));
  LinearRegression model;
  for (std::size_t f = 0; f < inputs.cols(); ++f) model.weights.push_back(found[f] * standard.scale[f]);
  model.bias = found[inputs.cols()] - dot(inputs.cols(), model.weights.data(), standard.mean.data());
  if (loss.kind == RegressionLoss::Kind::squared) return model;
  Numbers residuals = predictions(model, inputs);
  for (std::size_t r = 0; r < residuals.size(); ++r) residuals[r] = targets[r] - residuals[r];
  model.bias += weighted_quantile(residuals, Numbers(row_weights.begin(), row_weights.end()), loss.share_below());
  return model;
}

std::vector<double> predictions(const LinearRegression& model, InputsView inputs) {
  PERPEND_CHECK(inputs.cols() == model.weights.size());
  std::vector<double> out;
  Numbers x(inputs.cols());
  for (std::size_t r = 0; r < inputs.rows(); ++r) {
    std::transform(inputs.row(r), inputs.row(r) + inputs.cols(), x.begin(), bounded);
    out.push_back(model.bias + dot(x.size(), model.weights.data(), x.data()));
  }
  return out;
}

Matrix<float, axis::Row, axis::Out> class_probabilities(const LogisticRegression& model, InputsView inputs) {
  PERPEND_CHECK(inputs.cols() == model.weights.cols());
  const std::size_t scores = model.bias.size();
  Matrix<float, axis::Row, axis::Out> out(inputs.rows(), model.classes);
  Numbers x(inputs.cols());
  Numbers p(scores);
  for (std::size_t r = 0; r < inputs.rows(); ++r) {
    std::transform(inputs.row(r), inputs.row(r) + inputs.cols(), x.begin(), bounded);
    for (std::size_t s = 0; s < scores; ++s) p[s] = model.bias[s] + dot(x.size(), model.weights.row(s), x.data());
    probabilities_and_loss(scores, 0, p.data());
    if (scores == 1) {
      out(r, 1) = static_cast<float>(p[0]);
      out(r, 0) = 1 - out(r, 1);
    } else {
      for (std::size_t k = 0; k < scores; ++k) out(r, k) = static_cast<float>(p[k]);
    }
  }
  return out;
}

}  // namespace perpend
