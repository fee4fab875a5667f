#include "perpend/train/bagging.h"

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

OutOfBag out_of_bag(const Ensemble& ensemble, const Dataset& train, std::uint64_t seed, const Threads& threads) {
  const auto members = member_probabilities(ensemble, train.inputs.view(), threads);
  Matrix<double, axis::Row, axis::Out> sums(train.rows(), members.cols());
  std::vector<int> strangers(train.rows(), 0);
  for (std::size_t m = 0; m < members.members(); ++m) {
    std::vector<char> seen(train.rows(), 0);
    for (const auto r : bootstrap_rows(seed, m, train.rows())) seen[r] = 1;
    for (std::size_t r = 0; r < train.rows(); ++r) {
      if (seen[r] != 0) continue;
      ++strangers[r];
      for (std::size_t k = 0; k < members.cols(); ++k) sums(r, k) += members[m](r, k);
    }
  }
  OutOfBag out;
  for (std::size_t r = 0; r < train.rows(); ++r) {
    if (strangers[r] > 0) out.rows.push_back(static_cast<std::uint32_t>(r));
  }
  out.probabilities = Matrix<double, axis::Row, axis::Out>(out.rows.size(), members.cols());
  for (std::size_t i = 0; i < out.rows.size(); ++i) {
    const std::size_t r = out.rows[i];
    for (std::size_t k = 0; k < members.cols(); ++k) out.probabilities(i, k) = sums(r, k) / strangers[r];
  }
  return out;
}

}  // namespace perpend
