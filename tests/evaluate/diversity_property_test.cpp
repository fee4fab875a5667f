#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "perpend/evaluate/diversity.h"
#include "tests/evaluate/random_case.h"

namespace perpend {
namespace {

void demand_near(const Metric& ours, const Metric& theirs, double tolerance = 1e-12) {
  RC_ASSERT(ours.has_value() == theirs.has_value());
  if (ours) RC_ASSERT(std::abs(*ours - *theirs) <= tolerance);
}

std::vector<ErrorFlags> any_members() {
  const auto count = static_cast<std::size_t>(*even(1, 6));
  const std::size_t rows = any_rows();
  std::vector<ErrorFlags> members;
  for (std::size_t m = 0; m < count; ++m) {
    const int one_in = *even(1, 12);  // 1: wrong everywhere; 11: often faultless
    ErrorFlags errors;
    for (const int n : any_numbers(rows, 0, one_in)) errors.push_back(n == 0);
    members.push_back(errors);
  }
  return members;
}

// Pearson's correlation by its definition, through means.
Metric pearson(const ErrorFlags& a, const ErrorFlags& b) {
  if (std::ranges::adjacent_find(a, std::not_equal_to{}) == a.end()) return std::nullopt;
  if (std::ranges::adjacent_find(b, std::not_equal_to{}) == b.end()) return std::nullopt;
  const auto n = static_cast<double>(a.size());
  double mean_a = 0;
  double mean_b = 0;
  for (std::size_t r = 0; r < a.size(); ++r) {
    mean_a += a[r] / n;
    mean_b += b[r] / n;
  }
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (std::size_t r = 0; r < a.size(); ++r) {
    ab += (a[r] - mean_a) * (b[r] - mean_b);
    aa += (a[r] - mean_a) * (a[r] - mean_a);
    bb += (b[r] - mean_b) * (b[r] - mean_b);
  }
  return ab / std::sqrt(aa * bb);
}

double count(const ErrorFlags& a, const ErrorFlags& b, int x, int y) {
  double n = 0;
  for (std::size_t r = 0; r < a.size(); ++r) n += a[r] == x && b[r] == y;
  return n;
}

Metric naive_q(const ErrorFlags& a, const ErrorFlags& b) {
  if (a.empty()) return std::nullopt;
  const double same = count(a, b, 0, 0) * count(a, b, 1, 1);
  const double other = count(a, b, 0, 1) * count(a, b, 1, 0);
  return same == other ? 0 : (same - other) / (same + other);
}

Metric mean_of(const std::vector<Metric>& values) {
  double sum = 0;
  double n = 0;
  for (const auto& v : values) {
    if (!v) continue;
    sum += *v;
    ++n;
  }
  return n == 0 ? Metric() : Metric(sum / n);
}

RC_GTEST_PROP(Diversity, EqualsItsDefinitions, ()) {
  const auto members = any_members();
  const Diversity d = diversity(members);
  std::vector<Metric> rho;
  std::vector<Metric> q;
  std::vector<Metric> disagreement;
  std::vector<Metric> double_fault;
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (std::size_t j = i + 1; j < members.size(); ++j) {
      const auto& a = members[i];
      const auto& b = members[j];
      const auto n = static_cast<double>(a.size());
      rho.push_back(pearson(a, b));
      q.push_back(naive_q(a, b));
      disagreement.push_back(a.empty() ? Metric() : Metric((count(a, b, 0, 1) + count(a, b, 1, 0)) / n));
      double_fault.push_back(a.empty() ? Metric() : Metric(count(a, b, 1, 1) / n));
    }
  }
  RC_ASSERT(d.pairs.size() == rho.size());
  for (std::size_t p = 0; p < rho.size(); ++p) {
    demand_near(d.pairs[p].rho, rho[p]);
    demand_near(d.pairs[p].q, q[p]);
    demand_near(d.pairs[p].disagreement, disagreement[p]);
    demand_near(d.pairs[p].double_fault, double_fault[p]);
  }
  demand_near(d.rho.mean, mean_of(rho));
  RC_ASSERT(d.rho.undefined == static_cast<std::size_t>(std::ranges::count(rho, Metric())));
  demand_near(d.q.mean, mean_of(q));
  demand_near(d.disagreement.mean, mean_of(disagreement));
  demand_near(d.double_fault.mean, mean_of(double_fault));
}

// Kuncheva and Whitaker's eq. 15: kappa from how many of the L members are right on each row, without pairs.
RC_GTEST_PROP(Kappa, EqualsTheInterraterFormOverRows, ()) {
  const auto members = any_members();
  const auto count_members = static_cast<double>(members.size());
  const auto rows = static_cast<double>(members[0].size());
  double right = 0;
  double split_votes = 0;
  for (std::size_t r = 0; r < members[0].size(); ++r) {
    double l = 0;
    for (const auto& m : members) l += m[r] == 0;
    right += l;
    split_votes += l * (count_members - l);
  }
  const double a = right / (rows * count_members);
  const Metric kappa = diversity(members).kappa;
  if (members.size() < 2 || rows == 0 || right == 0 || right == rows * count_members) {
    RC_ASSERT(!kappa);
    return;
  }
  demand_near(kappa, 1 - split_votes / count_members / (rows * (count_members - 1) * a * (1 - a)), 1e-11);
}

RC_GTEST_PROP(GradientDiversity, EqualsTheNaiveLoops, ()) {
  const auto count_members = static_cast<std::size_t>(*even(1, 5));
  const auto rows = static_cast<std::size_t>(*even(0, 8));
  const auto features = static_cast<std::size_t>(*even(1, 6));
  std::vector<Inputs> members;
  for (std::size_t m = 0; m < count_members; ++m) {
    Inputs& g = members.emplace_back(rows, features);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t f = 0; f < features; ++f) g(r, f) = static_cast<float>(*even(-3, 4)) / 8;
    }
  }
  double cos2 = 0;
  double information = 0;
  double terms = 0;
  for (std::size_t i = 0; i < count_members; ++i) {
    for (std::size_t j = i + 1; j < count_members; ++j) {
      for (std::size_t r = 0; r < rows; ++r) {
        double gh = 0;
        double gg = 0;
        double hh = 0;
        for (std::size_t f = 0; f < features; ++f) {
          gh += static_cast<double>(members[i](r, f)) * members[j](r, f);
          gg += std::pow(members[i](r, f), 2);
          hh += std::pow(members[j](r, f), 2);
        }
        const double one = gh * gh / (gg * hh + 1e-8);
        cos2 += one;
        information += -0.5 * std::log(1 - one);
        ++terms;
      }
    }
  }
  const GradientDiversity d = gradient_diversity(std::vector<InputsView>(members.begin(), members.end()));
  demand_near(d.cos2, terms == 0 ? Metric() : Metric(cos2 / terms));
  demand_near(d.local_mutual_information, terms == 0 ? Metric() : Metric(information / terms), 1e-7);
}

}  // namespace
}  // namespace perpend
