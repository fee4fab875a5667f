#include "perpend/evaluate/blend.h"

#include <algorithm>
#include <cmath>

#include "perpend/base/error.h"
#include "perpend/base/portable_math.h"

namespace perpend {

namespace {

constexpr int kMostBlendSteps = 500;
constexpr int kMostStepHalvings = 40;
constexpr double kSettledBlend = 1e-7;
constexpr double kLeastBlendShare = 1e-9;

using Shares = std::vector<double>;

class BlendCost {
 public:
  BlendCost(MatrixView<const double, axis::Member, axis::Row> predictions, std::span<const double> targets,
            std::span<const float> row_weights, const RegressionLoss& loss, std::span<const double> usual, double pull)
      : predictions_(predictions),
        targets_(targets),
        row_weights_(row_weights),
        loss_(loss),
        usual_(usual.begin(), usual.end()),
        pull_(pull) {
    double all = 0;
    for (std::size_t r = 0; r < targets.size(); ++r) all += weight(r);
    Shares slope(usual_.size());
    const double cost = rows_cost(usual_, slope);
    const double per_row = (loss.kind == RegressionLoss::Kind::squared ? 2 : 1) * cost / std::max(all, 1e-300);
    scale_ = per_row > 0 ? 1 / per_row : 0;
  }
  bool is_flat() const { return scale_ == 0; }

  double at(const Shares& shares, Shares& slope) const {
    double cost = scale_ * rows_cost(shares, slope);
    for (std::size_t v = 0; v < shares.size(); ++v) {
      cost -= pull_ * usual_[v] * portable_log(shares[v]);
      slope[v] = scale_ * slope[v] - pull_ * usual_[v] / shares[v];
    }
    return cost;
  }

 private:
  double weight(std::size_t r) const { return row_weights_.empty() ? 1.0 : static_cast<double>(row_weights_[r]); }

  double rows_cost(const Shares& shares, Shares& slope) const {
    std::ranges::fill(slope, 0.0);
    double cost = 0;
    for (std::size_t r = 0; r < targets_.size(); ++r) {
      double error = -targets_[r];
      for (std::size_t v = 0; v < shares.size(); ++v) error += shares[v] * predictions_(v, r);
      cost += weight(r) * loss_.value(error);
      const double down = weight(r) * loss_.derivative(error, error > 0);
      for (std::size_t v = 0; v < shares.size(); ++v) slope[v] += down * predictions_(v, r);
    }
    return cost;
  }

  MatrixView<const double, axis::Member, axis::Row> predictions_;
  std::span<const double> targets_;
  std::span<const float> row_weights_;
  RegressionLoss loss_;
  Shares usual_;
  double pull_;
  double scale_ = 0;
};

Shares moved(const Shares& from, const Shares& slope, double step) {
  double middle = 0;
  for (std::size_t v = 0; v < from.size(); ++v) middle += from[v] * slope[v];
  Shares to(from.size());
  double sum = 0;
  for (std::size_t v = 0; v < from.size(); ++v) {
    const double power = std::clamp(-step * (slope[v] - middle), -30.0, 30.0);
    sum += to[v] = std::max(from[v] * portable_exp(power), kLeastBlendShare);
  }
  for (double& share : to) share /= sum;
  return to;
}

}  // namespace

std::vector<double> blended_shares(MatrixView<const double, axis::Member, axis::Row> predictions,
                                   std::span<const double> targets, std::span<const float> row_weights,
                                   const RegressionLoss& loss, std::span<const double> usual, double pull) {
  PERPEND_CHECK(predictions.rows() == usual.size() && predictions.cols() == targets.size() && pull > 0);
  Shares shares(usual.begin(), usual.end());
  if (targets.empty() || shares.size() < 2) return shares;
  const BlendCost cost(predictions, targets, row_weights, loss, usual, pull);
  if (cost.is_flat()) return shares;
  Shares slope(shares.size());
  Shares next_slope(shares.size());
  double value = cost.at(shares, slope);
  double step = 1 / (static_cast<double>(targets.size()) + pull);
  for (int i = 0; i < kMostBlendSteps; ++i) {
    double change = 0;
    bool gained = false;
    for (int halvings = 0; halvings < kMostStepHalvings && !gained; ++halvings) {
      Shares next = moved(shares, slope, step);
      const double found = cost.at(next, next_slope);
      gained = found < value;
      if (!gained) {
        step /= 2;
        continue;
      }
      for (std::size_t v = 0; v < next.size(); ++v) change = std::max(change, std::abs(next[v] - shares[v]));
      shares = std::move(next);
      value = found;
      std::swap(slope, next_slope);
      step *= 1.5;
    }
    if (!gained || change < kSettledBlend) break;
  }
  return shares;
}

}  // namespace perpend
