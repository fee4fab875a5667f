#include "perpend/run/view_weights.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "perpend/evaluate/blend.h"
#include "perpend/model/predict.h"
#include "perpend/model/regression.h"

namespace perpend {

namespace {

constexpr int kMostSteps = 500;
constexpr double kSmallMove = 1e-6;

struct Views {
  std::vector<View> views;           // those that members have
  std::vector<std::size_t> members;  // how many have each
  std::vector<std::size_t> of;       // per member, its place in `views`
};

Views views_of(const Ensemble& ensemble) {
  Views found;
  for (std::size_t m = 0; ensemble.architecture.has_views() && m < ensemble.members.size(); ++m) {
    const View view = ensemble.architecture.view_of(m);
    const auto known = std::ranges::find(found.views, view);
    found.of.push_back(static_cast<std::size_t>(known - found.views.begin()));
    if (known == found.views.end()) {
      found.views.push_back(view);
      found.members.push_back(0);
    }
    ++found.members[found.of.back()];
  }
  return found;
}

// Per row and view, the mean probability that its members give to the label: (rows, views).
std::vector<double> label_probabilities(const Ensemble& ensemble, const Views& views, const Dataset& validation,
                                        const Threads& threads) {
  const std::size_t count = views.views.size();
  const auto members = member_probabilities(ensemble, validation.inputs.view(), threads);
  std::vector<double> p(validation.rows() * count, 0.0);
  for (std::size_t m = 0; m < views.of.size(); ++m) {
    for (std::size_t r = 0; r < validation.rows(); ++r) {
      p[r * count + views.of[m]] += static_cast<double>(members[m](r, static_cast<std::size_t>(validation.labels[r]))) /
                                    static_cast<double>(views.members[views.of[m]]);
    }
  }
  return p;
}

std::vector<double> usual_shares(const std::vector<View>& views) {
  std::vector<double> shares;
  double sum = 0;
  for (const View view : views) {
    shares.push_back(view == View::trees ? kTreesCountAs : 1);
    sum += shares.back();
  }
  for (double& share : shares) share /= sum;
  return shares;
}

std::vector<double> best_shares(const std::vector<double>& p, std::span<const float> weights,
                                const std::vector<double>& usual) {
  const std::size_t count = usual.size();
  const std::size_t rows = p.size() / count;
  std::vector<double> shares = usual;
  const auto weight = [&](std::size_t r) { return weights.empty() ? 1.0 : static_cast<double>(weights[r]); };
  double all = 0;
  for (std::size_t r = 0; r < rows; ++r) all += weight(r);
  for (int step = 0; all > 0 && step < kMostSteps; ++step) {
    std::vector<double> credit(count, 0.0);  // how much of each row's answer is due to a view
    for (std::size_t r = 0; r < rows; ++r) {
      double sum = 0;
      for (std::size_t v = 0; v < count; ++v) sum += shares[v] * p[r * count + v];
      for (std::size_t v = 0; v < count && sum > 0; ++v) credit[v] += weight(r) * shares[v] * p[r * count + v] / sum;
    }
    double total = 0;
    for (std::size_t v = 0; v < count; ++v) {
      credit[v] += kShareStrength * all * usual[v];
      total += credit[v];
    }
    double moved = 0;
    for (std::size_t v = 0; v < count; ++v) {
      moved = std::max(moved, std::abs(credit[v] / total - shares[v]));
      shares[v] = credit[v] / total;
    }
    if (moved < kSmallMove) break;
  }
  return shares;
}

// The same for a regression, by the mean prediction of each view's members.
std::vector<double> number_shares(const Ensemble& ensemble, const Views& views, const Dataset& validation,
                                  const std::vector<double>& usual, const Threads& threads) {
  if (validation.rows() == 0) return usual;
  const auto members = member_predictions(ensemble, validation.inputs.view(), threads);
  Matrix<double, axis::Member, axis::Row> by_view(usual.size(), validation.rows());
  for (std::size_t m = 0; m < views.of.size(); ++m) {
    const auto count = static_cast<double>(views.members[views.of[m]]);
    for (std::size_t r = 0; r < validation.rows(); ++r) by_view(views.of[m], r) += members(m, r) / count;
  }
  return blended_shares(by_view.view(), targets_of(validation), validation.weights, validation.quantity->loss, usual,
                        kShareStrength * static_cast<double>(validation.rows()));
}

}  // namespace

Decision weigh_views(const Ensemble& ensemble, const Dataset& validation, const Threads& threads) {
  Decision decision = equal_mean(ensemble.members.size());
  const Views views = views_of(ensemble);
  if (views.views.size() < 2) return decision;
  const auto usual = usual_shares(views.views);
  const auto shares = validation.quantity ? number_shares(ensemble, views, validation, usual, threads)
                                          : best_shares(label_probabilities(ensemble, views, validation, threads),
                                                        validation.weights, usual);
  for (std::size_t m = 0; m < decision.weights.size(); ++m) {
    decision.weights[m] = shares[views.of[m]] / static_cast<double>(views.members[views.of[m]]);
  }
  return decision;
}

void weigh_views(TrainResult& trained, const Dataset& validation, const Threads& threads) {
  const std::size_t members = trained.ensemble.members.size();
  if (members > 0 && trained.decision == equal_mean(members)) {
    trained.decision = weigh_views(trained.ensemble, validation, threads);
  }
}

}  // namespace perpend
