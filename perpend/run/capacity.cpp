#include "perpend/run/capacity.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "perpend/base/error.h"
#include "perpend/base/option_mention.h"
#include "perpend/evaluate/ensemble.h"
#include "perpend/model/predict.h"
#include "perpend/run/take_rows.h"

namespace perpend {

namespace {

Metric measure_of(const Scores& scores, bool by_accuracy) {
  return by_accuracy && !scores.regression ? scores.accuracy : scores.merit();
}

bool is_by_accuracy(const Dataset& rows) { return !rows.quantity && rows.classes.size() > 2; }

// Compares every pair of members: means over the rows.
GradientDiversity pairs_of(const Ensemble& ensemble, const CapacityData& data, const Threads& threads) {
  if (data.tangents.empty()) return gradient_diversity(ensemble, data.held_out.inputs.view(), threads);
  const auto gradients = input_gradients(ensemble, data.held_out.inputs.view(), threads);
  std::vector<InputsView> members;
  for (std::size_t m = 0; m < gradients.members(); ++m) members.push_back(gradients[m]);
  return tangent_diversity(members, data.tangents);
}

}  // namespace

std::vector<std::string> validate(const CapacitySettings& settings) {
  std::vector<std::string> problems;
  const auto need = [&](bool holds, const std::string& problem) {
    if (!holds) problems.push_back(problem);
  };
  need(settings.most >= 2 && settings.most <= kMostCapacity,
       "the largest number of networks must be from 2 to " + std::to_string(kMostCapacity));
  need(settings.restarts >= 1 && settings.restarts <= 1000, "the number of restarts must be from 1 to 1000");
  need(settings.lambda > 0 && settings.lambda <= 1e6, "lambda must be above 0 and at most 1e6");
  need(settings.keep > 0 && settings.keep <= 1, "the share to keep must be above 0 and at most 1");
  need(settings.bound > 0 && settings.bound < 1, "the bound of cos^2 must be above 0 and below 1");
  return problems;
}

std::vector<double> ridge_lambdas(const CapacitySettings& settings) {
  std::vector<double> lambdas = {0, 0.03, 0.1, 0.3, 1};
  std::erase(lambdas, settings.lambda);
  lambdas.push_back(settings.lambda);
  std::ranges::sort(lambdas);
  return lambdas;
}

TrainOptions capacity_training(int members, double lambda, std::size_t rows) {
  TrainOptions options;
  options.members = members;
  options.lambda = lambda;
  options.hidden = {32};
  options.dropout = 0.2;
  options.learning_rate = 3e-3;
  options.batch_size = 0;
  options.epochs = static_cast<int>(std::max<std::size_t>(1, kCapacityVisits / std::max<std::size_t>(1, rows)));
  options.threads = 1;
  return options;
}

std::size_t largest_independent(const std::vector<bool>& good, const Matrix<double, axis::Row, axis::Row>& cos2,
                                double bound) {
  const std::size_t members = good.size();
  PERPEND_CHECK(members <= kMostCapacity && cos2.rows() == members && cos2.cols() == members);
  std::vector<std::uint32_t> friends(members, 0);  // which members each can stand beside, itself included
  for (std::size_t a = 0; a < members; ++a) {
    for (std::size_t b = 0; b < members; ++b) {
      if (good[a] && good[b] && (a == b || cos2(a, b) <= bound)) friends[a] |= 1U << b;
    }
  }
  std::size_t largest = 0;
  for (std::uint32_t set = 1; set < 1U << members; ++set) {
    bool holds = true;
    for (std::size_t m = 0; m < members && holds; ++m) holds = (set >> m & 1U) == 0 || (set & ~friends[m]) == 0;
    if (holds) largest = std::max<std::size_t>(largest, static_cast<std::size_t>(std::popcount(set)));
  }
  return largest;
}

CapacityData capacity_data(const Prepared& data, std::uint64_t seed) {
  if (!data.tangents.train.empty() && !data.tangents.train.is_shared()) {
    throw ConfigError("the capacity needs one basis for all rows; give " + option_mention("manifold", "auto") +
                      ", none or pca:K");
  }
  return {.train = some_rows(data.train, kMostCapacityRows, seed),
          .held_out = some_rows(joined(data.validation, data.test), kMostCapacityRows, seed),
          .tangents = data.tangents.train};
}

CapacityTrial capacity_trial(const CapacityData& data, const TrainOptions& options, TrainCallback* callback) {
  const TrainResult trained = train({.train = &data.train, .callback = callback, .tangents = &data.tangents}, options);
  CapacityTrial trial;
  trial.ok = trained.status == TrainStatus::ok;
  if (!trial.ok) return trial;
  const Threads threads(options.threads);
  const auto members = static_cast<std::size_t>(options.members);
  const Evaluation seen = evaluate_ensemble(trained.ensemble, trained.decision, data.held_out, threads);
  const bool by_accuracy = is_by_accuracy(data.held_out);
  for (const Scores& member : seen.members) {
    trial.measures.push_back(measure_of(member, by_accuracy).value_or(guessed_measure(data.held_out)));
  }
  trial.loss = seen.trained_for().value_or(0);
  trial.cos2 = Matrix<double, axis::Row, axis::Row>(members, members);
  for (const auto& pair : pairs_of(trained.ensemble, data, threads).pairs) {
    trial.cos2(pair.first, pair.second) = trial.cos2(pair.second, pair.first) = pair.cos2.value_or(0);
  }
  return trial;
}

double guessed_measure(const Dataset& held_out) {
  if (held_out.quantity) return 0;
  if (!is_by_accuracy(held_out)) return 0.5;
  std::vector<double> counts(held_out.classes.size(), 0);
  for (const std::int32_t label : held_out.labels) ++counts[static_cast<std::size_t>(label)];
  return std::ranges::max(counts) / static_cast<double>(held_out.rows());
}

std::size_t counted_in(const CapacityTrial& trial, double alone, double guess, const CapacitySettings& settings) {
  const double least = guess + settings.keep * (alone - guess);
  std::vector<bool> good;
  for (const double measure : trial.measures) good.push_back(measure >= least);
  return trial.ok ? largest_independent(good, trial.cos2, settings.bound) : 0;
}

}  // namespace perpend
