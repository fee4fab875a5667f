#include "perpend/train/bagging.h"

#include <algorithm>

#include "perpend/base/random.h"
#include "perpend/model/predict.h"

namespace perpend {

std::vector<std::uint32_t> bootstrap_rows(std::uint64_t seed, std::size_t member, std::size_t rows) {
  const Stream stream(
      {.seed = seed, .purpose = Purpose::bootstrap, .member = static_cast<std::uint32_t>(member), .step = 0});
  std::vector<std::uint32_t> sample(rows);
  for (std::size_t i = 0; i < rows; ++i) sample[i] = static_cast<std::uint32_t>(stream.below(i, rows));
  return sample;
}

namespace {

// Per member (rows, outputs): probabilities, or one prediction for a regression.
std::vector<Matrix<double, axis::Row, axis::Out>> member_answers(const Ensemble& ensemble, InputsView inputs,
                                                                 const Threads& threads) {
  std::vector<Matrix<double, axis::Row, axis::Out>> answers;
  if (ensemble.architecture.quantity) {
    const auto predictions = member_predictions(ensemble, inputs, threads);
    for (std::size_t m = 0; m < predictions.rows(); ++m) {
      auto& own = answers.emplace_back(inputs.rows(), 1);
      for (std::size_t r = 0; r < inputs.rows(); ++r) own(r, 0) = predictions(m, r);
    }
    return answers;
  }
  const auto probabilities = member_probabilities(ensemble, inputs, threads);
  for (std::size_t m = 0; m < probabilities.members(); ++m) {
    auto& own = answers.emplace_back(inputs.rows(), probabilities.cols());
    for (std::size_t r = 0; r < inputs.rows(); ++r) std::copy_n(probabilities[m].row(r), own.cols(), own.row(r));
  }
  return answers;
}

}  // namespace

OutOfBag out_of_bag(const Ensemble& ensemble, const Dataset& train, std::uint64_t seed, const Threads& threads) {
  const auto answers = member_answers(ensemble, train.inputs.view(), threads);
  const std::size_t outputs = answers.front().cols();
  Matrix<double, axis::Row, axis::Out> sums(train.rows(), outputs);
  std::vector<int> strangers(train.rows(), 0);
  for (std::size_t m = 0; m < answers.size(); ++m) {
    std::vector<char> seen(train.rows(), 0);
    for (const auto r : bootstrap_rows(seed, m, train.rows())) seen[r] = 1;
    for (std::size_t r = 0; r < train.rows(); ++r) {
      if (seen[r] != 0) continue;
      ++strangers[r];
      for (std::size_t k = 0; k < outputs; ++k) sums(r, k) += answers[m](r, k);
    }
  }
  OutOfBag out;
  for (std::size_t r = 0; r < train.rows(); ++r) {
    if (strangers[r] > 0) out.rows.push_back(static_cast<std::uint32_t>(r));
  }
  out.probabilities = Matrix<double, axis::Row, axis::Out>(out.rows.size(), outputs);
  for (std::size_t i = 0; i < out.rows.size(); ++i) {
    const std::size_t r = out.rows[i];
    for (std::size_t k = 0; k < outputs; ++k) out.probabilities(i, k) = sums(r, k) / strangers[r];
  }
  return out;
}

}  // namespace perpend
