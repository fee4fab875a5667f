// How differently the members of an ensemble fail, and how differently they extrapolate.
//
// From errors. Of n rows, n11 are right for both members of a pair, n00 are wrong for both, and n10 and n01 are right
// for one:
//   rho           Pearson correlation of the error indicators,
//                 (n11 n00 - n10 n01) / sqrt((n11 + n10)(n01 + n00)(n11 + n01)(n10 + n00));
//                 undefined when a member has no errors or only errors
//   q             Yule's Q, (n11 n00 - n10 n01) / (n11 n00 + n10 n01); 0 when the numerator is 0
//   disagreement  (n10 + n01) / n
//   double_fault  n00 / n
// Averages over pairs skip undefined values and count them. With a the mean accuracy of the members (Kuncheva and
// Whitaker 2003, eq. 16):
//   kappa         1 - disagreement / (2 a (1 - a)); undefined when a is 0 or 1
//
// From input gradients g and h of two members at a row (the paper's CosIndepErr and its statistical reading):
//   cos2                      (g.h)^2 / (|g|^2 |h|^2 + 1e-8); 0 for a gradient that is exactly 0
//   cosine                    g.h / sqrt(|g|^2 |h|^2 + 1e-8), whose sign tells whether the members pull the same way
//   local mutual information  -1/2 ln(1 - cos2) in nats, of the two outputs under small Gaussian noise around the row;
//                             1 - cos2 is taken as at least 1e-15, so a row gives at most 17.3
// All are averaged over rows, and the first and the last over pairs too. Gradients much shorter than 1e-2 have a small
// cos2 because of its constant alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "perpend/base/matrix.h"
#include "perpend/base/tangents.h"
#include "perpend/evaluate/metrics.h"

namespace perpend {

struct PairCounts {
  std::uint64_t both_right = 0;    // n11
  std::uint64_t first_right = 0;   // n10
  std::uint64_t second_right = 0;  // n01
  std::uint64_t both_wrong = 0;    // n00
};
PairCounts count_pair(const ErrorFlags& first, const ErrorFlags& second);
Metric error_correlation(const PairCounts& counts);
Metric yule_q(const PairCounts& counts);

struct PairDiversity {
  std::size_t first = 0;
  std::size_t second = 0;  // > first
  Metric rho;
  Metric q;
  Metric disagreement;
  Metric double_fault;
};
struct PairAverage {
  Metric mean;
  std::size_t undefined = 0;  // values that were left out
};
struct Diversity {
  std::vector<PairDiversity> pairs;
  PairAverage rho;
  PairAverage q;
  PairAverage disagreement;
  PairAverage double_fault;
  Metric kappa;
};
// Throws DataError if the members have different numbers of rows.
Diversity diversity(std::span<const ErrorFlags> members);

constexpr double kCos2Epsilon = 1e-8;
double squared_cosine(std::span<const float> g, std::span<const float> h);

struct GradientPair {
  std::size_t first = 0;
  std::size_t second = 0;
  Metric cos2;
  Metric cosine;
  Metric local_mutual_information;
};
struct GradientDiversity {
  std::vector<GradientPair> pairs;
  Metric cos2;
  Metric local_mutual_information;
  std::vector<double> flat;  // per member: the share of rows where its gradient is exactly 0; empty without rows
};
// One (rows, features) matrix per member, all over the same rows. Throws DataError if their sizes differ.
GradientDiversity gradient_diversity(std::span<const InputsView> members);

// The same, bit for bit, from blocks of rows one after the other. Gradients of all rows need not be in memory at once.
class GradientDiversitySums {
 public:
  explicit GradientDiversitySums(std::size_t members);
  void add(std::span<const InputsView> members);  // the next rows
  GradientDiversity result() const;

 private:
  struct Sums {
    double cos2 = 0, cosine = 0, information = 0;
  };
  std::size_t members_;
  std::size_t rows_ = 0;
  std::vector<Sums> pairs_;        // (0, 1), (0, 2), ..., (1, 2), ...
  std::vector<std::size_t> flat_;  // rows per member
};

// Returns J^T g of each row, (rows, directions). Row r of the gradients is row first + r of the tangents, which are not
// empty.
Inputs along_tangents(InputsView gradients, const Tangents& tangents, std::size_t first = 0);

// The same of J^T g: along the tangents of these rows (base/tangents.h), which are not empty.
GradientDiversity tangent_diversity(std::span<const InputsView> members, const Tangents& tangents);

}  // namespace perpend
