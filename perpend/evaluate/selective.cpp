#include "perpend/evaluate/selective.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perpend/base/error.h"
#include "perpend/base/portable_math.h"

namespace perpend {

namespace {

// sqrt of the mean over members of sum_k (p_k - mean_k)^2 / parts, where at(m, r, k) is a member's probability.
template <class At>
std::vector<double> spread(std::size_t members, std::size_t rows, std::size_t classes, double parts, const At& at) {
  PERPEND_CHECK(members > 0);
  const auto count = static_cast<double>(members);
  std::vector<double> result(rows);
  for (std::size_t r = 0; r < rows; ++r) {
    double squares = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      double mean = 0;
      for (std::size_t m = 0; m < members; ++m) mean += at(m, r, k);
      mean /= count;
      for (std::size_t m = 0; m < members; ++m) squares += (at(m, r, k) - mean) * (at(m, r, k) - mean);
    }
    result[r] = std::sqrt(squares / (parts * count));
  }
  return result;
}

}  // namespace

std::vector<double> row_disagreement(MemberProbabilities members) {
  return spread(members.rows(), members.cols(), 1, 1,
                [&](std::size_t m, std::size_t r, std::size_t) { return members(m, r); });
}

std::vector<double> row_disagreement(std::span<const ClassProbabilities> members) {
  PERPEND_CHECK(!members.empty());
  return spread(members.size(), members[0].rows(), members[0].cols(), 2,
                [&](std::size_t m, std::size_t r, std::size_t k) { return members[m](r, k); });
}

std::vector<double> row_disagreement(const Stack<float, axis::Row, axis::Out>& members) {
  // With two classes only the second counts, so that the bits are those of MemberProbabilities.
  const bool binary = members.cols() == 2;
  return spread(
      members.members(), members.rows(), binary ? 1 : members.cols(), binary ? 1 : 2,
      [&](std::size_t m, std::size_t r, std::size_t k) { return static_cast<double>(members[m](r, binary ? 1 : k)); });
}

std::vector<double> row_doubt(Probabilities probabilities) {
  std::vector<double> result;
  result.reserve(probabilities.size());
  for (const double p : probabilities) result.push_back(std::min(p, 1 - p));
  return result;
}

std::vector<double> row_doubt(ClassProbabilities probabilities) {
  std::vector<double> result(probabilities.rows());
  for (std::size_t r = 0; r < result.size(); ++r) {
    result[r] = 1 - *std::max_element(probabilities.row(r), probabilities.row(r) + probabilities.cols());
  }
  return result;
}

RowUncertainty row_uncertainty(const Stack<float, axis::Row, axis::Out>& members) {
  PERPEND_CHECK(members.members() > 0);
  const auto count = static_cast<double>(members.members());
  const auto term = [](double p) { return p > 0 ? -p * portable_log(p) : 0; };
  RowUncertainty parts;
  for (std::size_t r = 0; r < members.rows(); ++r) {
    double data = 0, whole = 0;
    for (std::size_t k = 0; k < members.cols(); ++k) {
      double mean = 0;
      for (std::size_t m = 0; m < members.members(); ++m) {
        const double p = members[m](r, k);
        data += term(p) / count;
        mean += p / count;
      }
      whole += term(mean);
    }
    parts.data.push_back(data);
    parts.knowledge.push_back(std::max(0.0, whole - data));  // rounding
  }
  return parts;
}

RiskCoverage risk_coverage(std::span<const double> uncertainty, const ErrorFlags& errors) {
  PERPEND_CHECK(uncertainty.size() == errors.size());
  PERPEND_CHECK(std::ranges::all_of(uncertainty, [](double u) { return std::isfinite(u); }));
  const std::size_t n = errors.size();
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) { return uncertainty[a] < uncertainty[b]; });
  RiskCoverage curve;
  double sum = 0;
  std::uint64_t wrong = 0;
  for (std::size_t first = 0, last = 0; first < n; first = last) {
    std::uint64_t tied_wrong = 0;
    for (; last < n && uncertainty[order[last]] == uncertainty[order[first]]; ++last) tied_wrong += errors[order[last]];
    const std::size_t tied = last - first;
    for (std::size_t j = 1; j <= tied; ++j) {
      sum += static_cast<double>(wrong * tied + tied_wrong * j) / static_cast<double>(tied * (first + j));
    }
    wrong += tied_wrong;
    curve.points.push_back({.coverage = static_cast<double>(last) / static_cast<double>(n),
                            .risk = static_cast<double>(wrong) / static_cast<double>(last)});
  }
  if (n > 0) curve.area = sum / static_cast<double>(n);
  return curve;
}

Metric shift_auroc(std::span<const double> familiar, std::span<const double> shifted) {
  std::vector<double> scores(familiar.begin(), familiar.end());
  scores.insert(scores.end(), shifted.begin(), shifted.end());
  std::vector<std::int32_t> is_shifted(familiar.size(), 0);
  is_shifted.resize(scores.size(), 1);
  return auc(scores, is_shifted);
}

}  // namespace perpend
