#include "perpend/evaluate/diversity.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "perpend/base/error.h"
#include "perpend/base/message.h"
#include "perpend/base/portable_math.h"
#include "perpend/kernels/tangents.h"

namespace perpend {
namespace {

Metric share(std::uint64_t part, const PairCounts& c) {
  const std::uint64_t rows = c.both_right + c.first_right + c.second_right + c.both_wrong;
  if (rows == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(rows);
}

// n11 n00 - n10 n01, exact for any table that fits into memory.
double covariance(const PairCounts& c) {
  return static_cast<double>(static_cast<std::int64_t>(c.both_right * c.both_wrong) -
                             static_cast<std::int64_t>(c.first_right * c.second_right));
}

template <class Values, class Field>
PairAverage average(const Values& values, Field field) {
  PairAverage result;
  double sum = 0;
  for (const auto& value : values) {
    if (const Metric& metric = value.*field) {
      sum += *metric;
    } else {
      ++result.undefined;
    }
  }
  const std::size_t defined = values.size() - result.undefined;
  if (defined > 0) result.mean = sum / static_cast<double>(defined);
  return result;
}

Metric interrater_kappa(std::span<const ErrorFlags> members, const Metric& disagreement) {
  std::uint64_t right = 0;
  std::uint64_t all = 0;
  for (const ErrorFlags& errors : members) {
    right += static_cast<std::uint64_t>(std::ranges::count(errors, 0));
    all += errors.size();
  }
  if (!disagreement || right == 0 || right == all) return std::nullopt;
  const double accuracy = static_cast<double>(right) / static_cast<double>(all);
  return 1 - *disagreement / (2 * accuracy * (1 - accuracy));
}

struct Products {
  double gh = 0, gg = 0, hh = 0;
};

Products products(std::span<const float> g, std::span<const float> h) {
  PERPEND_CHECK(g.size() == h.size());
  Products p;
  for (std::size_t i = 0; i < g.size(); ++i) {
    const double a = g[i];
    const double b = h[i];
    p.gh += a * b;
    p.gg += a * a;
    p.hh += b * b;
  }
  return p;
}

double squared_cosine(const Products& p) { return std::min(1.0, p.gh * p.gh / (p.gg * p.hh + kCos2Epsilon)); }

std::string size_text(InputsView g) { return counted(g.rows(), "row") + " of " + counted(g.cols(), "column"); }

}  // namespace

PairCounts count_pair(const ErrorFlags& first, const ErrorFlags& second) {
  PERPEND_CHECK(first.size() == second.size());
  PairCounts counts;
  for (std::size_t r = 0; r < first.size(); ++r) {
    if (first[r] == 0) {
      ++(second[r] == 0 ? counts.both_right : counts.first_right);
    } else {
      ++(second[r] == 0 ? counts.second_right : counts.both_wrong);
    }
  }
  return counts;
}

Metric error_correlation(const PairCounts& c) {
  const auto first = static_cast<double>((c.both_right + c.first_right) * (c.second_right + c.both_wrong));
  const auto second = static_cast<double>((c.both_right + c.second_right) * (c.first_right + c.both_wrong));
  if (first == 0 || second == 0) return std::nullopt;
  return covariance(c) / std::sqrt(first * second);
}

Metric yule_q(const PairCounts& c) {
  if (!share(0, c)) return std::nullopt;
  const double numerator = covariance(c);
  if (numerator == 0) return 0.0;
  return numerator / static_cast<double>(c.both_right * c.both_wrong + c.first_right * c.second_right);
}

Diversity diversity(std::span<const ErrorFlags> members) {
  for (const ErrorFlags& errors : members) {
    if (errors.size() == members[0].size()) continue;
    throw DataError("all members need errors of the same rows, but one member has " + counted(errors.size(), "row") +
                    " and the first has " + thousands(members[0].size()));
  }
  Diversity result;
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (std::size_t j = i + 1; j < members.size(); ++j) {
      const PairCounts counts = count_pair(members[i], members[j]);
      result.pairs.push_back({.first = i,
                              .second = j,
                              .rho = error_correlation(counts),
                              .q = yule_q(counts),
                              .disagreement = share(counts.first_right + counts.second_right, counts),
                              .double_fault = share(counts.both_wrong, counts)});
    }
  }
  result.rho = average(result.pairs, &PairDiversity::rho);
  result.q = average(result.pairs, &PairDiversity::q);
  result.disagreement = average(result.pairs, &PairDiversity::disagreement);
  result.double_fault = average(result.pairs, &PairDiversity::double_fault);
  result.kappa = interrater_kappa(members, result.disagreement.mean);
  return result;
}

double squared_cosine(std::span<const float> g, std::span<const float> h) { return squared_cosine(products(g, h)); }

GradientDiversitySums::GradientDiversitySums(std::size_t members)
    : members_(members), pairs_(members * (std::max<std::size_t>(members, 1) - 1) / 2), flat_(members) {}

void GradientDiversitySums::add(std::span<const InputsView> members) {
  PERPEND_CHECK(members.size() == members_);
  auto sums = pairs_.begin();
  for (std::size_t i = 0; i < members_; ++i) {
    for (std::size_t j = i + 1; j < members_; ++j, ++sums) {
      const InputsView g = members[i];
      const InputsView h = members[j];
      PERPEND_CHECK(g.rows() == h.rows() && g.cols() == h.cols());
      for (std::size_t r = 0; r < g.rows(); ++r) {
        const Products p = products({g.row(r), g.cols()}, {h.row(r), h.cols()});
        const double c = squared_cosine(p);
        sums->cos2 += c;
        sums->cosine += p.gh / std::sqrt(p.gg * p.hh + kCos2Epsilon);
        sums->information -= portable_log(std::max(1 - c, kSmallestProbability)) / 2;
      }
    }
  }
  for (std::size_t m = 0; m < members_; ++m) {
    for (std::size_t r = 0; r < members[m].rows(); ++r) {
      const std::span g(members[m].row(r), members[m].cols());
      if (std::ranges::all_of(g, [](float slope) { return slope == 0; })) ++flat_[m];
    }
  }
  if (members_ > 0) rows_ += members[0].rows();
}

GradientDiversity GradientDiversitySums::result() const {
  GradientDiversity result;
  const auto mean = [&](double sum) { return rows_ == 0 ? Metric() : Metric(sum / static_cast<double>(rows_)); };
  auto sums = pairs_.begin();
  for (std::size_t i = 0; i < members_; ++i) {
    for (std::size_t j = i + 1; j < members_; ++j, ++sums) {
      result.pairs.push_back({.first = i,
                              .second = j,
                              .cos2 = mean(sums->cos2),
                              .cosine = mean(sums->cosine),
                              .local_mutual_information = mean(sums->information)});
    }
  }
  result.cos2 = average(result.pairs, &GradientPair::cos2).mean;
  result.local_mutual_information = average(result.pairs, &GradientPair::local_mutual_information).mean;
  for (const std::size_t flat : flat_) {
    if (rows_ > 0) result.flat.push_back(static_cast<double>(flat) / static_cast<double>(rows_));
  }
  return result;
}

GradientDiversity gradient_diversity(std::span<const InputsView> members) {
  for (const InputsView& g : members) {
    if (g.rows() == members[0].rows() && g.cols() == members[0].cols()) continue;
    throw DataError("all members need gradients of the same rows and columns, but one member has " + size_text(g) +
                    " and the first has " + size_text(members[0]));
  }
  GradientDiversitySums sums(members.size());
  sums.add(members);
  return sums.result();
}

Inputs along_tangents(InputsView gradients, const Tangents& tangents, std::size_t first) {
  PERPEND_CHECK(gradients.cols() == tangents.features() &&
                (tangents.is_shared() || first + gradients.rows() <= tangents.bases()));
  std::vector<std::uint32_t> rows(gradients.rows());
  std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(first));
  Inputs along(gradients.rows(), tangents.directions());
  kernels::project(tangents, rows, gradients, along);
  return along;
}

GradientDiversity tangent_diversity(std::span<const InputsView> members, const Tangents& tangents) {
  std::vector<Inputs> projected;
  std::vector<InputsView> views;
  for (const InputsView& gradients : members) {
    PERPEND_CHECK(tangents.is_shared() || tangents.bases() == gradients.rows());
    projected.push_back(along_tangents(gradients, tangents));
  }
  for (const Inputs& along : projected) views.push_back(along.view());
  return gradient_diversity(views);
}

}  // namespace perpend
