#include "perpend/model/decision.h"

#include <algorithm>
#include <cmath>

#include "perpend/base/error.h"
#include "perpend/base/portable_math.h"
#include "perpend/base/quantile.h"

namespace perpend {

namespace {

using Members = Stack<float, axis::Row, axis::Out>;

// row_of(m) has the probabilities of member m, until it is called again.
template <class RowOf>
std::vector<double> gated_of(const Decision& decision, const RowOf& row_of, std::size_t classes) {
  std::vector<double> all;
  for (std::size_t m = 0; m < decision.weights.size(); ++m) {
    const float* p = row_of(m);
    all.insert(all.end(), p, p + classes);
  }
  return gated_weights(decision.weights, *decision.gate, gate_features(decision.weights, all, classes));
}

template <class RowOf>
void combine_row(const Decision& decision, const RowOf& row_of, std::span<double> out) {
  const std::size_t classes = out.size();
  const std::vector<double> gated = decision.gate ? gated_of(decision, row_of, classes) : std::vector<double>();
  const std::vector<double>& weights = decision.gate ? gated : decision.weights;
  for (std::size_t m = 0; m < weights.size(); ++m) {
    const float* p = row_of(m);
    const double weight = weights[m];
    if (decision.rule == Rule::samme) {
      out[vote(p, classes)] += weight;
      continue;
    }
    for (std::size_t k = 0; k < classes; ++k) {
      const double value = decision.rule == Rule::mean
                               ? p[k]
                               : portable_log(std::max(static_cast<double>(p[k]), kLeastBoostedProbability));
      out[k] += weight * value;
    }
  }
  if (decision.rule == Rule::mean) return;
  if (decision.rule == Rule::samme) {
    const auto k = static_cast<double>(classes);
    for (double& votes : out) votes *= k / ((k - 1) * (k - 1));
  }
  softmax(out);
}

template <class RowOf>
void correct_row(const Correction& correction, const RowOf& row_of, std::span<double> out) {
  double moved_by = 0;
  for (const double pull : correction.pull) moved_by += pull;
  for (std::size_t k = 0; k < out.size(); ++k) {
    double score = portable_log(std::max(out[k], kLeastCorrected)) + correction.bias[k];
    score -= moved_by * portable_log(std::max(out[k], kLeastMoved));
    for (std::size_t m = 0; m < correction.pull.size(); ++m) {
      score += correction.pull[m] * portable_log(std::max(static_cast<double>(row_of(m)[k]), kLeastMoved));
    }
    out[k] = score;
  }
  softmax(out);
}

template <class RowOf>
void decide_row(const Decision& decision, const RowOf& row_of, std::span<double> out) {
  combine_row(decision, row_of, out);
  apply(decision.map, out);
  if (decision.correction) correct_row(*decision.correction, row_of, out);
}

double combined(const Decision& decision, MatrixView<const double, axis::Member, axis::Row> members, std::size_t r) {
  if (decision.rule == Rule::median) {
    std::vector<double> answers;
    for (std::size_t m = 0; m < members.rows(); ++m) answers.push_back(members(m, r));
    return weighted_quantile(answers, decision.weights, 0.5);
  }
  const auto weighted_sum = [&](const std::vector<double>& weights) {
    double sum = 0;
    for (std::size_t m = 0; m < members.rows(); ++m) sum += weights[m] * members(m, r);
    return sum;
  };
  if (!decision.gate) return weighted_sum(decision.weights);
  std::vector<double> predictions;
  for (std::size_t m = 0; m < members.rows(); ++m) predictions.push_back(members(m, r));
  const Gate& gate = *decision.gate;
  return weighted_sum(
      gated_weights(decision.weights, gate, gate_features(decision.weights, predictions, gate.centre, gate.scale)));
}

}  // namespace

Decision equal_mean(std::size_t members) {
  return {Rule::mean, std::vector<double>(members, 1.0 / static_cast<double>(members))};
}

std::vector<double> member_says(const Decision& decision) {
  std::vector<double> says = decision.weights;
  if (!decision.correction) return says;
  double moved_by = 0;
  for (const double pull : decision.correction->pull) moved_by += pull;
  for (std::size_t m = 0; m < says.size(); ++m) says[m] += decision.correction->pull[m] - moved_by * says[m];
  return says;
}

std::vector<double> member_shares(const Decision& decision) {
  std::vector<double> shares = member_says(decision);
  double sum = 0;
  for (double& share : shares) sum += share = std::abs(share);
  for (double& share : shares) share /= sum;
  return shares;
}

std::string problem_of(const Correction& correction, std::size_t biases, std::size_t members) {
  if (correction.bias.size() != biases) return "it does not have one bias per class";
  if (correction.pull.size() != members) return "it does not have one pull per member";
  const auto all_within = [](const std::vector<double>& numbers, double most) {
    return std::ranges::all_of(numbers, [most](double x) { return std::abs(x) <= most; });
  };
  if (!all_within(correction.bias, kMostBias)) return "a bias is beyond any number that is predicted";
  if (!all_within(correction.pull, kMostPull)) return "a pull is not from -1e6 to 1e6";
  return "";
}

std::size_t answered_class(const Decision& decision, const double* probabilities, std::size_t classes) {
  if (classes == 2) return probabilities[1] > decision.threshold.value_or(0.5) ? 1 : 0;
  return static_cast<std::size_t>(std::max_element(probabilities, probabilities + classes) - probabilities);
}

bool is_threshold(double threshold) { return threshold > 0 && threshold < 1; }

bool are_member_weights(std::span<const double> weights) {
  double sum = 0;
  for (const double weight : weights) {
    if (!(weight >= 0)) return false;
    sum += weight;
  }
  return std::abs(sum - 1) <= 1e-9;
}

std::size_t vote(const float* probabilities, std::size_t classes) {
  return static_cast<std::size_t>(std::max_element(probabilities, probabilities + classes) - probabilities);
}

Matrix<double, axis::Row, axis::Out> decide(const Decision& decision, const Members& members) {
  PERPEND_CHECK(decision.weights.size() == members.members());
  Matrix<double, axis::Row, axis::Out> out(members.rows(), members.cols());
  for (std::size_t r = 0; r < out.rows(); ++r) {
    decide_row(decision, [&](std::size_t m) { return members[m].row(r); }, {out.row(r), out.cols()});
  }
  return out;
}

std::vector<double> decide(const Decision& decision, MatrixView<const double, axis::Member, axis::Row> members) {
  PERPEND_CHECK(decision.weights.size() == members.rows());
  std::vector<double> out(members.cols());
  for (std::size_t r = 0; r < out.size(); ++r) {
    float both[2] = {};
    double decided[2] = {};
    const auto row_of = [&](std::size_t m) {
      both[1] = static_cast<float>(members(m, r));
      both[0] = 1 - both[1];
      return both;
    };
    decide_row(decision, row_of, decided);
    out[r] = decided[1];
  }
  return out;
}

std::vector<double> combine(const Decision& decision, MatrixView<const double, axis::Member, axis::Row> members) {
  PERPEND_CHECK(decision.weights.size() == members.rows());
  std::vector<double> out;
  out.reserve(members.cols());
  for (std::size_t r = 0; r < members.cols(); ++r) {
    const double plain = combined(decision, members, r);
    out.push_back(plain);
    if (!decision.correction) continue;
    out.back() += decision.correction->bias[0];
    for (std::size_t m = 0; m < members.rows(); ++m) {
      out.back() += decision.correction->pull[m] * (members(m, r) - plain);
    }
  }
  return out;
}

std::vector<double> row_log_losses(MatrixView<const double, axis::Row, axis::Out> probabilities,
                                   std::span<const std::int32_t> labels) {
  constexpr double kLeast = 1e-15;
  PERPEND_CHECK(labels.size() == probabilities.rows());
  std::vector<double> losses;
  losses.reserve(labels.size());
  for (std::size_t r = 0; r < labels.size(); ++r) {
    losses.push_back(-portable_log(std::max(probabilities(r, static_cast<std::size_t>(labels[r])), kLeast)));
  }
  return losses;
}

}  // namespace perpend
