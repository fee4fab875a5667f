// The mean of members' probabilities, which are doubles here because the oracle gives doubles to the metrics under
// test.
#pragma once

#include <span>
#include <vector>

#include "perpend/evaluate/metrics.h"

namespace perpend {

inline std::vector<double> ensemble_mean(MemberProbabilities members) {
  std::vector<double> mean(members.cols(), 0.0);
  for (std::size_t m = 0; m < members.rows(); ++m) {
    for (std::size_t r = 0; r < mean.size(); ++r) mean[r] += members(m, r);
  }
  for (double& p : mean) p /= static_cast<double>(members.rows());
  return mean;
}

inline Matrix<double, axis::Row, axis::Out> ensemble_mean(std::span<const ClassProbabilities> members) {
  Matrix<double, axis::Row, axis::Out> mean(members[0].rows(), members[0].cols());
  for (std::size_t r = 0; r < mean.rows(); ++r) {
    for (std::size_t k = 0; k < mean.cols(); ++k) {
      double sum = 0;
      for (const auto& p : members) sum += p(r, k);
      mean(r, k) = sum / static_cast<double>(members.size());
    }
  }
  return mean;
}

}  // namespace perpend
